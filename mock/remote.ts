import type { AppointmentStatus } from '../src/contract/known-values.ts'
import type { Appointment } from '../src/contract/orders.ts'
import type { AppointmentInput } from './appointments.ts'
import type { ClockMode, PendingEvent } from './clock.ts'
import type { KeyParts } from './collection.ts'
import type { BookingOutcome, Settings } from './defaults.ts'
import { checkAllUsed, MockError, type MockErrorCode } from './errors.ts'
import type { Fault } from './faults.ts'
import type { CatalogueLab, CatalogueLabTest, CatalogueMarker } from './generate/catalogue.ts'
import type { Har } from './har.ts'
import type { BulkImportOp } from './imports.ts'
import type { JournalEntry } from './journal.ts'
import type { OperationPattern } from './operations.ts'
import type { EmittedEvent } from './outbox.ts'
import type { DeadLetter, Delivery } from './receiver.ts'
import type { HealthRow, HealthRowInput } from './records/health.ts'
import type { UserInsurance, UserInsuranceInput } from './records/insurance.ts'
import type { LabAccount } from './records/lab-tests.ts'
import type { Connection, ConnectionInput, Payor, TeamProvider } from './records/link.ts'
import type { LabOrder, LabOrderInput } from './records/orders.ts'
import type { User, UserInput } from './records/users.ts'
import type {
  RemoteClock,
  RemoteCollection,
  RemoteFault,
  RemoteFaults,
  RemoteTeam,
  RemoteWebhook,
  RemoteWebhooks,
} from './remote-team.ts'
import type { Snapshot } from './snapshot.ts'
import type { TimeSpan } from './time.ts'

export type {
  RemoteBookings,
  RemoteBulkOps,
  RemoteClock,
  RemoteCollection,
  RemoteEvents,
  RemoteFault,
  RemoteFaults,
  RemoteJournal,
  RemoteTeam,
  RemoteWebhook,
  RemoteWebhooks,
} from './remote-team.ts'

/** How a served mock is reached. */
export interface ConnectOptions {
  /** The server's control token, if it has one. */
  token?: string
}

/** Asks the control API, and gives the JSON of its answer. */
type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

/**
 * The team of an API key in a mock that `health-lab-sdk mock` or `serve` serves, for tests in another process.
 *
 * Every method rejects with a `MockError`: with the codes of `Team`'s methods, `unreachable` when nothing
 * answers at the URL, and `not_admitted` when the key, the token or the machine is refused.
 *
 * @example
 * const team = connectMock('http://127.0.0.1:4010', 'checkout-suite')
 * const client = new ServiceClient(team.connection())
 * await team.bookings.next({ outcome: 'fail' })
 */
export function connectMock(
  url: string,
  apiKey: string,
  { token }: ConnectOptions = {},
): RemoteTeam {
  const baseUrl = url.replace(/\/+$/, '')
  const headers = { 'x-service-api-key': apiKey, ...(token ? { 'x-mock-token': token } : {}) }
  const ask: Ask = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = new Request(`${baseUrl}/__mock__/api${path}`, { method, headers, ...sent })
    return answerOf(await responseTo(request, baseUrl), baseUrl)
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

async function responseTo(request: Request, baseUrl: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (cause) {
    const message = `No mock answers at ${baseUrl}. Start one: npx health-lab-sdk mock`
    throw new MockError('unreachable', message, { cause })
  }
}

async function answerOf(response: Response, baseUrl: string): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw errorOf(response.status, text)
  // Whatever else listens there may answer anything.
  if (!response.headers.has('x-request-id')) {
    throw new MockError('unreachable', `What answers at ${baseUrl} is no mock.`)
  }
  return text === '' ? undefined : JSON.parse(text, revived)
}

function revived(_: string, value: unknown): unknown {
  const { $bytes } = Object(value) as { $bytes?: unknown }
  if (typeof $bytes !== 'string') return value
  return Uint8Array.from(atob($bytes), (letter) => letter.charCodeAt(0))
}

interface Refused {
  detail?: string | { loc: (string | number)[]; msg: string }[]
  code?: MockErrorCode
}

/** What statuses mean that come without a code. */
const codes: Record<number, MockErrorCode> = {
  401: 'not_admitted',
  403: 'not_admitted',
  422: 'invalid_option',
  500: 'defect',
}

function errorOf(status: number, text: string): MockError {
  const { detail, code } = refusedOf(text)
  const message = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    : (detail ?? `Expected a mock to answer, but got status ${status}.`)
  if (code) return new MockError(code, message)
  return new MockError(codes[status] ?? 'unreachable', message)
}

