import type { KnownEventType } from '../src/contract/events.ts'
import type { OperationId } from '../src/contract/operations.ts'
import { present } from '../src/shared/narrow.ts'
import { toLiteral } from '../src/shared/own-fields.ts'
import { summarizeTeam } from './diagnostics/summary.ts'
import type { DeliveryInterceptor } from './events/delivery/deliveries.ts'
import type { Webhooks } from './events/delivery/webhooks.ts'
import type { EmittedEvent, Outbox } from './events/outbox.ts'
import { type EventOverrides, makeEvent, type TriggerOptions } from './events/trigger.ts'
import type { Faults } from './faults/faults.ts'
import type { Fixture } from './fixtures/fixture.ts'
import type { SeededRecords } from './fixtures/seed.ts'
import type { Journal } from './http/journal/journal.ts'
import type { Override } from './http/overrides.ts'
import { type TruthRow, truthOf } from './living/events/truth.ts'
import { runAtOnce } from './shared/slices.ts'
import { captureTeam, type Reproduction } from './snapshot/reproduction.ts'
import { resetWorld, restoreSnapshot } from './snapshot/restore.ts'
import { type Snapshot, takeSnapshot } from './snapshot/snapshot.ts'
import type { Appointments } from './state/bookings/appointments.ts'
import type { Bookings } from './state/bookings/bookings.ts'
import type { TeamClock } from './state/clock/clock.ts'
import { type ConnectionClock, connectionClock } from './state/clock/connection-clock.ts'
import type { DueEvent } from './state/clock/due-queue.ts'
import type { Orders } from './state/collections/orders.ts'
import type { Settings, TeamOptions } from './state/defaults.ts'
import type { HealthData } from './state/health/health.ts'
import type { Identity } from './state/identity.ts'
import type { Imports } from './state/imports.ts'
import type { User } from './state/records/users.ts'
import { changeSettings } from './state/settings.ts'
import { findSignedInUser } from './state/sign-in.ts'
import { TeamState } from './state/team-state.ts'

/** The client options that connect to a team: `new ServiceClient(team.connection())`. */
export interface TeamConnection {
  /** The team's API key. */
  apiKey: string
  /** The mock's base URL. */
  baseUrl: string
  /** Replaces the platform's `fetch`. */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
  /** Whether error messages include the mock's explanations. This is safe because the data is generated. */
  exposeDetail: boolean
  /** The team's virtual clock, which the client uses for retries, timeouts and deadlines. */
  clock: ConnectionClock
}

/** The values that a mock passes to its teams. */
export interface TeamFacts {
  identity: Identity
  /** The team's initial settings. */
  settings: Settings
  connection: Omit<TeamConnection, 'clock'>
  seed: string
  /** Adds the team's initial records. */
  prepare: (state: TeamState) => void
}

/**
 * A team in the mock. Its API key, records, time, faults and journal are not shared with other teams. Its state is
 * created on first use.
 */
export class Team {
  /** The team's API key. */
  readonly apiKey: string
  readonly #facts: TeamFacts
  #state: TeamState | undefined
  #clock: ConnectionClock | undefined
  /** The number of requests to the mock server that are in progress. */
  #requests = 0

  constructor(facts: TeamFacts) {
    this.#facts = facts
    this.apiKey = facts.connection.apiKey
  }

  /** @internal */
  get state(): TeamState {
    this.#state ??= this.#start()
    return this.#state
  }

  /** @internal */
  get isUsed(): boolean {
    return this.#state !== undefined
  }

  /**
   * Whether one of the team's requests is in progress.
   *
   * @internal
   */
  get isBusy(): boolean {
    return this.#requests > 0 || (this.isUsed && this.state.clock.isBusy)
  }

  /**
   * Runs a request to the mock server or its control API, and tracks it as in progress.
   *
   * @internal
   */
  async runRequest<T>(run: () => Promise<T>): Promise<T> {
    this.#requests += 1
    try {
      return await run()
    } finally {
      this.#requests -= 1
    }
  }

  /**
   * The team's number in its mock, starting at 1.
   *
   * @internal
   */
  get ordinal(): number {
    return this.#facts.identity.ordinal
  }

  /** The users, keyed by `user_id`. */
  get users(): TeamState['users'] {
    return this.state.users
  }

  /** Users' insurance records. */
  get insurances(): TeamState['insurances'] {
    return this.state.insurances
  }

  /** Users' connections to providers. */
  get connections(): TeamState['connections'] {
    return this.state.connections
  }

