import type { MockError } from '../errors.ts'
import { connectionEmissions, emissionsOf } from '../events/change-events.ts'
import type { DeliveryInterceptor } from '../events/delivery/deliveries.ts'
import { Webhooks } from '../events/delivery/webhooks.ts'
import { Outbox } from '../events/outbox.ts'
import { Faults } from '../faults/faults.ts'
import { notFound } from '../http/http-error.ts'
import { Journal } from '../http/journal/journal.ts'
import { Overrides } from '../http/overrides.ts'
import type { RequestWorld } from '../http/route.ts'
import { Arrivals } from '../living/events/arrivals.ts'
import { LivingUsers } from '../living/users/living-users.ts'
import { OrderProgress } from '../living/users/order-progress.ts'
import { Random } from '../reference-data/random.ts'
import { Appointments } from './bookings/appointments.ts'
import { Bookings } from './bookings/bookings.ts'
import { TeamClock } from './clock/clock.ts'
import type { DueEvent, DueEventType } from './clock/due-queue.ts'
import { type ChangeOf, isChangeOf } from './collections/changes.ts'
import {
  type Change,
  Collection,
  type CollectionDefinition,
  type CollectionHooks,
  type CollectionOf,
} from './collections/collection.ts'
import type { Catalogue } from './collections/collections.ts'
import { makeInsurance } from './collections/insurance.ts'
import { makeLab, makeLabAccount, makeLabTest, makeMarker } from './collections/lab-tests.ts'
import { makeConnection, makePayor, makeProvider } from './collections/link.ts'
import { Orders } from './collections/orders.ts'
import { seedRecords } from './collections/seed-records.ts'
import { Users } from './collections/users.ts'
import type { Settings } from './defaults.ts'
import { HealthData } from './health/health.ts'
import { IdempotencyKeys } from './idempotency.ts'
import type { Identity } from './identity.ts'
import { Imports } from './imports.ts'
import type { RecordPort } from './ports.ts'
import type { Recorder } from './recorder.ts'
import type { RecordInputOf, RecordOf } from './records/definitions.ts'
import type { CollectionName } from './records/paths.ts'
import type { User } from './records/users.ts'