/** Whatever else listens there may answer no JSON. */
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
      complete: (id: string) => told<LabOrder>(ask('POST', `${wayTo('/orders', [id])}/complete`)),
    },
    appointments: {
      ...appointments,
      transition: (id: string, status: AppointmentStatus, changes?: Partial<Appointment>) => {
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

/** What the control API answers is what the team it speaks for gave; JSON keeps it. */
function told<T>(answer: Promise<unknown>): Promise<T> {
  return answer as Promise<T>
}

function wayTo(path: string, key: KeyParts): string {
  return [path, ...key.map(encodeURIComponent)].join('/')
}

function collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]>(
  ask: Ask,
  path: string,
): RemoteCollection<T, Input, Key> {
  const list = async (where: Partial<T> = {}) => {
    const wanted = Object.entries(where)
    // A query says text, numbers and booleans; whatever else is wanted is looked for here.
    const asked = wanted.filter(([, value]) => value !== null && typeof value !== 'object')
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
    const found = await told<T[]>(ask('GET', `${path}?${search}`))
    return found.filter((record) =>
      wanted.every(([name, value]) => (record as Record<string, unknown>)[name] === value),
    )
  }
  const get = (...key: Key) => orUndefined(told<T>(ask('GET', wayTo(path, key))))
  return {
    create: (input) => told<T>(ask('POST', path, input ?? {})),
    get,
    has: async (...key) => (await get(...key)) !== undefined,
    list,
    update: (...input) => {
      const key = input.slice(0, -1) as unknown as Key
      return told<T>(ask('PATCH', wayTo(path, key), input.at(-1)))
    },
    delete: async (...key) => {
      const { deleted } = await told<{ deleted: boolean }>(ask('DELETE', wayTo(path, key)))
      return deleted
    },
    size: async () => (await list()).length,
  }
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof MockError && error.code === 'unknown_record') return undefined
    throw error
  }
}

/** What happens in time, and what goes wrong. */
function workOf(ask: Ask) {
  return {
    bulkOps: {
      get: (id: string) => orUndefined(told<BulkImportOp>(ask('GET', wayTo('/bulk_ops', [id])))),
      list: () => told<BulkImportOp[]>(ask('GET', '/bulk_ops')),
      abort: (id: string) => told<BulkImportOp>(ask('POST', `${wayTo('/bulk_ops', [id])}/abort`)),
    },
    bookings: {
      next: async ({ outcome, after }: BookingOutcome) => {
        await ask('POST', '/bookings/next', { outcome, after })
      },
      key: async ({ expiresIn }: { expiresIn?: TimeSpan } = {}) => {
        const answer = ask('POST', '/bookings/key', { expires_in: expiresIn })
        return (await told<{ booking_key: string }>(answer)).booking_key
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
    told<{ now: string; mode: ClockMode; pending: SentEvent[] }>(ask('GET', '/clock'))
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
  const sent = () => told<SentFault[]>(ask('GET', '/faults'))
  const faultOf = ({ id, fault }: SentFault): RemoteFault => ({
    id,
    fault,
    used: async () => (await sent()).find((added) => added.id === id)?.used ?? 0,
    remove: async () => void (await ask('DELETE', `/faults/${id}`)),
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
    return told<{ count: number; requests: SentEntry[] }>(ask('GET', path))
  }
  const entryOf = (entry: SentEntry): JournalEntry => ({ ...entry, at: new Date(entry.at) })
  return {
    journal: {
      count: async () => (await asked({ last: '1' })).count,
      requests: async (on: OperationPattern = '*') => (await asked({ on })).requests.map(entryOf),
      last: async (on: OperationPattern = '*') =>
        (await asked({ on, last: '1' })).requests.map(entryOf)[0],
      lines: (on: OperationPattern = '*') =>
        told<string[]>(ask('GET', `/journal/lines?${new URLSearchParams({ on })}`)),
      har: () => told<Har>(ask('GET', '/journal/har')),
      clear: async () => void (await ask('DELETE', '/journal')),
    },
    settings: () => told<Settings>(ask('GET', '/settings')),
    configure: async (options: object) => void (await ask('PATCH', '/settings', options)),
    signIn: (token: string) => told<User>(ask('POST', '/sign_in', { sign_in_token: token })),
    snapshot: () => told<Snapshot>(ask('GET', '/snapshot')),
    restore: async (snapshot: Snapshot) => void (await ask('PUT', '/snapshot', snapshot)),
    reset: async () => void (await ask('POST', '/reset')),
    reproduction: async () => (await told<{ line: string }>(ask('GET', '/reproduction'))).line,
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
    return told<{ count: number; events: Sent<EmittedEvent>[] }>(ask('GET', path))
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
  const list = () => told<SentWebhook[]>(ask('GET', '/webhooks'))
  const found = async (id: string) => (await list()).find((webhook) => webhook.id === id)
  const webhookOf = ({ id, url, secret, types }: SentWebhook): RemoteWebhook => {
    const way = wayTo('/webhooks', [id])
    return {
      id,
      url,
      secret,
      types,
      pending: async () => (await found(id))?.pending ?? 0,
      deliveries: async () =>
        (await told<Sent<Delivery>[]>(ask('GET', `${way}/deliveries`))).map(dated),
      deadLetters: () => told<DeadLetter[]>(ask('GET', `${way}/dead_letters`)),
      redeliver: async (message) => void (await ask('POST', `${way}/redeliver`, { message })),
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
      const answer = ask('DELETE', wayTo('/webhooks', [id]))
      return (await told<{ deleted: boolean }>(answer)).deleted
    },
    idle: async () => void (await ask('POST', '/webhooks/idle')),
  }
}