  /** The lab orders, keyed by `id` (specification 4.12). */
  get orders(): Orders {
    return this.state.orders
  }

  /** The phlebotomy appointments, keyed by `id` (specification 4.8). */
  get appointments(): Appointments {
    return this.state.appointments
  }

  /** Labs, lab tests, markers and lab accounts. */
  get catalogue(): TeamState['catalogue'] {
    return this.state.catalogue
  }

  /** The data providers, keyed by slug (specification 4.9). */
  get providers(): TeamState['providers'] {
    return this.state.providers
  }

  /** The insurance companies, keyed by payor code (specification 4.1). */
  get payors(): TeamState['payors'] {
    return this.state.payors
  }

  /** Rows of health data for aggregate queries and summaries. */
  get data(): Pick<HealthData, 'create' | 'get' | 'has' | 'list' | 'update' | 'delete' | 'size'> {
    return this.state.data
  }

  /** All bulk imports, including finished ones. */
  get bulkOps(): Pick<Imports, 'get' | 'list' | 'abort'> {
    return this.state.imports
  }

  /** The booking keys and outcomes. */
  get bookings(): Pick<Bookings, 'key' | 'next'> {
    return this.state.bookings
  }

  /** The team's virtual time and scheduled events. */
  get clock(): Pick<
    TeamClock,
    'now' | 'mode' | 'pending' | 'advance' | 'advanceTo' | 'runToNext' | 'whenWaiting'
  > {
    return this.state.clock
  }

  /** The events sent to the team, in order (specification part 6). */
  get events(): Pick<Outbox, 'count' | 'list' | 'last' | 'clear'> {
    return this.state.outbox
  }

  /** The event receivers. */
  get webhooks(): Pick<Webhooks, 'add' | 'get' | 'list' | 'remove' | 'idle'> {
    return this.state.webhooks
  }

  /** The injected faults, in insertion order. */
  get faults(): Pick<Faults, 'add' | 'list' | 'unused' | 'assertAllUsed' | 'clear'> {
    return this.state.faults
  }

  /** The team's requests, with their responses and effects. */
  get journal(): Pick<Journal, 'count' | 'requests' | 'last' | 'lines' | 'har' | 'clear'> {
    return this.state.journal
  }

  /** Returns the client options for this team. */
  connection(): TeamConnection {
    this.#clock ??= connectionClock(this.state.clock)
    return { ...this.#facts.connection, clock: this.#clock }
  }

  /** The team's frozen settings. Change them with {@link Team.configure}. */
  get settings(): Readonly<Settings> {
    return this.state.settings
  }

  /**
   * The number of changes to the team's records so far.
   *
   * @internal
   */
  get changes(): number {
    return this.isUsed ? this.state.changes : 0
  }

  /** @internal Sets the functions that deliver events and choose which of several simultaneous due events runs next. */
  intercept(deliver: DeliveryInterceptor, choose: (tied: readonly DueEvent[]) => number): void {
    this.state.interceptDelivery = deliver
    this.state.clock.chooseDue(choose)
  }

  /**
   * Changes the team's settings.
   *
   * @throws {MockError} `invalid_option` for an unknown option, an invalid value, or a new value of `now`, `clock` or
   * `timeZone`; `invalid_time` for an invalid time span.
   */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock' | 'timeZone'>): void {
    // Data that has already arrived keeps the format of the old settings.
    this.state.arrivals.catchUp()
    const before = this.state.settings
    this.state.settings = changeSettings(before, options)
    this.state.living.handleSettings(before)
  }

