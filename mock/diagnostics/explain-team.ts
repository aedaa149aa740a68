import { messageOf } from '../errors.ts'
import type { Fault } from '../faults/fault.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'
import type { Team } from '../team.ts'
import { isRemoteTeam, type RemoteTeamState } from './remote-team-state.ts'
import { describeEntry, section, shorten } from './text.ts'

const shownLines = 10

/**
 * Describes a team's state for a failing test: the virtual time, the last requests with their statuses and reasons, the
 * pending events, the unused faults, and the path of a file that recreates the team. On Node, Bun and Deno, the file is
 * written to the temporary directory. It contains the team's records. The description replaces paths with templates
 * and omits bodies, but does not redact reasons and faults.
 *
 * @throws {MockError} `invalid_option` if the value is not a team.
 * @example
 * console.log(explainTeam(team))
 */
export function explainTeam(team: Team): string
/**
 * Describes the state of a team in another process. The file is written on this machine.
 *
 * @throws {MockError} `invalid_option` if the value is not a team. The promise rejects with `unreachable` or
 *   `access_denied`, as with every method of a `RemoteTeam`.
 * @example
 * console.log(await explainTeam(connectMock('http://127.0.0.1:4010', 'checkout-suite')))
 */
export function explainTeam(team: RemoteTeamState): Promise<string>
export function explainTeam(team: Team | RemoteTeamState): string | Promise<string> {
  return isRemoteTeam(team, 'explainTeam')
    ? readRemoteTeam(team).then(describeTeam)
    : describeTeam(readTeam(team))
}

interface TeamFacts {
  now: Date
  mode: ClockMode
  pending: PendingEvent[]
  /** The number of requests, including those deleted from the journal. */
  count: number
  requests: JournalEntry[]
  unused: Fault[]
  /** Returns the reproduction, or throws if it could not be read. */
  reproduction: () => string
}

function readTeam(team: Team): TeamFacts {
  const { clock, journal, faults } = team
  return {
    now: clock.now(),
    mode: clock.mode,
    pending: clock.pending(),
    count: journal.count,
    requests: journal.requests(),
    unused: faults.unused(),
    reproduction: () => team.reproduction(),
  }
}

async function readRemoteTeam(team: RemoteTeamState): Promise<TeamFacts> {
  const { clock, journal, faults } = team
  const [now, mode, pending, count, requests, unused, reproduction] = await Promise.all([
    clock.now(),
    clock.mode(),
    clock.pending(),
    journal.count(),
    journal.requests(),
    faults.unused(),
    readReproduction(team),
  ])
  return { now, mode, pending, count, requests, unused, reproduction }
}

/**
 * Reads the reproduction. If this fails, only the returned function throws, so the rest of the description can still be
 * shown.
 */
async function readReproduction(team: RemoteTeamState): Promise<() => string> {
  try {
    const line = await team.reproduction()
    return () => line
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function describeTeam(facts: TeamFacts): string {
  const { now, mode, count, reproduction } = facts
  const requests = facts.requests.slice(-shownLines)
  const pending = facts.pending.map(({ type, at }) => `${type} at ${at.toISOString()}`)
  const unused = facts.unused.map((fault) => shorten(JSON.stringify(fault)))
  return [
    `The team at ${now.toISOString()}, clock mode ${mode}, received ${formatCount(count)}.`,
    ...section(requestsTitle(requests.length), requests.map(describeEntry)),
    ...section('Pending events:', firstLines(pending)),
    ...section('Faults that affected no request:', firstLines(unused)),
    saveReproduction(reproduction),
  ].join('\n')
}

function requestsTitle(requests: number): string {
  return requests === 1 ? 'The last request:' : `The last ${requests} requests:`
}

function formatCount(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}

function firstLines(lines: readonly string[]): string[] {
  const hidden = lines.length - shownLines
  return [...lines.slice(0, shownLines), ...(hidden > 0 ? [`and ${hidden} more`] : [])]
}

function saveReproduction(reproduction: () => string): string {
  try {
    const path = writeModule(reproduction())
    return `Reproduction: ${path ?? 'call team.reproduction(), because this platform has no file system.'}`
  } catch (error) {
    return `Reproduction: not available. ${messageOf(error)}`
  }
}

/**
 * Writes a module that exports the team. Returns its path, or undefined on platforms without a file system. Writes
 * CommonJS, because Jest cannot load ES modules without flags, and ES modules can import CommonJS.
 */
function writeModule(reproduction: string): string | undefined {
  // Importing Node's modules would break browser bundles.
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  const fs = process?.getBuiltinModule?.('node:fs')
  const os = process?.getBuiltinModule?.('node:os')
  if (!fs?.mkdtempSync || !os) return undefined
  const path = `${fs.mkdtempSync(`${os.tmpdir()}/health-lab-sdk-`)}/team.cjs`
  const lines = [
    '// The team from a failed test. Copy this file next to your tests, and import or require the team.',
    "const { createMock } = require('health-lab-sdk/mock')",
    '',
    `exports.team = ${reproduction}`,
    '',
  ]
  fs.writeFileSync(path, lines.join('\n'), { mode: 0o600 })
  return path
}
