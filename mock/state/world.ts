import { notFound } from '../base/http-error.ts'
import { Random } from '../base/random.ts'
import type { Payor } from '../data/payors.ts'
import type { TeamProvider } from '../data/providers.ts'
import type { MockError } from '../errors.ts'
import { Appointments } from './bookings/appointments.ts'
import { Bookings } from './bookings/bookings.ts'
import { TeamClock } from './clock/clock.ts'
import type { DueEvent, DueEventType } from './clock/due-event.ts'
import { type Change, Collection } from './collection.ts'
import type { CollectionName } from './collection-names.ts'
import type { Settings } from './defaults.ts'
import { IdempotencyKeys } from './idempotency.ts'
import type { Identity } from './identity.ts'
import { Imports } from './imports.ts'
import { LivingUsers } from './living/living-users.ts'
import { OrderProgress } from './living/order-progress.ts'
import type { KeyParts } from './record-key.ts'
import { HealthData } from './records/health/health.ts'
import { makeInsurance, type UserInsurance, type UserInsuranceInput } from './records/insurance.ts'
import {
  type Catalogue,
  makeLab,
  makeLabAccount,
  makeLabTest,
  makeMarker,
} from './records/lab-tests.ts'
import {
  type Connection,
  type ConnectionInput,
  makeConnection,
  makePayor,
  makeProvider,
} from './records/link.ts'
import { Orders } from './records/orders.ts'
import { seedRecords } from './records/seed-records.ts'
import { type User, Users } from './records/users.ts'