/** A team's complete state: records, time, events, webhooks, faults, overrides and journal. */
export class TeamState implements RequestWorld {
  readonly identity: Identity
  settings: Settings
  /** The random number generator. A restore replaces it. */
  random: Random
  readonly clock: TeamClock
  readonly #hooks: CollectionHooks = {
    isStrict: () => this.settings.strictResponses,
    changed: (change) => this.#handleChange(change),
  }
  readonly idempotency: IdempotencyKeys
  readonly imports: Imports = new Imports(this, (provider, userIds, at) =>
    this.emitConnections(provider, userIds, at),
  )
  readonly users: Users = new Users(this, {
    ...this.#hooks,
    beforeAccess: () => this.imports.catchUp(),
    // First emit the events for data that has already arrived, because they must contain the user's state before the
    // change. A new user has no such data.
    beforeChange: (user) => {
      if (user && this.settings.eventEnvelope === 'extended') this.arrivals.catchUp()
    },
  })
  /** The living users, for whom the mock keeps generating health data. */
  readonly living: LivingUsers = new LivingUsers(this)
  readonly insurances: CollectionOf<'insurances'> = this.#collection('insurances', makeInsurance)
  readonly connections: CollectionOf<'connections'> = this.#collection(
    'connections',
    makeConnection,
  )
  readonly orders: Orders = new Orders(this, this.#hooks)
  readonly appointments: Appointments = new Appointments(this, this.orders, this.#hooks)
  /** The booking keys and the bookings in progress. */
  readonly bookings: Bookings = new Bookings(this, this.appointments)
  readonly orderProgress: OrderProgress = new OrderProgress(
    this,
    this.orders,
    this.appointments,
    this.living,
  )
  readonly data: HealthData = new HealthData(this, this.living, this.#hooks)
  readonly catalogue: Catalogue = {
    labs: this.#collection('labs', makeLab, { seeded: seedRecords.labs }),
    labTests: this.#collection('labTests', makeLabTest, { seeded: seedRecords.labTests }),
    markers: this.#collection('markers', makeMarker, { seeded: seedRecords.markers }),
    labAccounts: this.#collection('labAccounts', makeLabAccount),
  }
  readonly providers: CollectionOf<'providers'> = this.#collection('providers', makeProvider, {
    seeded: seedRecords.providers,
    // First emit the events for data that has already arrived, because they must contain the provider's state before
    // the change.
    beforeChange: () => this.arrivals.catchUp(),
  })
  readonly payors: CollectionOf<'payors'> = this.#collection('payors', makePayor, {
    seeded: seedRecords.payors,
  })
  readonly journal = new Journal(() => this.settings)
  readonly faults = new Faults(
    () => this.clock.moment,
    () => this.random,
  )
  /** Intercepts the delivery attempts, if set. */
  interceptDelivery: DeliveryInterceptor | undefined
  /** The recorder of the team's history, or undefined while recording is off. */
  recorder: Recorder | undefined
  readonly overrides = new Overrides()
  readonly webhooks: Webhooks = new Webhooks(this)
  readonly outbox: Outbox = new Outbox(this, {
    onEmit: (count, eventAt) => {
      this.journal.addEvents(count, eventAt, this.cause)
      this.webhooks.wake()
      this.changed()
    },
    firstNeeded: () => this.webhooks.firstNeeded(),
    beforeAccess: () => this.arrivals.catchUp(),
  })
  readonly arrivals: Arrivals = new Arrivals(this, this.living, {
    hasReceivers: () => this.webhooks.size > 0,
    emit: (emission, at) => this.outbox.emit(emission, at),
  })

  /** The number of record changes so far. */
  changes = 0
  #cause: number | undefined
  #isWithoutEvents = false

  readonly #dueEventHandlers: Record<DueEventType, (subject: string) => void> = {
    'booking.outcome': (id) => this.bookings.applyOutcome(id),
    'booking.pending': (id) => this.bookings.leavePending(id),
    'booking.timeout': (id) => this.bookings.end(id),
    'booking.abandoned': (id) => this.bookings.abandon(id),
    'import.end': () => this.imports.catchUp(),
    'webhook.due': (id) => this.webhooks.wake(id),
    'data.arrival': () => this.arrivals.catchUp(),
    'order.progress': (id) => this.orderProgress.moveOrder(id),
    'appointment.progress': (id) => this.orderProgress.moveVisit(id),
  }

  constructor(identity: Identity, settings: Settings) {
    this.identity = identity
    this.settings = settings
    this.random = new Random(identity.seed)
    this.clock = new TeamClock(settings.now, settings.clock, (event) => this.#runDueEvent(event), {
      onFailure: (failure, event, isAwaited) => this.#handleFailure(failure, event, isAwaited),
      // Report changes before the response: a waiting request may already have changed records, and may wait for hours.
      onWait: () => this.changed(),
      queued: () => this.imports.queuedEvents(),
      prepare: ({ type, cause }, slices) => {
        if (type === 'data.arrival') return this.arrivals.prepare(slices)
        if (type !== 'import.end') return undefined
        return this.imports.catchUpInSlices(slices, (run) => this.withCause(cause, run))
      },
    })
    this.idempotency = new IdempotencyKeys(this.clock)
  }

  /** Calls the `onChange` hook after a change that affects the snapshot. */
  changed(): void {
    this.identity.hooks().onChange?.()
  }

  /**
   * Returns the user that a request names. By default, creates the user if the id is unknown, because no endpoint in
   * the specification creates users.
   */
  user(userId: string): User {
    const user = this.users.get(userId)
    if (user) return user
    if (!this.settings.autoCreateUsers) throw notFound('User')
    return this.users.create({ user_id: userId, info: null })
  }

  /** The base URL for links in responses and events. */
  get baseUrl(): string {
    return this.identity.linkBase()
  }

  /** The number of the request that is causing the current changes. */
  get cause(): number | undefined {
    return this.#cause
  }

  /** Schedules an event and attributes its changes to the current request. */
  schedule(type: DueEventType, subject: string, at: number): void {
    this.clock.schedule({ type, subject, at, cause: this.#cause })
  }

  /** Runs a step and attributes its changes to the given request, if any. */
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

  /** Runs the scheduled events and imports that are already due. */
  catchUp(): void {
    this.clock.catchUp()
    this.imports.catchUp()
  }

  /**
   * Runs the scheduled events that are already due, in slices. If `withArrivals` is true, first emits the events for
   * data that has arrived.
   */
  async catchUpInSlices(withArrivals: boolean): Promise<void> {
    if (withArrivals) await this.arrivals.catchUpInSlices()
    await this.clock.catchUpInSlices()
  }

  /** Generates the data of new connections, in slices. Returns undefined if there is no such data to generate. */
  prepareEvents(): Promise<void> | undefined {
    return this.arrivals.prepare()
  }

  /** Reschedules the arrivals. Called after a webhook is added or removed. */
  receiversChanged(): void {
    this.arrivals.update()
  }

  /** Reports an error that no request or test is waiting for. */
  report(error: unknown): void {
    this.identity.report(error)
  }

  /** Emits the events for users' new connections to a provider. */
  emitConnections(provider: string, userIds: readonly string[], at: number): void {
    const { settings, users, data, providers, random, living } = this
    const context = { settings, users, data, providers, random, living, clock: { moment: at } }
    const others = userIds.filter((userId) => !living.isLiving(userId))
    for (const emission of connectionEmissions(provider, others, context)) {
      this.outbox.emit(emission, at)
    }
    if (others.length === userIds.length) return
    for (const userId of userIds) living.connect(userId, provider, at)
    this.webhooks.wake()
    // A delivery in progress emits the events itself, after it has generated their data in slices.
    if (!this.webhooks.isBusy) this.arrivals.update()
  }

  /** Starts feeds for living users' connections that were created without events. */
  connectLivingUsers(): void {
    this.living.connectAll()
    this.arrivals.update()
  }

  /** Whether webhooks may call other machines. */
  get allowsRemoteWebhooks(): boolean {
    return this.identity.hooks().allowsRemoteWebhooks ?? false
  }

  #runDueEvent(event: DueEvent): void {
    this.changed()
    this.withCause(event.cause, () => this.#dueEventHandlers[event.type](event.subject))
    // History points do not contain webhooks, so a due delivery adds no point.
    if (event.type !== 'webhook.due') {
      this.recorder?.addPoint({ kind: 'due', title: event.type })
    }
  }

  #collection<Name extends CollectionName>(
    name: Name,
    make: (input: RecordInputOf<Name>, team: RecordPort) => RecordOf<Name>,
    more: Partial<CollectionDefinition<RecordOf<Name>, RecordInputOf<Name>>> = {},
  ): CollectionOf<Name> {
    return new Collection({
      ...this.#hooks,
      ...more,
      name,
      make: (input) => make(input, this),
      beforeAccess: () => this.imports.catchUp(),
    })
  }

  #handleChange(change: Change): void {
    const isWithoutEvents = this.#isWithoutEvents
    this.changes += 1
    this.bookings.handleChange(change)
    this.imports.handleChange(change)
    this.living.handleChange(change, isWithoutEvents)
    if (!isWithoutEvents) this.orderProgress.handleChange(change)
    this.changed()
    this.journal.addChange(change, this.cause)
    this.recorder?.addChange(change)
    this.outbox.handleChange(change)
    if (isWithoutEvents) return
    const { collection } = change
    // A living user's feed emits the events for the connection.
    const isOfFeed = isChangeOf(change, 'connections') && this.#isOfLiving(change)
    for (const emission of isOfFeed ? [] : emissionsOf(change, this)) this.outbox.emit(emission)
    if (collection === 'connections' || collection === 'users') this.arrivals.update()
  }

  #handleFailure(failure: MockError, { cause }: DueEvent, isAwaited: boolean): void {
    this.journal.addFailure(failure.message, cause)
    if (!isAwaited) this.report(failure)
  }

  #isOfLiving({ before, after = before }: ChangeOf<'connections'>): boolean {
    return after !== undefined && this.living.isLiving(after.user_id)
  }
}
