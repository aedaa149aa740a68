import { type OperationPattern, operationMatcher } from '../faults/operation-pattern.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import { checkFields, invalidOption } from '../state/plain.ts'
import type { Team } from '../team.ts'
import { findDifferences, formatExpected } from './differences.ts'
import { isRemoteTeam, type RemoteTeamState } from './remote-team-state.ts'
import { describeEntry, section } from './text.ts'

/**
 * Selects the requests that {@link JournalMatchers.toHaveReceived} counts. Each value except `times` may be an
 * asymmetric matcher, such as `expect.any(String)`.
 */
export interface ReceivedOptions {
  /** The exact number of requests, which may be 0. Default: at least one request. */
  times?: number
  /** The expected response status. Default: any status, or no response. */
  status?: number
  /** The expected path parameters. Omitted parameters may have any value. */
  params?: Record<string, unknown>
  /** The expected query parameters, as recorded in the journal. Omitted parameters may have any value. */
  query?: Record<string, unknown>
  /** The expected body. As with `toMatchObject`, objects may have extra fields. Default: any body. */
  body?: unknown
}

/**
 * The types of {@link journalMatchers}, to extend a test runner's declarations. `T` is the type of the checked value.
 */
export interface JournalMatchers<T = unknown> {
  /**
   * Checks that a team received requests for an operation, or for a namespace such as `link.*`. Ignores requests
   * deleted from the journal. For a `RemoteTeam`, await the result.
   *
   * @throws {MockError} `unknown_operation` if no operation matches; `invalid_option` if the value is not a team, or an
   * option is unknown or invalid. A `RemoteTeam` can also cause `unreachable` or `access_denied`.
   */
  toHaveReceived(
    operation: OperationPattern,
    options?: ReceivedOptions,
  ): T extends RemoteTeamState ? Promise<void> : void
}

/** The result of a matcher, as Vitest and Jest expect it. */
export interface MatcherResult {
  /** Whether the value matches. */
  pass: boolean
  /** Returns the failure message, or the message for `.not` if `pass` is true. */
  message: () => string
}

/**
 * Matchers for a team's journal: `expect.extend(journalMatchers)` adds them to the `expect` of Vitest, Jest and
 * Playwright. Then write `expect(team).toHaveReceived('orders.create', { times: 1 })`. `health-lab-sdk/mock/vitest`
 * adds them automatically.
 */
export const journalMatchers: {
  /**
   * Checks the requests that a team received: see {@link JournalMatchers.toHaveReceived}. For a `RemoteTeam`, returns a
   * promise.
   *
   * @param received A `Team` or a `RemoteTeam`.
   */
  toHaveReceived(
    received: unknown,
    operation: OperationPattern,
    options?: ReceivedOptions,
  ): MatcherResult | Promise<MatcherResult>
} = {
  toHaveReceived(received, operation, options = {}) {
    const isRemote = isRemoteTeam(received, 'toHaveReceived')
    checkReceivedOptions(options)
    const expected = { operation, options, matches: operationMatcher(operation) }
    if (isRemote) return received.journal.requests().then((all) => judge(all, expected))
    // `isRemoteTeam` has already rejected values that are not teams.
    const { journal } = received as Team
    return judge(journal.requests(), expected)
  },
}

interface Expected {
  operation: OperationPattern
  options: ReceivedOptions
  matches: (operation: string | undefined) => boolean
}

interface ComparedRequest {
  entry: JournalEntry
  differences: string[]
}

interface MatchResult extends Expected {
  /** The number of requests without differences. */
  count: number
  pass: boolean
}

const compared = ['status', 'params', 'query', 'body'] as const

const shownRequests = 10

function checkReceivedOptions(options: ReceivedOptions): void {
  checkFields(options, ['times', ...compared], 'the options of toHaveReceived')
  const { times = 0 } = options
  if (Number.isInteger(times) && times >= 0) return
  throw invalidOption('times', 'an integer of at least 0', times)
}

function judge(all: readonly JournalEntry[], expected: Expected): MatcherResult {
  const { options, matches } = expected
  const candidates = all
    .filter(({ operation }) => matches(operation))
    .map((entry) => compareRequest(entry, options))
  const count = candidates.filter(({ differences }) => differences.length === 0).length
  const { times } = options
  const pass = times === undefined ? count > 0 : count === times
  const message = () =>
    [headline({ ...expected, count, pass }), ...listReceived(candidates, all)].join('\n')
  return { pass, message }
}

function compareRequest(entry: JournalEntry, options: ReceivedOptions): ComparedRequest {
  const { params, query, body } = entry.request
  const actual = { status: entry.response?.status, params, query, body }
  const differences = compared.flatMap((name) =>
    options[name] === undefined ? [] : findDifferences(actual[name], options[name], name),
  )
  return { entry, differences }
}

function headline({ operation, options, count, pass }: MatchResult): string {
  const { times, ...values } = options
  const given = Object.keys(values).length > 0 ? ` with ${formatExpected(values)}` : ''
  return `Expected the team ${expectation(times, pass)} for ${operation}${given}, but it received ${count}.`
}

/** Returns the expectation, negated if the comparison passed. */
function expectation(times: number | undefined, pass: boolean): string {
  if (times === undefined || times === 0) {
    return (times === 0) === pass ? 'to receive at least 1 request' : 'to receive no requests'
  }
  return `${pass ? 'not ' : ''}to receive exactly ${times} ${times === 1 ? 'request' : 'requests'}`
}

function listReceived(
  candidates: readonly ComparedRequest[],
  all: readonly JournalEntry[],
): string[] {
  if (candidates.length > 0) {
    const lines = candidates
      .slice(-shownRequests)
      .flatMap(({ entry, differences }) => [
        describeEntry(entry),
        ...differences.map((difference) => `  ${difference}`),
      ])
    return section('Received:', lines)
  }
  const others = all.slice(-shownRequests).map(describeEntry)
  if (others.length > 0) return section('Received instead:', others)
  return ['It received no requests. Create the client with the options from team.connection().']
}
