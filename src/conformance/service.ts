import type { OperationId } from '../contract/operations.ts'
import { ExpectationError, NotApplicable } from './assertions.ts'
import {
  fetchResponse,
  type RequestFields,
  type ServiceTarget,
  sendRequest,
  withoutKey,
} from './http.ts'
import { type ReadResponse, type ServiceOperation, serviceOperations } from './operations.ts'
import {
  type AddedLab,
  type BookingScenario,
  type HealthDataRow,
  type LabOffer,
  type Need,
  needs,
  type Setup,
  type StoredConnection,
  type TeamSettings,
} from './setup.ts'
import { fieldOf } from './shape.ts'

/** The providers that cases connect users to or import connections from. */
const casesConnect = ['oura', 'fitbit', 'garmin', 'manual'].concat(
  'apple_health_kit',
  'health_connect',
  'samsung_health',
)
/** After this many consecutive unusable users, no more users are requested from the setup. */
const mostAttempts = 20

/** The service under test, with the functions that its setup offers. */
export class TestedService {
  readonly #connection: ServiceTarget
  readonly #setup: Setup
  readonly #judgesAssumptions: boolean
  /** The number of consecutive users whose connections could not be deleted. */
  #unusable = 0
  /** The connections that each user had before the cases, keyed by user id. */
  readonly #earlier = new Map<string, readonly StoredConnection[]>()

  constructor(connection: ServiceTarget, setup: Setup, judgesAssumptions = false) {
    this.#connection = connection
    this.#setup = setup
    this.#judgesAssumptions = judgesAssumptions
  }

