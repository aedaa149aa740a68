import type { KnownEventType } from '../src/contract/events.ts'
import { MockError } from './errors.ts'
import type { EmittedEvent, Outbox } from './events/outbox.ts'
import { type EventOverrides, triggered } from './events/trigger.ts'
import type { Webhooks } from './events/webhooks.ts'
import type { FaultState, Faults } from './faults/faults.ts'
import type { Journal } from './http/journal.ts'
import type { OperationId } from './http/operations.ts'
import type { Override } from './http/overrides.ts'
import { resetWorld, restoreSnapshot } from './snapshot/restore.ts'
import { type Snapshot, takeSnapshot } from './snapshot/snapshot.ts'
import type { Appointments } from './state/appointments.ts'
import type { Bookings } from './state/bookings.ts'
import type { Clock } from './state/clock.ts'
import type { Settings, TeamOptions } from './state/defaults.ts'
import type { Imports } from './state/imports.ts'
import type { HealthData } from './state/records/health.ts'
import type { Orders } from './state/records/orders.ts'
import type { User } from './state/records/users.ts'
import { settingsOf } from './state/settings.ts'
import { readSignInToken } from './state/sign-in.ts'
import type { TeamState } from './team-state.ts'

/** What a client needs to talk to a team: `new ServiceClient(team.connection())`. */
export interface TeamConnection {
  apiKey: string
  baseUrl: string
  /** Takes the place of the platform's `fetch`. */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
}

/** Everything that makes a team what it is at a moment, as plain JSON. */
export interface Reproduction {
  apiKey: string
  settings: Settings
  faults: FaultState[]
  snapshot: Snapshot
}

/** A team of the service: its own key, records, time, faults and journal, which no other team sees. */
export class Team {
  readonly apiKey: string
  readonly users: TeamState['users']
  readonly insurances: TeamState['insurances']
  readonly connections: TeamState['connections']
  readonly orders: Orders
  readonly appointments: Appointments
  /** Labs, lab tests, markers and lab accounts. */
  readonly catalogue: TeamState['catalogue']
  readonly providers: TeamState['providers']
  readonly payors: TeamState['payors']
  /** Rows of health data, which aggregate queries and summaries read. */
  readonly data: Pick<HealthData, 'create' | 'get' | 'has' | 'list' | 'update' | 'delete' | 'size'>
  /** Bulk imports, queued, running and ended. */
  readonly bulkOps: Pick<Imports, 'get' | 'list' | 'abort'>
  /** Booking keys, and how bookings end. */
  readonly bookings: Pick<Bookings, 'key' | 'next'>
  readonly clock: Pick<
    Clock,
    'now' | 'mode' | 'pending' | 'advance' | 'advanceTo' | 'runToNext' | 'whenWaiting'
  >
  /** The events that the team was sent, in order (specification part 6). */
  readonly events: Pick<Outbox, 'count' | 'list' | 'last' | 'clear'>
  /** Who receives the events. */
  readonly webhooks: Pick<Webhooks, 'add' | 'get' | 'list' | 'remove' | 'idle'>
  /** What goes wrong. */
  readonly faults: Pick<Faults, 'add' | 'list' | 'unused' | 'assertAllUsed' | 'clear'>
  /** The requests the team made, and what came of them. */
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

  /** The options of a client of this team. */
  connection(): TeamConnection {
    return { ...this.#connection }
  }

  /** How the team behaves; {@link Team.configure} changes it. */
  get settings(): Readonly<Settings> {
    return this.#world.settings
  }

  /**
   * How often the team's records have changed.
   *
   * @internal
   */
  get changes(): number {
    return this.#world.changes
  }

  /**
   * Changes how the team behaves from now on.
   *
   * @throws {MockError} `invalid_option` for an option that there is not.
   */
  configure(options: Omit<TeamOptions, 'apiKey' | 'now' | 'clock'>): void {
    this.#world.settings = settingsOf(this.#world.settings, options)
  }

  /**
   * Rewrites the answers of an operation that succeed; failures are the business of faults. The function it gives
   * takes the override back. The answer is frozen: give a changed copy.
   *
   * @throws {MockError} `unknown_operation`
   * @example
   * team.override('orders.getPhlebotomyAppointment', ({ body }) => ({ body: { ...body, status: 'postponed' } }))
   */
  override<Id extends OperationId>(operation: Id, override: Override<Id>): () => void {
    return this.#world.overrides.add(operation, override)
  }

  /**
   * Signs a user in with a token, as a mobile SDK would (specification 4.7).
   *
   * @throws {MockError} `invalid_state` when the token is none of the mock's, or has expired.
   */
  signIn(token: string): User {
    const { user_id, expires_at } = readSignInToken(token)
    const user = this.users.get(user_id)
    if (!user) throw new MockError('invalid_state', 'Expected a sign-in token of this team.')
    if (expires_at <= this.clock.now()) {
      throw new MockError('invalid_state', 'Expected a sign-in token that has not expired.')
    }
    return user
  }

  /**
   * Sends an event of any type (specification part 6). Of a known type it is realistic, and what it refers to is created;
   * of an unknown one it is as you give it.
   *
   * @param overrides Fields to decide; those of `data` replace single fields.
   * @example
   * team.trigger('daily.data.sleep.created', { user_id })
   */
  trigger(type: KnownEventType | (string & {}), overrides: EventOverrides = {}): EmittedEvent {
    const world = this.#world
    world.outbox.emit({ kind: 'event', body: triggered(type, overrides, world) })
    // It was emitted a line ago.
    return world.outbox.at(world.outbox.count) as EmittedEvent
  }

  /**
   * The team's state as plain JSON: records, time, events, and what is still to come. Faults, overrides and journal are
   * apart; a webhook's handler is a function, and stays with the team that has it.
   */
  snapshot(): Snapshot {
    return takeSnapshot(this.#world)
  }

  /**
   * Brings the team back to a snapshot, of this team or another: all of it, or nothing when it throws. Requests that wait
   * fail, and moves of the clock stop.
   *
   * @throws {MockError} `foreign_snapshot` when the value is no snapshot, one of another version, or invalid.
   */
  restore(snapshot: Snapshot): void {
    restoreSnapshot(this.#world, snapshot)
  }

  /**
   * Brings the team back to its beginning: its options and the mode of its clock as they were, and no records of its own,
   * events, webhooks, faults, overrides or journal. Requests that wait fail, and moves of the clock stop.
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
   * The team as it is now, as one line of JavaScript to paste into a test; a failing test can print it. Overrides are
   * functions, and are not in it.
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
}