/** The state of the service for one team: records, virtual time, random generator and settings. */
export abstract class World {
  /** What distinguishes the team from others. */
  readonly identity: Identity
  /** The number of the team in its mock; after a restore, that of the snapshot. */
  ordinal: number
  /** How the team behaves. */
  settings: Settings
  /** The random generator; a restore replaces it. */
  random: Random
  /** The virtual time. */
  readonly clock: TeamClock
  /** The booking keys and the bookings without an outcome. */
  readonly bookings: Bookings = new Bookings(this)
  /** The responses of requests with an idempotency key. */
  readonly idempotency: IdempotencyKeys
  /** The bulk imports. */
  readonly imports: Imports = new Imports(this)
  /** The users. */
  readonly users: Users = new Users(
    this,
    (change) => this.#handleChange(change),
    () => this.imports.catchUp(),
  )
  /** The users whose health data keeps arriving. */
  readonly living: LivingUsers = new LivingUsers(this)
  /** The insurances of users. */
  readonly insurances = this.#collection<UserInsurance, UserInsuranceInput>(
    'insurances',
    ({ id }) => [id],
    makeInsurance,
  )
  /** The connections of users to providers. */
  readonly connections = this.#collection<
    Connection,
    ConnectionInput,
    [user_id: string, provider: string]
  >('connections', ({ user_id, provider }) => [user_id, provider], makeConnection)
  /** The lab orders. */
  readonly orders: Orders = new Orders(this, (change) => this.#handleChange(change))
  /** The phlebotomy appointments. */
  readonly appointments: Appointments = new Appointments(this, (change) =>
    this.#handleChange(change),
  )
  /** What happens to the orders of living users. */
  readonly orderProgress: OrderProgress = new OrderProgress(this)
  /** The health data of users. */
  readonly data: HealthData = new HealthData(this, (change) => this.#handleChange(change))
  /** The labs and what they offer. */
  readonly catalogue: Catalogue = {
    labs: this.#collection('labs', ({ id }) => [id], makeLab, seedRecords.labs),
    labTests: this.#collection('labTests', ({ id }) => [id], makeLabTest, seedRecords.labTests),
    markers: this.#collection('markers', ({ id }) => [id], makeMarker, seedRecords.markers),
    labAccounts: this.#collection('labAccounts', ({ id }) => [id], makeLabAccount),
  }
  /** The data providers. */
  readonly providers = this.#collection<TeamProvider, Partial<TeamProvider>, [slug: string]>(
    'providers',
    ({ slug }) => [slug],
    makeProvider,
    seedRecords.providers,
  )
  /** The insurance companies. */
  readonly payors = this.#collection<Payor, Partial<Payor>, [payor_code: string]>(
    'payors',
    ({ payor_code }) => [payor_code],
    makePayor,
    seedRecords.payors,
  )

  /** How often records have changed. */
  changes = 0
  #cause: number | undefined
  #isWithoutEvents = false

  readonly #dueEventHandlers: Record<DueEventType, (subject: string) => void> = {
    'booking.outcome': (id) => this.bookings.applyOutcome(id),
    'booking.pending': (id) => this.bookings.leavePending(id),
    'booking.timeout': (id) => this.bookings.end(id),
    'booking.abandoned': (id) => this.bookings.abandon(id),
    'import.end': () => this.imports.catchUp(),
    'webhook.due': (id) => this.wakeWebhook(id),
    'data.arrival': () => this.receiveData(),
    'order.progress': (id) => this.orderProgress.moveOrder(id),
    'appointment.progress': (id) => this.orderProgress.moveVisit(id),
  }

  constructor(identity: Identity, settings: Settings) {
    this.identity = identity
    this.ordinal = identity.ordinal
    this.settings = settings
    this.random = new Random(identity.seed)
    this.clock = new TeamClock(settings.now, settings.clock, (event) => this.#runDueEvent(event), {
      onFailure: (failure, event, isAwaited) => this.handleFailure(failure, event, isAwaited),
      queued: () => this.imports.queuedEvents(),
    })
    this.idempotency = new IdempotencyKeys(this.clock)
  }

  /** Sends the events of users who were connected to a provider. */
  abstract emitConnections(provider: string, userIds: readonly string[], at: number): void

  /** Handles a change of a record; without events when `isWithoutEvents`. */
  protected abstract handleChange(change: Change, isWithoutEvents: boolean): void

  /** Handles the failure of a due event; `isAwaited` if a request or a move of the clock fails with it. */
  protected abstract handleFailure(failure: MockError, event: DueEvent, isAwaited: boolean): void

  /** Emits the events of the data that arrived by now. */
  protected abstract receiveData(): void

  /** Delivers the due messages of a webhook. */
  protected abstract wakeWebhook(id: string): void

  /** Called after each due event. */
  protected abstract handleDueEvent(event: DueEvent): void

  /**
   * Returns the user that a request names. By default an unknown one is created: no endpoint of the specification
   * creates users.
   */
  user(userId: string): User {
    const user = this.users.get(userId)
    if (user) return user
    if (!this.settings.autoCreateUsers) throw notFound('User')
    return this.users.create({ user_id: userId, info: null })
  }

  /** The base URL of the links in responses and events. */
  get baseUrl(): string {
    return this.identity.linkBase()
  }

  /** The number of the request that causes the current changes. */
  get cause(): number | undefined {
    return this.#cause
  }

  /** Schedules a due event; its changes are attributed to the current request. */
  schedule(type: DueEventType, subject: string, at: number): void {
    this.clock.schedule({ type, subject, at, cause: this.#cause })
  }

  /** Runs a step of a request; its changes are attributed to the request. */
  withCause<T>(request: number | undefined, step: () => T): T {
    const before = this.#cause
    this.#cause = request
    try {
      return step()
    } finally {
      this.#cause = before
    }
  }

  /** Changes records without sending events. */
  withoutEvents<T>(change: () => T): T {
    const before = this.#isWithoutEvents
    this.#isWithoutEvents = true
    try {
      return change()
    } finally {
      this.#isWithoutEvents = before
    }
  }

  /** Runs everything that is due by now. */
  catchUp(): void {
    this.clock.catchUp()
    this.imports.catchUp()
  }

  #runDueEvent(event: DueEvent): void {
    this.withCause(event.cause, () => this.#dueEventHandlers[event.type](event.subject))
    this.handleDueEvent(event)
  }

  #collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]>(
    name: CollectionName,
    keyOf: (record: T) => Key,
    make: (input: Input, world: World) => T,
    seeded?: () => ReadonlyMap<string, T>,
  ): Collection<T, Input, Key> {
    return new Collection<T, Input, Key>({
      name,
      keyOf,
      make: (input) => make(input, this),
      ...(seeded ? { seeded } : {}),
      beforeAccess: () => this.imports.catchUp(),
      changed: (change) => this.#handleChange(change),
    })
  }

  #handleChange(change: Change): void {
    this.changes += 1
    this.bookings.handleChange(change)
    this.living.handleChange(change, this.#isWithoutEvents)
    if (!this.#isWithoutEvents) this.orderProgress.handleChange(change)
    this.handleChange(change, this.#isWithoutEvents)
  }
}
