import type { Appointment } from '../../../src/contract/appointments.ts'
import {
  type AppointmentEventStatus,
  type AppointmentStatus,
  appointmentProviders,
} from '../../../src/contract/values/known-values.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import { locationIn } from '../../reference-data/people.ts'
import { day, hour } from '../../shared/time-units.ts'
import { dateTime } from '../clock/time.ts'
import { Collection, type CollectionHooks } from '../collections/collection.ts'
import type { Orders } from '../collections/orders.ts'
import type { ValuePort } from '../ports.ts'
import type { AppointmentInput } from '../records/definitions.ts'
import type { LabOrder } from '../records/orders.ts'
import { transitions } from './outcomes.ts'

/** A team's appointments (specification 2.6). */
export class Appointments extends Collection<Appointment, AppointmentInput> {
  readonly #team: ValuePort
  readonly #orders: Orders

  constructor(team: ValuePort, orders: Orders, hooks: CollectionHooks) {
    super({ ...hooks, name: 'appointments', make: (input) => makeAppointment(input, orders, team) })
    this.#team = team
    this.#orders = orders
  }

  /** Creates an appointment, which becomes its order's latest appointment. */
  override create(input: AppointmentInput = {}): Appointment {
    const appointment = super.create(input)
    const { id, order_id } = appointment
    this.#orders.update(order_id, { appointment_id: id })
    moveOrder(appointment, this.#orders)
    return appointment
  }

  /**
   * Updates the given fields of an appointment. A new status can also change the order. To also change `event_status`
   * and add an entry to `events`, use `transition`.
   *
   * @throws {MockError} `unknown_record` if no appointment has this id.
   */
  override update(id: string, changes: Partial<Appointment>): Appointment {
    const before = this.get(id)
    const after = super.update(id, changes)
    if (after.status !== before?.status) moveOrder(after, this.#orders)
    return after
  }

  /**
   * Changes an appointment's status. To reschedule, set `confirmed` again with new times. A background booking ends
   * when its appointment is no longer pending.
   *
   * @param changes Additional fields to change, such as `start_at`.
   * @param id The appointment's id.
   * @param status The new status.
   * @throws {MockError} `illegal_transition` if the status cannot follow the current status, or `unknown_record` if no
   * appointment has this id.
   */
  transition(
    id: string,
    status: AppointmentStatus,
    changes: Partial<Appointment> = {},
  ): Appointment {
    const appointment = this.get(id)
    if (!appointment)
      throw new MockError(
        'unknown_record',
        `No appointment has the id '${id}'. Use an id from appointments.list().`,
      )
    checkTransition(appointment.status as AppointmentStatus, status)
    const isTimed = appointment.start_at !== null || status === 'cancelled'
    return this.update(id, {
      ...(isTimed ? {} : slot(id, status, this.#team)),
      ...statusFields(status),
      events: [...appointment.events, eventOf(status, this.#team)],
      ...changes,
    })
  }
}

function makeAppointment(input: AppointmentInput, orders: Orders, team: ValuePort): Appointment {
  const id = input.id ?? team.random.uuid()
  const order = input.order_id ? orders.get(input.order_id) : orders.create()
  if (!order)
    throw new MockError(
      'unknown_record',
      `No order has the id '${input.order_id}'. Create the order first, or omit order_id.`,
    )
  const random = team.random.fork(`appointment/${id}`)
  const { location, iana_timezone } = locationIn(order.patient_address.state, random)
  // The contract's type also allows unknown statuses, but the mock itself sets only known ones.
  const status = (input.status ?? 'confirmed') as AppointmentStatus
  return {
    id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: random.uuid(),
    address: addressOf(order),
    location,
    ...slot(id, status, team),
    iana_timezone,
    type: 'phlebotomy',
    provider: random.pick(appointmentProviders),
    provider_id: random.uuid(),
    external_id: random.uuid(),
    appointment_notes: null,
    ...statusFields(status),
    events: [eventOf(status, team)],
    event_data: null,
    ...input,
  }
}

function checkTransition(from: AppointmentStatus, to: AppointmentStatus): void {
  const allowed = ownValue<readonly string[]>(transitions, from) ?? []
  if (allowed.includes(to)) return
  const next = allowed.join(', ')
  const reason = next ? `. Allowed next: ${next}.` : `, because ${from} is final.`
  throw new MockError(
    'illegal_transition',
    `An appointment's status cannot change from ${from} to ${to}${reason}`,
  )
}

function eventOf(status: AppointmentStatus, { clock }: ValuePort) {
  return { created_at: dateTime(clock.moment), status: eventStatus(status), data: null }
}

function statusFields(status: AppointmentStatus) {
  const can_reschedule = status === 'confirmed'
  return { status, event_status: eventStatus(status), can_reschedule }
}

/** Returns the `event_status` for a status. The two are equal, except that `confirmed` becomes `scheduled`. */
function eventStatus(status: AppointmentStatus): AppointmentEventStatus {
  return status === 'confirmed' ? 'scheduled' : status
}

/** Returns a visit's start and end, on one of the next five days. Both are null for a pending appointment. */
function slot(id: string, status: AppointmentStatus, { random, clock }: ValuePort) {
  if (status === 'pending') return { start_at: null, end_at: null }
  const slotRandom = random.fork(`appointment/${id}/slot`)
  const midnight = Math.floor(clock.moment / day) * day
  const start = midnight + slotRandom.integer(1, 5) * day + slotRandom.integer(13, 21) * hour
  return { start_at: dateTime(start), end_at: dateTime(start + 2 * hour) }
}

function addressOf({ patient_address }: LabOrder): Appointment['address'] {
  const { first_line, second_line, city, state, zip, access_notes } = patient_address
  return {
    first_line,
    second_line: second_line ?? null,
    city,
    state,
    zip_code: zip,
    unit: null,
    access_notes: access_notes ?? null,
  }
}

/**
 * Updates an order's status after its latest appointment's status has changed (assumption). An appointment that is
 * cancelled before it is confirmed does not change the order, because no visit was scheduled. A completed order stays
 * completed.
 */
function moveOrder({ id, order_id, status }: Appointment, orders: Orders): void {
  const order = orders.get(order_id)
  if (order?.appointment_id !== id || staysEnded(order, status)) return
  if (status === 'completed') orders.complete(order_id)
  const next = nextStatus(status, order)
  if (next && next !== order.status) orders.update(order_id, { status: next })
}

/** Returns whether an order has ended and does not change. A confirmed appointment reopens a cancelled order. */
function staysEnded(order: LabOrder, appointmentStatus: string): boolean {
  const [ended] = /^(?:completed|cancelled)\b/.exec(order.status) ?? []
  return ended === 'completed' || (ended === 'cancelled' && appointmentStatus !== 'confirmed')
}

function nextStatus(status: string, order: LabOrder): string | undefined {
  if (status === 'confirmed' || status === 'in_progress') return 'collecting_sample'
  const wasScheduled = order.status === 'collecting_sample'
  return status === 'cancelled' && wasScheduled ? 'cancelled' : undefined
}
