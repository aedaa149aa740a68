import type { Appointment } from '../../src/contract/appointments.ts'
import type { AppointmentStatus } from '../../src/contract/values/known-values.ts'
import type { OperationPattern } from '../base/operations.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from '../data/catalogue.ts'
import type { Payor } from '../data/payors.ts'
import type { TeamProvider } from '../data/providers.ts'
import { checkAllUsed, MockError, type MockErrorCode } from '../errors.ts'
import type { DeadLetter, Delivery } from '../events/delivery/deliveries.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { Fault } from '../faults/faults.ts'
import type { Har } from '../http/har-format.ts'
import type { JournalEntry } from '../http/journal-entry.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { AppointmentInput } from '../state/bookings/appointments.ts'
import type { BookingOutcome } from '../state/bookings/booking-outcomes.ts'
import type { ClockMode } from '../state/clock/clock-modes.ts'
import type { PendingEvent } from '../state/clock/due-queue.ts'
import type { TimeSpan } from '../state/clock/time.ts'
import type { KeyParts } from '../state/collection.ts'
import type { Settings } from '../state/defaults.ts'
import { checkFields } from '../state/plain.ts'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import type { HealthRow, HealthRowInput } from '../state/records/health.ts'
import type { UserInsurance, UserInsuranceInput } from '../state/records/insurance.ts'
import type { LabAccount } from '../state/records/lab-tests.ts'
import type { Connection, ConnectionInput } from '../state/records/link.ts'
import type { LabOrder, LabOrderInput } from '../state/records/orders.ts'
import type { User, UserInput } from '../state/records/users.ts'
import type {
  RemoteClock,
  RemoteCollection,
  RemoteFault,
  RemoteFaults,
  RemoteTeam,
  RemoteWebhook,
  RemoteWebhooks,
} from './remote-team.ts'

/** How a served mock is reached. */
export interface ConnectOptions {
  /** The server's control token, if it has one. */
  token?: string
  /** Milliseconds in which the server must respond to each request. Default: 60,000. */
  timeout?: number
}

/** Sends a request to the control API, and returns the JSON of the response. */
type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

/** The server, and what every request to it carries. */
interface Server {
  baseUrl: string
  headers: Headers
  timeout: number
}

/**
 * The team of an API key in a mock that `health-lab-sdk mock` or `serve` serves, for tests in another process.
 *
 * Every method rejects with a `MockError`: with the codes of `Team`'s methods, `unreachable` when no mock responds at the
 * URL in time, `not_admitted` when the key, the token or the machine is refused, and `invalid_option` for a value that
 * JSON cannot carry. Keys of records that cannot be part of a URL, which are `''`, `'.'` and `'..'`, are unknown.
 *
 * @throws {MockError} `invalid_option` for a URL, key, token or timeout that cannot be used.
 * @example
 * const team = connectMock('http://127.0.0.1:4010', 'checkout-suite')
 * const client = new ServiceClient(team.connection())
 * await team.bookings.next({ outcome: 'fail' })
 */
export function connectMock(url: string, apiKey: string, options: ConnectOptions = {}): RemoteTeam {
  const server = serverOf(url, apiKey, options)
  const { baseUrl } = server
  const ask: Ask = async (method, path, body) => {
    const text = body === undefined ? undefined : jsonOf(body)
    return jsonIn(await responseTo(method, path, text, server), baseUrl)
  }
  return {
    apiKey,
    connection: () => ({ apiKey, baseUrl, fetch: (input, init) => fetch(input, init) }),
    ...recordsOf(ask),
    ...workOf(ask),
    ...stateOf(ask),
    ...eventsOf(ask),
  }
}

/** The longest time that a platform timer can be set to. */
const longestTimeout = 2_147_483_647

function serverOf(url: string, apiKey: string, options: ConnectOptions): Server {
  checkFields(options, ['token', 'timeout'], 'the options of connectMock')
  const { token, timeout = 60_000 } = options
  // Callers without types may pass anything.
  const isText = typeof apiKey === 'string' && typeof (token ?? '') === 'string'
  if (!isText || apiKey === '') throw unusable('an API key and a token that are strings')
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > longestTimeout) {
    throw unusable(`timeout to be a whole number of milliseconds from 1 to ${longestTimeout}`)
  }
  try {
    const headers = new Headers({ 'x-service-api-key': apiKey })
    if (token) headers.set('x-mock-token', token)
    return { baseUrl: baseUrlIn(url), headers, timeout }
  } catch (cause) {
    if (cause instanceof MockError) throw cause
    throw unusable('an API key and a token that a header can carry', cause)
  }
}

