import type { Appointment } from '../../../src/contract/appointments.ts'
import { hour } from '../../shared/time-units.ts'
import type { Appointments } from '../../state/bookings/appointments.ts'
import type { DueEventType } from '../../state/clock/due-queue.ts'
import { latestMoment } from '../../state/clock/time.ts'
import { isChangeOf } from '../../state/collections/changes.ts'
import type { Change } from '../../state/collections/collection.ts'
import type { Orders } from '../../state/collections/orders.ts'
import type { SchedulePort } from '../../state/ports.ts'
import type { LabOrder } from '../../state/records/orders.ts'
import type { LivingUsers } from './living-users.ts'

/** How long a living user's order stays in a status, in hours (assumption). */
const hoursOf: Readonly<Record<string, readonly [shortest: number, longest: number]>> = {
  received: [20, 72],
  collecting_sample: [24, 96],
}

/** The collection method that requires the consumer to book an appointment. */
const bookedMethod = 'at_home_phlebotomy'

/** Advances living users' lab orders: starts and ends booked visits, collects samples, and completes orders. */
export class OrderProgress {
  readonly #team: SchedulePort
  readonly #orders: Orders
  readonly #appointments: Appointments
  readonly #living: LivingUsers

  constructor(team: SchedulePort, orders: Orders, appointments: Appointments, living: LivingUsers) {
    this.#team = team
    this.#orders = orders
    this.#appointments = appointments
    this.#living = living
  }

  handleChange(change: Change): void {
    if (isChangeOf(change, 'orders')) {
      const { before, after } = change
      if (after && before?.status !== after.status) this.#scheduleOrder(after)
    }
    if (isChangeOf(change, 'appointments')) {
      const { before, after } = change
      const isMoved = after && (!before || endOf(before) !== endOf(after))
      if (isMoved) this.#scheduleVisit(after)
    }
  }

  /** Advances an order if its time in the current status is up. */
  moveOrder(id: string): void {
    const orders = this.#orders
    const { clock } = this.#team
    const order = orders.get(id)
    const at = order && this.#endOf(order)
    if (!order || at === undefined || at > clock.moment) return
    if (order.status === 'collecting_sample') orders.complete(id)
    else orders.update(id, { status: 'collecting_sample' })
  }

  /** Starts a confirmed visit, or ends a visit in progress, if the scheduled time has been reached. */
  moveVisit(id: string): void {
    const appointments = this.#appointments
    const { clock } = this.#team
    const visit = appointments.get(id)
    const at = visit && endOf(visit)
    if (!visit || at === undefined || at > clock.moment) return
    appointments.transition(id, visit.status === 'confirmed' ? 'in_progress' : 'completed')
  }

  #scheduleOrder(order: LabOrder): void {
    const at = this.#endOf(order)
    if (at === undefined || !this.#living.isLiving(order.user_id)) return
    if (at > this.#team.clock.moment) this.#schedule('order.progress', order.id, at)
  }

  #scheduleVisit(visit: Appointment): void {
    const at = endOf(visit)
    if (at === undefined || !this.#living.isLiving(visit.user_id)) return
    const { clock } = this.#team
    this.#schedule('appointment.progress', visit.id, Math.max(at, clock.moment))
  }

  #schedule(type: DueEventType, id: string, at: number): void {
    if (at <= latestMoment) this.#team.schedule(type, id, at)
  }

  /**
   * Returns the time at which an order's status changes by itself, or undefined if only another action changes it.
   */
  #endOf({ id, status, collection_method, events }: LabOrder): number | undefined {
    const hours = hoursOf[status]
    const since = events.find((step) => step.status?.startsWith(`${status}.`))?.created_at
    if (!hours || !since || collection_method === bookedMethod) return undefined
    const share = this.#team.random.fork(`order/${id}/${status}`).next()
    return Date.parse(since) + Math.round((hours[0] + share * (hours[1] - hours[0])) * hour)
  }
}

/**
 * Returns the time at which a confirmed visit starts or a visit in progress ends, or undefined for any other status.
 */
function endOf({ status, start_at, end_at }: Appointment): number | undefined {
  const time = status === 'confirmed' ? start_at : status === 'in_progress' ? end_at : null
  return typeof time === 'string' ? Date.parse(time) : undefined
}
