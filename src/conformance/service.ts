import type { OperationId } from '../contract/operations.ts'
import { isKeyOf } from '../shared/narrow.ts'
import { assertRejected, assertSuccess, ExpectationError, NotApplicable } from './assertions.ts'
import {
  fetchResponse,
  type RequestFields,
  type ServiceTarget,
  sendRequest,
  withoutKey,
} from './http.ts'
import { type ReadResponse, type Route, serviceOperations } from './operations.ts'
import { type Need, needs, type Setup, type StoredConnection, type TeamSettings } from './setup.ts'
import { fieldOf } from './shape.ts'

/** The providers that most cases use to connect users and to import connections. */
const casesConnect = [
  ...['oura', 'fitbit', 'garmin', 'manual'],
  ...['apple_health_kit', 'health_connect', 'samsung_health'],
]
/** The number of consecutive unusable users after which the suite stops requesting users from the setup. */
const mostAttempts = 20

export class TestedService {
  /**
   * The setup's functions. Reading a missing function throws {@link NotApplicable}. If this class has a method for the
   * same purpose, use that method instead.
   */
  readonly setup: Required<Omit<Setup, 'openKeys'>>
  readonly #connection: ServiceTarget
  readonly #setup: Setup
  readonly #judgesAssumptions: boolean
  /** The number of consecutive unusable users: those still connected to a provider that the cases use. */
  #unusable = 0
  /** The connections that each user still had when a case received the user, keyed by user id. */
  readonly #earlier = new Map<string, readonly StoredConnection[]>()

  constructor(connection: ServiceTarget, setup: Setup, judgesAssumptions = false) {
    this.#connection = connection
    this.#setup = setup
    this.setup = requireFunctions(setup)
    this.#judgesAssumptions = judgesAssumptions
  }

  /**
   * Checks a case's assumption about something that the specification leaves open. If the condition is false, the case
   * fails in a run that checks assumptions, and is skipped in other runs.
   *
   * @param assumption Completes `the case assumes that …`, such as `GET /v3/lab_test lists lab tests in data`.
   */
  presume(condition: boolean, assumption: string): asserts condition {
    if (condition) return
    if (!this.#judgesAssumptions) throw new NotApplicable(`the case assumes that ${assumption}`)
    throw new ExpectationError(
      `Expected the service to match the assumption that ${assumption}, but found different behaviour.`,
    )
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

  call(operation: OperationId | Route, request: RequestFields = {}): Promise<ReadResponse> {
    const route = isKeyOf(serviceOperations, operation) ? serviceOperations[operation] : operation
    return sendRequest(this.#connection, route, request)
  }

  /** @throws {ExpectationError} when the service does not return a success status. */
  async read(operation: OperationId, request?: RequestFields): Promise<unknown> {
    return assertSuccess(await this.call(operation, request)).json
  }

  /** @param input The invalid input, worded to follow `to reject` in messages. */
  async reject(
    operation: OperationId | Route,
    request: RequestFields,
    input: string,
  ): Promise<void> {
    assertRejected(await this.call(operation, request), input)
  }

  /** Requests a URL without sending the API key. */
  open(url: string, operation: string): Promise<ReadResponse> {
    return fetchResponse(this.#connection, operation, url)
  }

  withoutKey(headers: Record<string, string> = {}): TestedService {
    return this.#with(withoutKey(this.#connection, headers), this.#setup)
  }

  async team(like: TeamSettings): Promise<TestedService> {
    const { apiKey, setup } = await this.setup.team(like)
    return this.#with({ ...this.#connection, apiKey }, setup)
  }

  requireStrictKeys(): void {
    if (this.acceptsAnyKey) throw new NotApplicable('the service accepts any API key')
  }

  /**
   * Returns the id of a user without connections to the providers that the cases use. The user may have health data.
   *
   * @throws {NotApplicable} when the setup provides no such user.
   */
  async user(): Promise<string> {
    for (; this.#unusable < mostAttempts; this.#unusable += 1) {
      const id = await this.setup.user()
      const connections = await this.#disconnect(id)
      this.#earlier.set(id, connections)
      if (connections.some(({ provider }) => casesConnect.includes(provider))) continue
      this.#unusable = 0
      return id
    }
    throw new NotApplicable(
      "the setup's users are already connected to the providers that the cases use",
    )
  }

  /** Deletes a user's connections. Returns the remaining connections, such as those to a phone's health platform. */
  async #disconnect(user_id: string): Promise<readonly StoredConnection[]> {
    if (!this.offers('connections')) return []
    const connections = await this.setup.connections(user_id)
    for (const { provider } of connections) {
      await this.call('link.deleteConnection', { params: { user_id, provider } })
    }
    return connections.length === 0 ? [] : this.setup.connections(user_id)
  }

  /** Returns the ids of all users that the setup has provided, in lower case. */
  userIds(): ReadonlySet<string> {
    return new Set([...this.#earlier.keys()].map((id) => id.toLowerCase()))
  }

  /** Returns a user's connections, except those that existed before the case. */
  async connections(userId: string): Promise<readonly StoredConnection[]> {
    const connections = await this.setup.connections(userId)
    const earlier = (this.#earlier.get(userId) ?? []).map(({ provider }) => provider)
    return connections.filter(({ provider }) => !earlier.includes(provider))
  }

  async payorCodes(): Promise<readonly string[]> {
    return this.offers('payorCodes') ? this.setup.payorCodes() : ['UNLISTED', 'UNLISTED2']
  }

  /** Returns the service's time as a Unix timestamp in milliseconds. */
  async now(): Promise<number> {
    return Date.parse(await this.setup.now())
  }

  /**
   * Returns the id of the lab test with the most markers. Assumes that the response contains the lab tests in `data`.
   */
  async labTest(): Promise<string> {
    const response = await this.call('labTests.list')
    this.presume(response.status === 200, 'GET /v3/lab_test lists the lab tests in data')
    const [first] = labTestsOf(response).toSorted((one, other) => other.markers - one.markers)
    if (!first || first.markers < 2) {
      throw new NotApplicable('the service lists no lab test with at least two markers')
    }
    return first.id
  }

  #with(connection: ServiceTarget, setup: Setup): TestedService {
    return new TestedService(connection, setup, this.#judgesAssumptions)
  }
}

function requireFunctions(setup: Setup): TestedService['setup'] {
  const steps = new Proxy(setup, {
    get(_, name: Need) {
      const offer = setup[name]
      if (!offer) throw new NotApplicable(`the setup does not provide ${needs[name]}`)
      // Bind the function, because it may be a method that uses `this`.
      return offer.bind(setup)
    },
  })
  // The proxy provides every function.
  return steps as TestedService['setup']
}

function labTestsOf({ json }: ReadResponse): { id: string; markers: number }[] {
  const tests = fieldOf(json, 'data')
  return (Array.isArray(tests) ? tests : []).map((test) => {
    const markers = fieldOf(test, 'markers')
    return { id: String(fieldOf(test, 'id')), markers: Array.isArray(markers) ? markers.length : 0 }
  })
}
