import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { parseBaseUrl } from '../../src/shared/base-url.ts'
import type { Send } from '../control/api.ts'
import { tokenHeader } from '../control/paths.ts'
import { maskKey } from '../diagnostics/summary.ts'
import { MockError } from '../errors.ts'
import { checkFields } from '../state/plain.ts'
import {
  type CollectionName,
  catalogueNames,
  type TeamName,
  teamNames,
} from '../state/records/paths.ts'
import { remoteClock } from './clock.ts'
import { remoteCollection } from './collection.ts'
import { ControlClient, type ControlTarget } from './control-client.ts'
import { remoteEvents, triggerEvent } from './events.ts'
import { remoteFaults } from './faults.ts'
import { remoteHistory } from './history.ts'
import { remoteJournal } from './journal.ts'
import { remoteBookings, remoteBulkOps } from './records.ts'
import type { RemoteCollections, RemoteTeam } from './remote-team.ts'
import { remoteWebhooks } from './webhooks.ts'

/** Options for connecting to a mock server. */
export interface ConnectOptions {
  /** The server's control token. Default: none. */
  token?: string
  /** The time limit for each response, in milliseconds. Default: 60,000. */
  timeout?: number
}

/**
 * Connects to the team with the given API key in a mock served by `health-lab-sdk mock` or `serve`, for tests in
 * another process.
 *
 * Calls that fail reject with a `MockError`, with the same code as in `Team`. Additional codes are `unreachable` if no
 * mock responds in time, and `access_denied` if the API key, token or machine is not allowed. Values that JSON cannot
 * represent, or that do not match the control API's schema, cause `invalid_option`.
 *
 * @param url The URL of the mock server, such as `http://127.0.0.1:4010`.
 * @param apiKey The team's API key. By default, an unknown key creates a team.
 * @throws {MockError} `invalid_option` for an invalid URL, API key, token or timeout.
 * @example
 * const team = connectMock('http://127.0.0.1:4010', 'checkout-suite')
 * const client = new ServiceClient(team.connection())
 * await team.bookings.next({ outcome: 'fail' })
 */
export function connectMock(url: string, apiKey: string, options: ConnectOptions = {}): RemoteTeam {
  const mock = controlTargetOf(url, apiKey, options)
  const { baseUrl } = mock
  const { send } = new ControlClient(mock)
  const team: RemoteTeam = {
    apiKey,
    connection: () => ({
      apiKey,
      baseUrl,
      fetch: (input, init) => fetch(input, init),
      exposeDetail: true,
    }),
    ...remoteRecords(send),
    bulkOps: remoteBulkOps(send),
    bookings: remoteBookings(send),
    clock: remoteClock(send),
    faults: remoteFaults(send),
    journal: remoteJournal(send),
    events: remoteEvents(send),
    webhooks: remoteWebhooks(send),
    history: remoteHistory(send),
    search: (text) => send('search', { query: { text } }),
    aggregate: (user_id, body) => send('users.aggregate', { params: { user_id }, body }),
    trigger: (...event) => triggerEvent(send, ...event),
    ...remoteState(send),
  }
  const summary = `RemoteTeam { baseUrl: ${baseUrl}, apiKey: ${maskKey(apiKey)} }`
  // `console.log` and `util.inspect` print this on Node, Bun and Deno.
  return Object.defineProperty(team, Symbol.for('nodejs.util.inspect.custom'), {
    value: () => summary,
  })
}

export async function firstApiKey(url: string, options: ConnectOptions = {}): Promise<string> {
  // Listing the teams does not require a valid key.
  const { send } = new ControlClient(controlTargetOf(url, 'any', options))
  const [first] = await send('teams.list')
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

function remoteState(send: Send): Pick<RemoteTeam, StateMethod> {
  return {
    settings: () => send('settings.get'),
    configure: async (body) => void (await send('settings.update', { body })),
    signIn: (sign_in_token) => send('signIn', { body: { sign_in_token } }),
    seed: (body) => send('seed', { body }),
    truth: (user_id, resource) => send('truth', { params: { user_id }, query: { resource } }),
    snapshot: () => send('snapshot'),
    restore: (body) => send('restore', { body }),
    reset: () => send('reset'),
    reproduction: async () => (await send('reproduction')).line,
  }
}

/** The maximum delay of a platform timer, in milliseconds. */
const longestTimeout = 2_147_483_647

function controlTargetOf(url: string, apiKey: string, options: ConnectOptions): ControlTarget {
  checkFields(options, ['token', 'timeout'], 'the options of connectMock')
  const { token, timeout = 60_000 } = options
  // Untyped callers may pass any value.
  const areStrings = typeof apiKey === 'string' && typeof (token ?? '') === 'string'
  if (!areStrings || apiKey === '')
    throw toOptionError('apiKey to be a non-empty string and token to be a string')
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
    throw toOptionError('apiKey and token to be valid in an HTTP header', cause)
  }
}

function baseUrlOf(url: string): string {
  const baseUrl = parseBaseUrl(url)
  if (baseUrl !== undefined) return baseUrl
  throw toOptionError("the URL of a mock, such as 'http://127.0.0.1:4010'")
}

function toOptionError(expected: string, cause?: unknown): MockError {
  return new MockError('invalid_option', `Expected ${expected}.`, { cause })
}

function remoteRecords(send: Send): Pick<RemoteTeam, TeamName | 'catalogue'> {
  const catalogue = collectionsOf(send, catalogueNames)
  const { orders, appointments, ...records } = collectionsOf(send, teamNames)
  return {
    ...records,
    orders: {
      ...orders,
      complete: (id, body = {}) => send('orders.complete', { params: { id }, body }),
    },
    appointments: {
      ...appointments,
      transition: (id, status, changes) =>
        send('appointments.transition', { params: { id }, body: { status, changes } }),
    },
    catalogue,
  }
}

function collectionsOf<Name extends CollectionName>(
  send: Send,
  names: readonly Name[],
): RemoteCollections<Name> {
  const collections = names.map((name) => [name, remoteCollection(send, name)])
  // Each name maps to the collection of its type.
  return Object.fromEntries(collections)
}