  /**
   * Rewrites an operation's successful responses. The function receives the frozen response and returns the fields to
   * replace. To simulate failures, use {@link Team.faults}.
   *
   * @param operation The operation's id, such as `orders.create`.
   * @returns A function that removes the override.
   * @throws {MockError} `unknown_operation` if no operation has this id.
   * @example
   * team.override('orders.getPhlebotomyAppointment', ({ body }) => ({ body: { ...body, status: 'postponed' } }))
   */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.state.overrides.add(operation, override)
  }

  /**
   * Signs a user in with a token, as a mobile SDK does (specification 4.7).
   *
   * @throws {MockError} `invalid_state` if the token is malformed or expired, or its user is unknown.
   */
  signIn(token: string): User {
    return findSignedInUser(token, this)
  }

  /**
   * Sends an event (specification part 6). Omitted fields are generated, and referenced records are created. An event
   * of an unknown type contains only the given fields.
   *
   * @param overrides The fields to set. An object in `data` replaces only the generated fields that it contains.
   * @param type The event type, such as `daily.data.sleep.created`.
   * @throws {MockError} `invalid_option` for an unknown type without `options.unknown`, or `unknown_record` for an
   * unknown user.
   * @example
   * team.trigger('daily.data.sleep.created', { user_id })
   */
  trigger(
    type: KnownEventType | (string & {}),
    overrides: EventOverrides = {},
    options: TriggerOptions = {},
  ): EmittedEvent {
    const world = this.state
    world.outbox.emit({ kind: 'event', body: makeEvent(type, overrides, options, world) })
    // The line above emitted the event.
    return present(world.outbox.at(world.outbox.count))
  }

  /**
   * Creates all of a fixture's records, for example from a JSON file, or none if the call rejects. Omitted fields are
   * generated. Seeding sends no events, but living users' data and events then start to arrive.
   *
   * @returns The created and changed records, by collection and in fixture order.
   * @throws {MockError} `invalid_option`, `invalid_state` or `invalid_time` for an invalid fixture. The message states
   * where and why.
   * @example
   * const { users } = await team.seed({ users: [{ info: { first_name: 'Jane' } }] })
   */
  async seed(fixture: Fixture): Promise<SeededRecords> {
    // Most tests have no fixture, so load the module on demand.
    const { seedTeam } = await import('./fixtures/seed.ts')
    return seedTeam(this.state, fixture)
  }

  /**
   * Returns the rows that a consumer should have stored for a user after receiving every event exactly once, in any
   * order. The rows are the latest versions of summaries, sleep cycles and samples, with the same fields as the items
   * in events.
   *
   * @param resource The resource of the rows, such as `workouts` or `heartrate`. Default: all.
   * @param userId The user's `user_id`.
   * @throws {MockError} `unknown_record` if the team does not have this user and never sent data about the user, or
   * `invalid_option` for an unknown resource.
   * @example
   * const workouts = team.truth(user_id, 'workouts')
   */
  truth(userId: string, resource?: string): TruthRow[] {
    return runAtOnce(truthOf(userId, resource, this.state))
  }

  /**
   * Returns the team's state as plain JSON: records, time, events, webhooks and scheduled events. The snapshot omits
   * faults, overrides, the journal and webhook handlers.
   *
   * @throws {MockError} `invalid_state` if a record contains a cycle or a BigInt.
   */
  snapshot(): Snapshot {
    return takeSnapshot(this.state)
  }

  /**
   * Restores a snapshot of this or another team completely, or not at all if the call throws. Pending requests fail,
   * and any clock advance in progress stops.
   *
   * @throws {MockError} `invalid_snapshot` for an invalid or incompatible snapshot, or `invalid_state` inside one of
   * the team's own webhook handlers.
   */
  restore(snapshot: Snapshot): void {
    this.state.clock.checkOutsideOwnHandlers('team.restore')
    restoreSnapshot(this.state, snapshot)
  }

  /**
   * Resets the team's options, clock mode, time and records, and deletes its events, webhooks, faults, overrides and
   * journal entries. Pending requests fail, and any clock advance in progress stops.
   */
  reset(): void {
    const world = this.state
    world.settings = this.#facts.settings
    resetWorld(world)
    world.faults.restore([])
    world.overrides.clear()
    world.journal.reset()
    this.#facts.prepare(world)
  }

  /**
   * Returns the team's current state, without overrides, handlers or the journal, as one line of JavaScript to paste
   * into a test.
   *
   * @example
   * // createMock({"seed":"42",...}).reproduce({...})
   */
  reproduction(): string {
    const { apiKey: _, ...state } = captureTeam(this.apiKey, this.state)
    return this.reproductionOf(state)
  }

  /**
   * Returns the given state as one line of JavaScript.
   *
   * @internal
   */
  reproductionOf(state: Omit<Reproduction, 'apiKey'>): string {
    const reproduction: Reproduction = { apiKey: this.apiKey, ...state }
    const { seed, connection } = this.#facts
    const mock = { seed, baseUrl: connection.baseUrl }
    const input = toLiteral(JSON.stringify(reproduction))
    return `createMock(${JSON.stringify(mock)}).reproduce(${input})`
  }

  /** Called by `console.log` and `util.inspect` on Node, Bun and Deno. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return summarizeTeam(this)
  }

  #start(): TeamState {
    const { identity, settings, prepare } = this.#facts
    const state = new TeamState(identity, settings)
    prepare(state)
    return state
  }
}
