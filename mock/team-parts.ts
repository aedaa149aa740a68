import type { Webhooks } from './events/delivery/webhooks.ts'
import type { Outbox } from './events/outbox.ts'
import type { Faults } from './faults/faults.ts'
import type { Journal } from './http/journal/journal.ts'
import type { Appointments } from './state/bookings/appointments.ts'
import type { Bookings } from './state/bookings/bookings.ts'
import type { TeamClock } from './state/clock/clock.ts'
import type { Orders } from './state/collections/orders.ts'
import type { HealthData } from './state/health/health.ts'
import type { Imports } from './state/imports.ts'
import type { TeamState } from './team-state.ts'

/** The parts of a team. Its state is created at the first use, because a mock may have thousands of idle teams. */
export class TeamParts {
  readonly #create: () => TeamState
  #state: TeamState | undefined

  /** @param create Creates the state of the team. */
  constructor(create: () => TeamState) {
    this.#create = create
  }

  /**
   * The state of the team.
   *
   * @internal
   */
  get state(): TeamState {
    this.#state ??= this.#create()
    return this.#state
  }

  /**
   * Whether the team was used.
   *
   * @internal
   */
  get isUsed(): boolean {
    return this.#state !== undefined
  }

  /** The users, by `user_id`. */
  get users(): TeamState['users'] {
    return this.state.users
  }

  /** The insurances of users. */
  get insurances(): TeamState['insurances'] {
    return this.state.insurances
  }

  /** The connections of users to providers. */
  get connections(): TeamState['connections'] {
    return this.state.connections
  }

  /** The lab orders, by `id` (specification 4.12). */
  get orders(): Orders {
    return this.state.orders
  }

  /** The phlebotomy appointments, by `id` (specification 4.8). */
  get appointments(): Appointments {
    return this.state.appointments
  }

  /** Labs, lab tests, markers and lab accounts. */
  get catalogue(): TeamState['catalogue'] {
    return this.state.catalogue
  }

  /** The data providers, by slug (specification 4.9). */
  get providers(): TeamState['providers'] {
    return this.state.providers
  }

  /** The insurance companies, by payor code (specification 4.1). */
  get payors(): TeamState['payors'] {
    return this.state.payors
  }

  /** Rows of health data, which aggregate queries and summaries read. */
  get data(): Pick<HealthData, 'create' | 'get' | 'has' | 'list' | 'update' | 'delete' | 'size'> {
    return this.state.data
  }

  /** The bulk imports: queued, in progress and ended. */
  get bulkOps(): Pick<Imports, 'get' | 'list' | 'abort'> {
    return this.state.imports
  }

  /** The keys and outcomes of bookings. */
  get bookings(): Pick<Bookings, 'key' | 'next'> {
    return this.state.bookings
  }

  /** The virtual time of the team, and what is due. */
  get clock(): Pick<
    TeamClock,
    'now' | 'mode' | 'pending' | 'advance' | 'advanceTo' | 'runToNext' | 'whenWaiting'
  > {
    return this.state.clock
  }

  /** The events that were sent to the team, in order (specification part 6). */
  get events(): Pick<Outbox, 'count' | 'list' | 'last' | 'clear'> {
    return this.state.outbox
  }

  /** The receivers of the events. */
  get webhooks(): Pick<Webhooks, 'add' | 'get' | 'list' | 'remove' | 'idle'> {
    return this.state.webhooks
  }

  /** The injected faults, in insertion order. */
  get faults(): Pick<Faults, 'add' | 'list' | 'unused' | 'assertAllUsed' | 'clear'> {
    return this.state.faults
  }

  /** The requests of the team, with their responses and effects. */
  get journal(): Pick<Journal, 'count' | 'requests' | 'last' | 'lines' | 'har' | 'clear'> {
    return this.state.journal
  }
}
