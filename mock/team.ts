import type { KnownEventType } from '../src/contract/events.ts'
import type { OperationId } from './base/operations.ts'
import { summarizeTeam } from './diagnostics/summary.ts'
import type { DeliveryInterceptor } from './events/delivery/deliveries.ts'
import type { Webhooks } from './events/delivery/webhooks.ts'
import type { EmittedEvent, Outbox } from './events/outbox.ts'
import { type EventOverrides, makeEvent } from './events/trigger.ts'
import type { FaultState, Faults } from './faults/faults.ts'
import type { Journal } from './http/journal/journal.ts'
import type { Override } from './http/overrides.ts'
import { resetWorld } from './snapshot/reset.ts'
import { restoreSnapshot } from './snapshot/restore.ts'
import { type Snapshot, takeSnapshot } from './snapshot/snapshot.ts'
import type { Appointments } from './state/bookings/appointments.ts'
import type { Bookings } from './state/bookings/bookings.ts'
import type { TeamClock } from './state/clock/clock.ts'
import type { ConnectionClock } from './state/clock/connection-clock.ts'
import type { DueEvent } from './state/clock/due-event.ts'
import type { Settings, TeamOptions } from './state/defaults.ts'
import type { Imports } from './state/imports.ts'
import type { HealthData } from './state/records/health.ts'
import type { Orders } from './state/records/orders.ts'
import type { User } from './state/records/users.ts'
import { mergeSettings } from './state/settings.ts'
import { findSignedInUser } from './state/sign-in.ts'
import type { TeamState } from './team-state.ts'

/** The options of a client of a team: `new ServiceClient(team.connection())`. */
export interface TeamConnection {
  /** The team's API key. */
  apiKey: string
  /** The mock's base URL. */
  baseUrl: string
  /** Replaces the platform's `fetch`. */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
  /** Includes the mock's explanation in the messages of errors; its data is generated. */
  exposeDetail: boolean
  /** The team's virtual time, in which the client then waits for retries, timeouts and deadlines. */
  clock: ConnectionClock
}

/** The complete state of a team, as plain JSON. */
export interface Reproduction {
  /** The team's API key. */
  apiKey: string
  /** How the team behaves. */
  settings: Settings
  /** The faults, with their counts. */
  faults: FaultState[]
  /** The records, time and events. */
  snapshot: Snapshot
}

/** A team of the service. Its API key, records, time, faults and journal are separate from those of other teams. */
export class Team {
  /** The team's API key. */
  readonly apiKey: string
  /** The users, by `user_id`. */
  readonly users: TeamState['users']
  /** The insurances of users. */
  readonly insurances: TeamState['insurances']
  /** The connections of users to providers. */
  readonly connections: TeamState['connections']
  /** The lab orders, by `id` (specification 4.12). */
  readonly orders: Orders
  /** The phlebotomy appointments, by `id` (specification 4.8). */
  readonly appointments: Appointments
  /** Labs, lab tests, markers and lab accounts. */
  readonly catalogue: TeamState['catalogue']
  /** The data providers, by slug (specification 4.9). */
  readonly providers: TeamState['providers']
  /** The insurance companies, by payor code (specification 4.1). */
  readonly payors: TeamState['payors']
  /** Rows of health data, which aggregate queries and summaries read. */
  readonly data: Pick<HealthData, 'create' | 'get' | 'has' | 'list' | 'update' | 'delete' | 'size'>
  /** The bulk imports: queued, in progress and ended. */
  readonly bulkOps: Pick<Imports, 'get' | 'list' | 'abort'>
  /** The keys and outcomes of bookings. */
  readonly bookings: Pick<Bookings, 'key' | 'next'>
  /** The virtual time of the team, and what is due. */
  readonly clock: Pick<
    TeamClock,
    'now' | 'mode' | 'pending' | 'advance' | 'advanceTo' | 'runToNext' | 'whenWaiting'
  >
  /** The events that were sent to the team, in order (specification part 6). */
  readonly events: Pick<Outbox, 'count' | 'list' | 'last' | 'clear'>
  /** The receivers of the events. */
  readonly webhooks: Pick<Webhooks, 'add' | 'get' | 'list' | 'remove' | 'idle'>
  /** The injected faults, in insertion order. */
  readonly faults: Pick<Faults, 'add' | 'list' | 'unused' | 'assertAllUsed' | 'clear'>
  /** The requests of the team, with their responses and effects. */
  readonly journal: Pick<Journal, 'count' | 'requests' | 'last' | 'lines' | 'har' | 'clear'>
  readonly #world: TeamState
  readonly #connection: TeamConnection
  readonly #mock: { seed: string; baseUrl: string }
  readonly #initial: Settings

