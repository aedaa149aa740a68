import * as z from 'zod/mini'
import { queryAggregate } from '../../src/contract/aggregate.ts'
import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { teamListSchema } from '../control/operations/teams.ts'
import { tokenHeader } from '../control/paths.ts'
import {
  reproductionSchema,
  searchHitSchema,
  seededSchema,
  settingsStateSchema,
  snapshotHeadSchema,
  truthRowSchema,
} from '../control/responses.ts'
import { maskKey } from '../diagnostics/summary.ts'
import { MockError } from '../errors.ts'
import { checkFields } from '../state/plain.ts'
import { User as userSchema } from '../state/records/schemas.ts'
import { remoteBookings } from './bookings.ts'
import { remoteBulkOps } from './bulk-ops.ts'
import { remoteClock } from './clock.ts'
import { recordPath } from './collection.ts'
import { ControlClient, type ControlTarget } from './control-client.ts'
import { remoteEvents, triggerEvent } from './events.ts'
import { remoteFaults } from './faults.ts'
import { remoteHistory } from './history.ts'
import { remoteJournal } from './journal.ts'
import { remoteRecords } from './records.ts'
import type { RemoteTeam } from './remote-team.ts'
import { remoteWebhooks } from './webhooks.ts'

/** How to reach a served mock. */
export interface ConnectOptions {
  /** The control token of the server. Default: none. */
  token?: string
  /** The milliseconds in which the server must respond to each request. Default: 60,000. */
  timeout?: number
}

/**
 * Connects to the team of an API key in a mock that `health-lab-sdk mock` or `serve` serves, for tests in another process.
 *
 * Every method rejects with a `MockError`: with the codes of `Team`'s methods, `unreachable` if no mock responds at the
 * URL in time, `access_denied` if the API key or token is invalid or the machine is not allowed, and `invalid_option` for an
 * invalid value or one that JSON cannot represent. Records with a key that a URL cannot contain (`''`, `'.'` and `'..'`) are
 * unknown.
 *
 * @param url The URL of the mock server, such as `http://127.0.0.1:4010`.
 * @param apiKey Any key: each key has a team of its own.
 * @throws {MockError} `invalid_option` for an invalid URL, API key, token or timeout.
 * @example
 * const team = connectMock('http://127.0.0.1:4010', 'checkout-suite')
 * const client = new ServiceClient(team.connection())
 * await team.bookings.next({ outcome: 'fail' })
 */
export function connectMock(url: string, apiKey: string, options: ConnectOptions = {}): RemoteTeam {
  const mock = controlTargetOf(url, apiKey, options)
  const { baseUrl } = mock
  const client = new ControlClient(mock)
  const team: RemoteTeam = {
    apiKey,
    connection: () => ({
      apiKey,
      baseUrl,
      fetch: (input, init) => fetch(input, init),
      exposeDetail: true,
    }),
    ...remoteRecords(client),
    bulkOps: remoteBulkOps(client),
    bookings: remoteBookings(client),
    clock: remoteClock(client),
    faults: remoteFaults(client),
    journal: remoteJournal(client),
    events: remoteEvents(client),
    webhooks: remoteWebhooks(client),
    history: remoteHistory(client),
    search: (text) =>
      client.read(`GET /search?${new URLSearchParams({ text })}`, z.array(searchHitSchema)),
    aggregate: (userId, query) =>
      client.read(
        `POST ${recordPath('/users', [userId])}/aggregate`,
        queryAggregate.responses[200],
        query,
      ),
    trigger: (type, overrides) => triggerEvent(client, type, overrides),
    ...remoteState(client),
  }
  const summary = `RemoteTeam { baseUrl: ${baseUrl}, apiKey: ${maskKey(apiKey)} }`
  // What `console.log` and `util.inspect` print on Node, Bun and Deno.
  return Object.defineProperty(team, Symbol.for('nodejs.util.inspect.custom'), {
    value: () => summary,
  })
}

/**
 * Returns the API key of the first team of a served mock.
 *
 * @throws {MockError} As {@link connectMock}.
 */
export async function firstApiKey(url: string, options: ConnectOptions = {}): Promise<string> {
  // The list of teams needs no key.
  const client = new ControlClient(controlTargetOf(url, 'any', options))
  const [first] = await client.read<{ api_key: string }[]>('GET /teams', teamListSchema)
  return first?.api_key ?? ''
}

type StateMethod =
  | 'settings'
  | 'configure'
  | 'signIn'
  | 'seed'
  | 'truth'
  | 'snapshot'
  | 'restore'
  | 'reset'
  | 'reproduction'

function remoteState(client: ControlClient): Pick<RemoteTeam, StateMethod> {
  return {
    settings: () => client.read('GET /settings', settingsStateSchema),
    configure: async (options) => void (await client.run('PATCH /settings', options)),
    signIn: (token) => client.read('POST /sign_in', userSchema, { sign_in_token: token }),
    seed: (fixture) => client.read('POST /seed', seededSchema, fixture),
    truth: (userId, resource) => {
      const query = resource === undefined ? '' : `?${new URLSearchParams({ resource })}`
      return client.read(
        `GET ${recordPath('/users', [userId])}/truth${query}`,
        z.array(truthRowSchema),
      )
    },
    snapshot: () => client.read('GET /snapshot', snapshotHeadSchema),
    restore: async (snapshot) => void (await client.run('PUT /snapshot', snapshot)),
    reset: async () => void (await client.run('POST /reset')),
    reproduction: async () =>
      (await client.read<{ line: string }>('GET /reproduction', reproductionSchema)).line,
  }
}

/** The longest timer of the platform, in milliseconds. */
const longestTimeout = 2_147_483_647

function controlTargetOf(url: string, apiKey: string, options: ConnectOptions): ControlTarget {
  checkFields(options, ['token', 'timeout'], 'the options of connectMock')
  const { token, timeout = 60_000 } = options
  // Callers without types may pass any value.
  const areStrings = typeof apiKey === 'string' && typeof (token ?? '') === 'string'
  if (!areStrings || apiKey === '') throw toOptionError('an API key and a token that are strings')
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > longestTimeout) {
    throw toOptionError(`timeout to be an integer from 1 to ${longestTimeout}, in milliseconds`)
  }
  return { baseUrl: baseUrlOf(url), headers: headersOf(apiKey, token), timeout }
}

function headersOf(apiKey: string, token: string | undefined): Headers {
  try {
    const headers = new Headers({ [wireHeaders.apiKey]: apiKey })
    if (token) headers.set(tokenHeader, token)
    return headers
  } catch (cause) {
    throw toOptionError('an API key and a token that are valid in an HTTP header', cause)
  }
}

function baseUrlOf(url: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '' }
  if (/^https?:$/.test(protocol) && !username && !password && !search && !hash) {
    return url.trim().replace(/\/+$/, '')
  }
  throw toOptionError("the URL of a mock, such as 'http://127.0.0.1:4010'")
}

function toOptionError(expected: string, cause?: unknown): MockError {
  return new MockError('invalid_option', `Expected ${expected}.`, { cause })
}