function baseUrlIn(url: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '' }
  if (/^https?:$/.test(protocol) && !username && !password && !search && !hash) {
    return url.trim().replace(/\/+$/, '')
  }
  throw unusable("the URL of a mock, such as 'http://127.0.0.1:4010'")
}

function unusable(expected: string, cause?: unknown): MockError {
  return new MockError('invalid_option', `Expected ${expected}.`, { cause })
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw unusable('plain JSON: no BigInt, no cycle, and no more than some thousand levels', cause)
  }
}

/** The text of a response, and what is known of it. */
interface Received {
  status: number
  isOfMock: boolean
  text: string
}

/** Follows no redirect, which would take the key and the token along. */
async function responseTo(
  method: string,
  path: string,
  body: string | undefined,
  { baseUrl, headers, timeout }: Server,
): Promise<Received> {
  const signal = AbortSignal.timeout(timeout)
  const init: RequestInit = { method, headers, redirect: 'manual', signal }
  try {
    const url = `${baseUrl}/__mock__/api${path}`
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    const { status } = response
    return { status, isOfMock: response.headers.has('x-request-id'), text: await response.text() }
  } catch (cause) {
    const message = signal.aborted
      ? `The mock at ${baseUrl} did not respond within ${timeout} ms. Raise the option timeout if it has much to do.`
      : `No mock responds at ${baseUrl}. Start one: npx health-lab-sdk mock`
    throw new MockError('unreachable', message, { cause })
  }
}

function jsonIn({ status, isOfMock, text }: Received, baseUrl: string): unknown {
  if (status < 200 || status > 299) throw errorOf(status, text)
  // Another server at the URL may respond with anything.
  if (!isOfMock) throw noMock(`What responds at ${baseUrl} is no mock.`)
  if (text === '') return undefined
  try {
    return JSON.parse(text, revived)
  } catch (cause) {
    throw noMock(`What responds at ${baseUrl} sent no JSON.`, cause)
  }
}

function noMock(message: string, cause?: unknown): MockError {
  return new MockError('unreachable', message, { cause })
}

function revived(_: string, value: unknown): unknown {
  const { $bytes } = Object(value) as { $bytes?: unknown }
  if (typeof $bytes === 'string') {
    return Uint8Array.from(atob($bytes), (letter) => letter.charCodeAt(0))
  }
  // The server adds a `$` to the keys `$bytes` of users.
  const isEscaped = /^\$\$+bytes$/
  if (!isObject(value) || !Object.keys(Object(value)).some((key) => isEscaped.test(key)))
    return value
  const entries = Object.entries(Object(value))
  return Object.fromEntries(
    entries.map(([key, field]) => [isEscaped.test(key) ? key.slice(1) : key, field]),
  )
}

interface Refused {
  detail?: unknown
  code?: unknown
}

/** What statuses mean that come without a code. */
const codes = new Map<number, MockErrorCode>([
  [401, 'not_admitted'],
  [403, 'not_admitted'],
  [413, 'invalid_option'],
  [422, 'invalid_option'],
  [500, 'defect'],
])

const errorCodes: Record<MockErrorCode, true> = {
  invalid_option: true,
  invalid_time: true,
  invalid_state: true,
  unknown_record: true,
  unknown_operation: true,
  illegal_transition: true,
  failed_event: true,
  foreign_snapshot: true,
  unused_faults: true,
  unsupported_effect: true,
  faked_microtasks: true,
  missing_package: true,
  unreachable: true,
  not_admitted: true,
  defect: true,
}

/** Another server, or a newer mock, may send codes that this version does not know. */
function isCode(code: unknown): code is MockErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

function errorOf(status: number, text: string): MockError {
  const { detail, code } = refusedOf(text)
  const known = isCode(code) ? code : codes.get(status)
  return new MockError(
    known ?? 'unreachable',
    messageOf(detail) ?? `Expected a mock to respond, but got status ${status}.`,
  )
}