  /**
   * Checks an assumption that the case needs and that the specification leaves open. If the condition is false, the
   * case is skipped, or fails if the run checks assumptions.
   *
   * @param assumption A sentence, such as `GET /v3/lab_test lists lab tests in data`.
   */
  presume(condition: boolean, assumption: string): asserts condition {
    if (condition) return
    if (!this.#judgesAssumptions) throw new NotApplicable(`it assumes that ${assumption}`)
    throw new ExpectationError(`Expected that ${assumption}, but this does not hold.`)
  }

  get apiKey(): string {
    return this.#connection.apiKey
  }

  /** Whether the service creates a team for every unknown key. */
  get acceptsAnyKey(): boolean {
    return this.#setup.openKeys ?? false
  }

  offers(name: Need): boolean {
    return this.#setup[name] !== undefined
  }

  /** Calls an operation by its id, or sends a request with any method and path. */
  call(
    operation: OperationId | ServiceOperation,
    request: RequestFields = {},
  ): Promise<ReadResponse> {
    const { method, path } =
      typeof operation === 'string' ? serviceOperations[operation] : operation
    const { params = {} } = request
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const sent = { method, path: filled, operation: `${method} ${path}` }
    return sendRequest(this.#connection, sent, request)
  }

  send(method: string, path: string): Promise<ReadResponse> {
    return sendRequest(this.#connection, { method, path, operation: `${method} ${path}` })
  }

  /** Opens a URL from a response, without the API key. */
  open(url: string, operation: string): Promise<ReadResponse> {
    return fetchResponse(this.#connection, operation, url)
  }

  /** Returns the same service, but called with the given headers instead of the API key. */
  withoutKey(headers: Record<string, string> = {}): TestedService {
    return this.#with(withoutKey(this.#connection, headers), this.#setup)
  }

  async team(like: TeamSettings): Promise<TestedService> {
    const { apiKey, setup } = await this.#offered('team')(like)
    return this.#with({ ...this.#connection, apiKey }, setup)
  }

  /** @throws {NotApplicable} when the service accepts any key. */
  requireStrictKeys(): void {
    if (this.acceptsAnyKey) throw new NotApplicable('the service accepts any API key')
  }

  /**
   * Returns the id of a user without connections to the providers that the cases use. The user may have health data.
   *
   * @throws {NotApplicable} when the setup has no such user.
   */
  async user(): Promise<string> {
    for (; this.#unusable < mostAttempts; this.#unusable += 1) {
      const id = await this.#offered('user')()
      const connections = await this.#disconnect(id)
      this.#earlier.set(id, connections)
      if (connections.some(({ provider }) => casesConnect.includes(provider))) continue
      this.#unusable = 0
      return id
    }
    throw new NotApplicable("the setup's users are already connected to the cases' providers")
  }

  /**
   * Deletes a user's connections. Returns those that cannot be deleted, such as connections to a phone's health
   * platform.
   */
  async #disconnect(user_id: string): Promise<readonly StoredConnection[]> {
    if (!this.offers('connections')) return []
    const connections = await this.#offered('connections')(user_id)
    for (const { provider } of connections) {
      await this.call('link.deleteConnection', { params: { user_id, provider } })
    }
    return connections.length === 0 ? [] : this.#offered('connections')(user_id)
  }

  /** Returns the ids of all users that cases have received, in lower case. */
  userIds(): ReadonlySet<string> {
    return new Set([...this.#earlier.keys()].map((id) => id.toLowerCase()))
  }

  async userInfo(userId: string): Promise<unknown> {
    return this.#offered('userInfo')(userId)
  }

  async insurances(userId: string): Promise<readonly unknown[]> {
    return this.#offered('insurances')(userId)
  }

  /** Returns a user's connections, except those that existed before the case. */
  async connections(userId: string): Promise<readonly StoredConnection[]> {
    const connections = await this.#offered('connections')(userId)
    const earlier = (this.#earlier.get(userId) ?? []).map(({ provider }) => provider)
    return connections.filter(({ provider }) => !earlier.includes(provider))
  }

  /** Returns the setup's payor codes, or two default codes. */
  async payorCodes(): Promise<readonly string[]> {
    return this.offers('payorCodes') ? this.#offered('payorCodes')() : ['UNLISTED', 'UNLISTED2']
  }

  async sourceTypes(): Promise<Readonly<Record<string, readonly string[]>>> {
    return this.#offered('sourceTypes')()
  }

  async unimportableUser(): Promise<string> {
    return this.#offered('unimportableUser')()
  }

  /** Returns the service's time in milliseconds. */
  async now(): Promise<number> {
    return Date.parse(await this.#offered('now')())
  }

  async signIn(token: string): Promise<string> {
    return this.#offered('signIn')(token)
  }

  async addHealthData(userId: string, rows: readonly HealthDataRow[]): Promise<void> {
    await this.#offered('addHealthData')(userId, rows)
  }

  async order(userId?: string): Promise<string> {
    return this.#offered('order')(userId)
  }

  async completedOrder(): Promise<unknown> {
    return this.#offered('completedOrder')()
  }

  async events(): Promise<readonly unknown[]> {
    return this.#offered('events')()
  }

  async bookingKey(ending: BookingScenario): Promise<string> {
    return this.#offered('bookingKey')(ending)
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#offered('advance')(milliseconds)
  }

  async connect(userId: string, provider: string): Promise<void> {
    await this.#offered('connect')(userId, provider)
  }

  async lab(offer: LabOffer): Promise<AddedLab> {
    return this.#offered('lab')(offer)
  }

  async labAccount(labs: 'all' | 'none' | readonly number[]): Promise<string> {
    return this.#offered('labAccount')(labs)
  }

  async trigger(type: string, userId: string): Promise<void> {
    await this.#offered('trigger')(type, userId)
  }

  /**
   * Returns the id of the lab test with the most markers. Assumes that the response contains the lab tests in `data`.
   */
  async labTest(): Promise<string> {
    const response = await this.send('GET', '/v3/lab_test')
    this.presume(response.status === 200, 'GET /v3/lab_test lists the lab tests in data')
    const [first] = labTestsOf(response).toSorted((one, other) => other.markers - one.markers)
    if (!first || first.markers < 2) {
      throw new NotApplicable('the service lists no lab test with several markers')
    }
    return first.id
  }

  #with(connection: ServiceTarget, setup: Setup): TestedService {
    return new TestedService(connection, setup, this.#judgesAssumptions)
  }

  #offered<Name extends Need>(name: Name): NonNullable<Setup[Name]> {
    const offer = this.#setup[name]
    if (!offer) throw new NotApplicable(`the setup does not offer ${needs[name]}`)
    // Bind the function, because it may be a method that uses `this`.
    return offer.bind(this.#setup) as NonNullable<Setup[Name]>
  }
}

function labTestsOf({ json }: ReadResponse): { id: string; markers: number }[] {
  const tests = fieldOf(json, 'data')
  return (Array.isArray(tests) ? tests : []).map((test) => {
    const markers = fieldOf(test, 'markers')
    return { id: String(fieldOf(test, 'id')), markers: Array.isArray(markers) ? markers.length : 0 }
  })
}
