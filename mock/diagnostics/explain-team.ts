import type { Team } from '../team.ts'
import { checkTeam } from './check-team.ts'
import { saveReproduction } from './reproduction-file.ts'
import { describeEntry } from './request-line.ts'
import { section, shorten } from './text.ts'

/** The number of requests, pending events and faults that an explanation lists. */
const shownLines = 10

/**
 * Explains the state of a team in several lines, for a failing test: the virtual time, the last requests with status and
 * reason, the pending events, the unused faults, and the path of a file that recreates the team. It writes that file to
 * the temporary folder on Node, Bun and Deno. The file contains the whole team. The lines have templates of paths and no
 * bodies, but reasons and faults as they are.
 *
 * @throws {MockError} `invalid_option` if the value is not a `Team`, such as a team in another process.
 * @example
 * console.log(explainTeam(team))
 */
export function explainTeam(team: Team): string {
  checkTeam(team, 'explainTeam')
  const { clock, journal } = team
  const requests = journal.requests().slice(-shownLines)
  const pending = clock.pending().map(({ type, at }) => `${type} at ${at.toISOString()}`)
  const unused = team.faults.unused().map((fault) => shorten(JSON.stringify(fault)))
  return [
    `The team at ${clock.now().toISOString()}, clock mode ${clock.mode}, received ${formatCount(journal.count)}.`,
    ...section(`The last ${formatCount(requests.length)}:`, requests.map(describeEntry)),
    ...section('Pending events:', firstLines(pending)),
    ...section('Faults that affected no request:', firstLines(unused)),
    saveReproduction(team),
  ].join('\n')
}

function formatCount(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}

function firstLines(lines: readonly string[]): string[] {
  const hidden = lines.length - shownLines
  return [...lines.slice(0, shownLines), ...(hidden > 0 ? [`and ${hidden} more`] : [])]
}