function messageOf(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail
    .map((item) => {
      const { loc, msg } = Object(item) as { loc?: unknown; msg?: unknown }
      const place = [loc]
        .flat()
        .filter((part) => typeof part === 'string' || typeof part === 'number')
      return `${place.join('.')}: ${typeof msg === 'string' ? msg : 'invalid'}`
    })
    .join('; ')
}

/** Another server at the URL may send no JSON. */
function refusedOf(text: string): Refused {
  try {
    return Object(JSON.parse(text)) as Refused
  } catch {
    return {}
  }
}

function recordsOf(ask: Ask) {
  const orders = collection<LabOrder, LabOrderInput>(ask, '/orders')
  const appointments = collection<Appointment, AppointmentInput>(ask, '/appointments')
  return {
    users: collection<User, UserInput>(ask, '/users'),
    insurances: collection<UserInsurance, UserInsuranceInput>(ask, '/insurances'),
    connections: collection<Connection, ConnectionInput, [string, string]>(ask, '/connections'),
    orders: {
      ...orders,
      complete: async (id: string) =>
        told<LabOrder>(ask('POST', `${wayTo('/orders', [id])}/complete`)),
    },
    appointments: {
      ...appointments,
      transition: async (id: string, status: AppointmentStatus, changes?: Partial<Appointment>) => {
        const way = `${wayTo('/appointments', [id])}/transition`
        return told<Appointment>(ask('POST', way, { status, changes }))
      },
    },
    data: collection<HealthRow, HealthRowInput>(ask, '/data'),
    providers: collection<TeamProvider, Partial<TeamProvider>, [string]>(ask, '/providers'),
    payors: collection<Payor, Partial<Payor>, [string]>(ask, '/payors'),
    catalogue: {
      labs: collection<CatalogueLab, Partial<CatalogueLab>, [number]>(ask, '/catalogue/labs'),
      labTests: collection<CatalogueLabTest>(ask, '/catalogue/lab_tests'),
      markers: collection<CatalogueMarker, Partial<CatalogueMarker>, [number]>(
        ask,
        '/catalogue/markers',
      ),
      labAccounts: collection<LabAccount>(ask, '/catalogue/lab_accounts'),
    },
  }
}

/** The JSON object of a response; those of its fields that are named are lists of objects. */
async function told<T extends object>(response: Promise<unknown>, ...lists: string[]): Promise<T> {
  const value = await response
  if (!isObject(value)) throw noMock('Expected a mock to send a JSON object.')
  for (const name of lists) {
    // An object has fields.
    if (!isListOf((value as Record<string, unknown>)[name], isObject)) {
      throw noMock(`Expected a mock to send a list in ${name}.`)
    }
  }
  // A mock of this version sends what its team returned; JSON keeps it.
  return value as T
}

/** Returns a string in the JSON object of a response. */
async function stringIn(response: Promise<unknown>, name: string): Promise<string> {
  const value = (await told<Record<string, unknown>>(response))[name]
  if (typeof value === 'string') return value
  throw noMock(`Expected a mock to send a string in ${name}.`)
}

/** The list of a response. */
async function toldList<T>(response: Promise<unknown>, isItem = isObject): Promise<T[]> {
  const value = await response
  if (!isListOf(value, isItem)) throw noMock('Expected a mock to send a list.')
  return value as T[]
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isItem(item))
}

/**
 * The path to a record. Parsers of URLs take `.` and `..` away, escaped or not, and with them the request would go to
 * another endpoint.
 */
function wayTo(path: string, key: KeyParts): string {
  if (key.every(canBeSegment)) return [path, ...key.map(encodeURIComponent)].join('/')
  throw new MockError('unknown_record', `There is no record of this key in ${path}.`)
}

/** Callers without types may pass anything. */
function canBeSegment(part: unknown): boolean {
  if (typeof part !== 'string') return typeof part === 'number'
  return part.isWellFormed() && !['', '.', '..'].includes(part)
}

function collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]>(
  ask: Ask,
  path: string,
): RemoteCollection<T, Input, Key> {
  const list = async (where: Partial<T> = {}) => {
    const wanted = Object.entries(Object(where))
    // A query says text, numbers and booleans; whatever else is wanted is looked for here.
    const asked = wanted.filter(([, value]) => value !== null && typeof value !== 'object')
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
    const found = await toldList<T>(ask('GET', `${path}?${search}`))
    return found.filter((record) =>
      wanted.every(([name, value]) => (record as Record<string, unknown>)[name] === value),
    )
  }
  const get = (...key: Key) => orUndefined(async () => told<T>(ask('GET', wayTo(path, key))))
  return {
    create: (input) => told<T>(ask('POST', path, input ?? {})),
    get,
    has: async (...key) => (await get(...key)) !== undefined,
    list,
    update: async (...input) => {
      const key = input.slice(0, -1) as unknown as Key
      return told<T>(ask('PATCH', wayTo(path, key), input.at(-1)))
    },
    delete: async (...key) => {
      const deleted = async () => told<{ deleted: boolean }>(ask('DELETE', wayTo(path, key)))
      return (await orUndefined(deleted))?.deleted ?? false
    },
    size: async () => (await list()).length,
  }
}

async function orUndefined<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof MockError && error.code === 'unknown_record') return undefined
    throw error
  }
}

/** What happens in time, and what goes wrong. */
function workOf(ask: Ask) {
  return {
    bulkOps: {
      get: (id: string) =>
        orUndefined(async () => told<BulkImportOp>(ask('GET', wayTo('/bulk_ops', [id])))),
      list: () => toldList<BulkImportOp>(ask('GET', '/bulk_ops')),
      abort: async (id: string) =>
        told<BulkImportOp>(ask('POST', `${wayTo('/bulk_ops', [id])}/abort`)),
    },
    bookings: {
      next: async (outcome: BookingOutcome) => {
        await ask('POST', '/bookings/next', { ...outcome })
      },
      key: async (options?: { expiresIn?: TimeSpan }) => {
        const response = ask('POST', '/bookings/key', { expires_in: options?.expiresIn })
        return stringIn(response, 'booking_key')
      },
    },
    clock: clockOf(ask),
    faults: faultsOf(ask),
  }
}

/** An event as it is sent. */
interface SentEvent extends Omit<PendingEvent, 'at'> {
  at: string
}

function clockOf(ask: Ask): RemoteClock {
  const state = () =>
    told<{ now: string; mode: ClockMode; pending: SentEvent[] }>(ask('GET', '/clock'), 'pending')
  const eventOf = (event: SentEvent): PendingEvent => ({ ...event, at: new Date(event.at) })
  return {
    now: async () => new Date((await state()).now),
    mode: async () => (await state()).mode,
    setMode: async (mode) => void (await ask('PATCH', '/clock', { mode })),
    pending: async () => (await state()).pending.map(eventOf),
    advance: async (by) => void (await ask('POST', '/clock/advance', { by })),
    advanceTo: async (to) => void (await ask('POST', '/clock/advance_to', { to })),
    runToNext: async () => {
      const { event } = await told<{ event: SentEvent | null }>(ask('POST', '/clock/run_to_next'))
      return event ? eventOf(event) : undefined
    },
    whenWaiting: async (requests) => void (await ask('POST', '/clock/when_waiting', { requests })),
  }
}

/** A fault as it is sent. */
interface SentFault {
  id: number
  used: number
  fault: Fault
}

function faultsOf(ask: Ask): RemoteFaults {
  const sent = () => toldList<SentFault>(ask('GET', '/faults'))
  const faultOf = ({ id, fault }: SentFault): RemoteFault => ({
    id,
    fault,
    used: async () => (await sent()).find((added) => added.id === id)?.used ?? 0,
    remove: async () => void (await ask('DELETE', wayTo('/faults', [id]))),
  })
  const unused = async () =>
    (await sent()).filter(({ used }) => used === 0).map(({ fault }) => fault)
  return {
    add: async (fault) => faultOf(await told<SentFault>(ask('POST', '/faults', fault))),
    list: async () => (await sent()).map(faultOf),
    unused,
    assertAllUsed: async () => checkAllUsed(await unused()),
    clear: async () => void (await ask('DELETE', '/faults')),
  }
}

/** A request of the journal as it is sent. */
interface SentEntry extends Omit<JournalEntry, 'at'> {
  at: string
}