  constructor(world: TeamState, connection: TeamConnection, seed: string) {
    this.#world = world
    this.#connection = connection
    this.#mock = { seed, baseUrl: connection.baseUrl }
    this.#initial = world.settings
    this.apiKey = connection.apiKey
    this.users = world.users
    this.insurances = world.insurances
    this.connections = world.connections
    this.orders = world.orders
    this.appointments = world.appointments
    this.catalogue = world.catalogue
    this.providers = world.providers
    this.payors = world.payors
    this.data = world.data
    this.bulkOps = world.imports
    this.bookings = world.bookings
    this.clock = world.clock
    this.events = world.outbox
    this.webhooks = world.webhooks
    this.faults = world.faults
    this.journal = world.journal
  }

  /** Returns the options of a client of this team. */
  connection(): TeamConnection {
    return { ...this.#connection }
  }

  /** How the team behaves; {@link Team.configure} changes it. */
  get settings(): Readonly<Settings> {
    return this.#world.settings
  }

  /**
   * The number of changes of the team's records so far.
   *
   * @internal
   */
  get changes(): number {
    return this.#world.changes
  }

  /** @internal Decides how events are delivered, and which of several due events at the same time runs next. */
  intercept(deliver: DeliveryInterceptor, choose: (tied: readonly DueEvent[]) => number): void {
    this.#world.interceptDelivery = deliver
    this.#world.clock.chooseDue(choose)
  }

  /**
   * Changes how the team behaves from now on.
   *
   * @throws {MockError} `invalid_option` for an unknown option or an invalid value; `invalid_time` for an invalid span.
   */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>): void {
    this.#world.settings = mergeSettings(this.#world.settings, options)
  }

  /**
   * Rewrites the successful responses of an operation. The response is frozen: return a changed copy. To simulate
   * failures, use {@link Team.faults}.
   *
   * @returns A function that removes the override.
   * @throws {MockError} `unknown_operation` if no operation has this id.
   * @example
   * team.override('orders.getPhlebotomyAppointment', ({ body }) => ({ body: { ...body, status: 'postponed' } }))
   */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#world.overrides.add(operation, override)
  }

  /**
   * Signs a user in with a token, like a mobile SDK (specification 4.7).
   *
   * @throws {MockError} `invalid_state` if the token is not from this team, or has expired.
   */
  signIn(token: string): User {
    return findSignedInUser(token, this)
  }

  /**
   * Sends an event of any type (specification part 6). For a known type, omitted fields are generated, and the records
   * that it refers to are created; for an unknown type, the body has the given fields only.
   *
   * @param overrides The fields to set; those of `data` replace single fields.
   * @example
   * team.trigger('daily.data.sleep.created', { user_id })
   */
  trigger(type: KnownEventType | (string & {}), overrides: EventOverrides = {}): EmittedEvent {
    const world = this.#world
    world.outbox.emit({ kind: 'event', body: makeEvent(type, overrides, world) })
    // The line above emitted it.
    return world.outbox.at(world.outbox.count) as EmittedEvent
  }

  /**
   * Returns the team's state as plain JSON: records, time, events, and due events. Faults, overrides, the journal and the
   * handlers of webhooks are not part of it.
   *
   * @throws {MockError} `invalid_state` if a record contains a cycle or a BigInt.
   */
  snapshot(): Snapshot {
    return takeSnapshot(this.#world)
  }

  /**
   * Restores a snapshot of this team or another one: all of it, or nothing if it throws. Requests that wait fail, and
   * moves of the clock stop.
   *
   * @throws {MockError} `invalid_snapshot` if the value is not a snapshot, has another version, or is invalid.
   */
  restore(snapshot: Snapshot): void {
    restoreSnapshot(this.#world, snapshot)
  }

  /**
   * Resets the team to its initial state: its options and clock mode, the seeded records, and no events, webhooks, faults,
   * overrides or journal entries. Requests that wait fail, and moves of the clock stop.
   */
  reset(): void {
    const world = this.#world
    world.settings = this.#initial
    resetWorld(world)
    world.faults.clear()
    world.overrides.clear()
    world.journal.clear()
  }

  /**
   * Returns the team's current state as one line of JavaScript to paste into a test; a failing test can print it.
   * Overrides and handlers are not part of it.
   *
   * @example
   * // createMock({"seed":"42",...}).reproduce({...})
   */
  reproduction(): string {
    const { settings, faults } = this.#world
    const state: Reproduction = {
      apiKey: this.apiKey,
      settings,
      faults: faults.snapshot(),
      snapshot: this.snapshot(),
    }
    return `createMock(${JSON.stringify(this.#mock)}).reproduce(${JSON.stringify(state)})`
  }

  /** Returns what `console.log` and `util.inspect` print on Node, Bun and Deno. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return summarizeTeam(this)
  }
}
