import {
  type CatalogueLab,
  type CatalogueLabTest,
  type CatalogueMarker,
  labs,
  labTests,
  markers,
} from '../data/catalogue.ts'
import { payors } from '../data/payors.ts'
import { providers } from '../data/providers.ts'
import { emissionOf } from '../events/emissions.ts'
import { Outbox } from '../events/outbox.ts'
import { Webhooks } from '../events/webhooks.ts'
import { Faults } from '../faults/faults.ts'
import { Journal } from '../http/journal.ts'
import { Overrides } from '../http/overrides.ts'
import { notFound } from '../http/refusal.ts'
import { Appointments } from './appointments.ts'
import { Bookings } from './bookings.ts'
import { Clock } from './clock.ts'
import { type Change, Collection, frozen, type KeyParts } from './collection.ts'
import type { Settings } from './defaults.ts'
import type { DueEvent, DueEventType } from './due-event.ts'
import { Imports } from './imports.ts'
import { Random } from './random.ts'
import { HealthData } from './records/health.ts'
import { makeInsurance, type UserInsurance, type UserInsuranceInput } from './records/insurance.ts'
import {
  type LabAccount,
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
  type Payor,
  type TeamProvider,
} from './records/link.ts'
import { Orders } from './records/orders.ts'
import { makeUser, type User, type UserInput } from './records/users.ts'

/** Who a team is among the teams of its mock. */
export interface Identity {
  /** 1 for the mock's first team. */
  ordinal: number
  seed: string
  baseUrl: string
  /** Takes errors of due events and deliveries for which neither a request nor a test waits. */
  report: (error: unknown) => void
}

/** What due events do, by type. */
const happenings: Record<DueEventType, (world: World, subject: string) => void> = {
  'booking.outcome': ({ bookings }, id) => bookings.decide(id),
  'booking.pending': ({ bookings }, id) => bookings.leavePending(id),
  'booking.timeout': ({ bookings }, id) => bookings.end(id),
  'booking.abandoned': ({ bookings }, id) => bookings.abandon(id),
  'import.end': ({ imports }) => imports.catchUp(),
  'webhook.due': ({ webhooks }, id) => webhooks.wake(id),
}

const seeded = {
  labs: shared(labs, ({ id }) => id),
  labTests: shared(labTests, ({ id }) => id),
  markers: shared(markers, ({ id }) => id),
  providers: shared<TeamProvider>(providers, ({ slug }) => slug),
  payors: shared<Payor>(payors, ({ payor_code }) => payor_code),
}

/** All that a team's routes know: its records, its time, its chance, its settings. */
export class World {
  /** As of the snapshot that was restored. */
  ordinal: number
  readonly identity: Identity
  readonly baseUrl: string
  settings: Settings
  random: Random
  readonly clock: Clock
  readonly journal: Journal
  readonly faults: Faults
  readonly overrides = new Overrides()
  readonly bookings = new Bookings(this)
  readonly imports = new Imports(this)
  readonly webhooks = new Webhooks(this)
  readonly outbox: Outbox = new Outbox(this, {
    emitted: () => this.webhooks.wake(),
    needed: () => this.webhooks.needed(),
  })