/** What has happened, and the team as a whole. */
function stateOf(ask: Ask) {
  const asked = async (search: Record<string, string>) => {
    const path = `/journal?${new URLSearchParams(search)}`
    return told<{ count: number; requests: SentEntry[] }>(ask('GET', path), 'requests')
  }
  const entryOf = (entry: SentEntry): JournalEntry => ({ ...entry, at: new Date(entry.at) })
  return {
    journal: {
      count: async () => (await asked({ last: '1' })).count,
      requests: async (on: OperationPattern = '*') => (await asked({ on })).requests.map(entryOf),
      last: async (on: OperationPattern = '*') =>
        (await asked({ on, last: '1' })).requests.map(entryOf)[0],
      lines: (on: OperationPattern = '*') =>
        toldList<string>(
          ask('GET', `/journal/lines?${new URLSearchParams({ on })}`),
          (line) => typeof line === 'string',
        ),
      har: () => told<Har>(ask('GET', '/journal/har')),
      clear: async () => void (await ask('DELETE', '/journal')),
    },
    settings: () => told<Settings>(ask('GET', '/settings')),
    configure: async (options: object) => void (await ask('PATCH', '/settings', options)),
    signIn: (token: string) => told<User>(ask('POST', '/sign_in', { sign_in_token: token })),
    snapshot: () => told<Snapshot>(ask('GET', '/snapshot')),
    restore: async (snapshot: Snapshot) => void (await ask('PUT', '/snapshot', snapshot)),
    reset: async () => void (await ask('POST', '/reset')),
    reproduction: () => stringIn(ask('GET', '/reproduction'), 'line'),
  }
}

/** An event or a delivery as it is sent. */
type Sent<T extends { at: Date }> = Omit<T, 'at'> & { at: string }

function dated<T extends { at: Date }>(sent: Sent<T>): T {
  // The rest is as it was sent.
  return { ...sent, at: new Date(sent.at) } as unknown as T
}

/** A webhook as it is sent. */
type SentWebhook = Pick<RemoteWebhook, 'id' | 'url' | 'secret' | 'types'> & { pending: number }

function eventsOf(ask: Ask): Pick<RemoteTeam, 'events' | 'webhooks' | 'trigger'> {
  const listed = async (type = '*') => {
    const path = `/events?${new URLSearchParams({ type })}`
    return told<{ count: number; events: Sent<EmittedEvent>[] }>(ask('GET', path), 'events')
  }
  return {
    events: {
      count: async () => (await listed('-')).count,
      list: async (type) => (await listed(type)).events.map(dated),
      last: async (type) => (await listed(type)).events.map(dated).at(-1),
      clear: async () => void (await ask('DELETE', '/events')),
    },
    webhooks: webhooksOf(ask),
    trigger: async (event_type, overrides) =>
      dated(await told<Sent<EmittedEvent>>(ask('POST', '/events', { event_type, overrides }))),
  }
}

function webhooksOf(ask: Ask): RemoteWebhooks {
  const list = () => toldList<SentWebhook>(ask('GET', '/webhooks'))
  const found = async (id: string) => (await list()).find((webhook) => webhook.id === id)
  const webhookOf = ({ id, url, secret, types }: SentWebhook): RemoteWebhook => {
    const way = () => wayTo('/webhooks', [id])
    return {
      id,
      url,
      secret,
      types,
      pending: async () => (await found(id))?.pending ?? 0,
      deliveries: async () =>
        (await toldList<Sent<Delivery>>(ask('GET', `${way()}/deliveries`))).map(dated),
      deadLetters: async () => toldList<DeadLetter>(ask('GET', `${way()}/dead_letters`)),
      redeliver: async (message) => void (await ask('POST', `${way()}/redeliver`, { message })),
    }
  }
  return {
    add: async (input) => webhookOf(await told<SentWebhook>(ask('POST', '/webhooks', input))),
    get: async (id) => {
      const webhook = await found(id)
      return webhook && webhookOf(webhook)
    },
    list: async () => (await list()).map(webhookOf),
    remove: async (id) => {
      const deleted = async () =>
        told<{ deleted: boolean }>(ask('DELETE', wayTo('/webhooks', [id])))
      return (await orUndefined(deleted))?.deleted ?? false
    },
    idle: async () => void (await ask('POST', '/webhooks/idle')),
  }
}