  readonly users = this.#collection<User, UserInput>('users', ({ user_id }) => [user_id], makeUser)
  readonly insurances = this.#collection<UserInsurance, UserInsuranceInput>(
    'insurances',
    ({ id }) => [id],
    makeInsurance,
  )
  readonly connections = this.#collection<
    Connection,
    ConnectionInput,
    [user_id: string, provider: string]
  >('connections', ({ user_id, provider }) => [user_id, provider], makeConnection)
  readonly orders = new Orders(this, (change) => this.#note(change))
  readonly appointments = new Appointments(this, (change) => this.#note(change))
  readonly data = new HealthData(this, (change) => this.#note(change))
  readonly catalogue = {
    labs: this.#collection<CatalogueLab, Partial<CatalogueLab>, [id: number]>(
      'labs',
      ({ id }) => [id],
      makeLab,
      seeded.labs,
    ),
    labTests: this.#collection<CatalogueLabTest, Partial<CatalogueLabTest>>(
      'labTests',
      ({ id }) => [id],
      makeLabTest,
      seeded.labTests,
    ),
    markers: this.#collection<CatalogueMarker, Partial<CatalogueMarker>, [id: number]>(
      'markers',
      ({ id }) => [id],
      makeMarker,
      seeded.markers,
    ),
    labAccounts: this.#collection<LabAccount>('labAccounts', ({ id }) => [id], makeLabAccount),
  }
  readonly providers = this.#collection<TeamProvider, Partial<TeamProvider>, [slug: string]>(
    'providers',
    ({ slug }) => [slug],
    makeProvider,
    seeded.providers,
  )
  readonly payors = this.#collection<Payor, Partial<Payor>, [payor_code: string]>(
    'payors',
    ({ payor_code }) => [payor_code],
    makePayor,
    seeded.payors,
  )

  /** How often records have changed. */
  changes = 0
  #cause: number | undefined
  #isQuiet = false

  constructor(identity: Identity, settings: Settings) {
    const { ordinal, seed, baseUrl, report } = identity
    this.identity = identity
    this.ordinal = ordinal
    this.baseUrl = baseUrl
    this.settings = settings
    this.random = new Random(seed)
    this.journal = new Journal(() => this.settings)
    this.faults = new Faults(
      () => this.clock.moment,
      () => this.random,
    )
    this.clock = new Clock(
      settings.now,
      settings.clock,
      (event) => this.#perform(event),
      (failure, { cause }, isAwaited) => {
        this.journal.noteFailure(failure.message, cause)
        if (!isAwaited) report(failure)
      },
    )
  }

  /** The user that a call names; by default it is created, for the specification has no call that does. */
  user(userId: string): User {
    const user = this.users.get(userId)
    if (user) return user
    if (!this.settings.autoCreateUsers) throw notFound('User')
    return this.users.create({ user_id: userId, info: null })
  }

  /** The number of the request that causes what happens now. */
  get cause(): number | undefined {
    return this.#cause
  }

  /** Puts an event on the clock; what it changes counts as caused by the request that is being answered. */
  schedule(type: DueEventType, subject: string, at: number): void {
    this.clock.schedule({ type, subject, at, cause: this.#cause })
  }

  /** Runs a step of a request; the changes it makes are noted with the request. */
  causedBy<T>(request: number | undefined, step: () => T): T {
    const before = this.#cause
    this.#cause = request
    try {
      return step()
    } finally {
      this.#cause = before
    }
  }

  /** Makes changes of which no event is sent. */
  quietly<T>(change: () => T): T {
    const before = this.#isQuiet
    this.#isQuiet = true
    try {
      return change()
    } finally {
      this.#isQuiet = before
    }
  }

  /** Lets everything happen that is due by now. */
  catchUp(): void {
    this.clock.catchUp()
    this.imports.catchUp()
  }

  #perform({ type, subject, cause }: DueEvent): void {
    this.causedBy(cause, () => happenings[type](this, subject))
  }

  #collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]>(
    name: string,
    keyOf: (record: T) => Key,
    make: (input: Input, world: World) => T,
    records?: () => ReadonlyMap<string, T>,
  ): Collection<T, Input, Key> {
    return new Collection<T, Input, Key>({
      name,
      keyOf,
      make: (input) => make(input, this),
      ...(records ? { seeded: records } : {}),
      settle: () => this.imports.catchUp(),
      changed: (change) => this.#note(change),
    })
  }

  #note(change: Change): void {
    this.changes += 1
    this.journal.note(change, this.#cause)
    this.bookings.follow(change)
    const emission = this.#isQuiet ? undefined : emissionOf(change, this)
    if (emission) this.outbox.emit(emission)
  }
}

/** Records that all teams share, made ready at the first use. */
function shared<T extends object>(
  records: readonly T[],
  keyOf: (record: T) => string | number,
): () => ReadonlyMap<string, T> {
  let map: Map<string, T> | undefined
  return () => {
    map ??= new Map(records.map((record) => [String(keyOf(record)), frozen(record)]))
    return map
  }
}
