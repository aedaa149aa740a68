import type { Appointment } from '../../src/contract/appointments.ts'
import {
  type AppointmentEventStatus,
  type AppointmentStatus,
  appointmentProviders,
} from '../../src/contract/values/known-values.ts'
import { locationIn } from '../data/people.ts'
import { MockError } from '../errors.ts'
import { type Change, Collection } from './collection.ts'
import { own } from './own.ts'
import type { LabOrder } from './records/orders.ts'
import { dateTime } from './time.ts'
import type { World } from './world.ts'

/** Where an appointment can go from each status; the last two are final (specification 3.1). */
export const transitions: Record<AppointmentStatus, readonly AppointmentStatus[]> = {
  pending: ['reserved', 'confirmed', 'cancelled'],
  reserved: ['confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** How `event_status` says a status. */
const eventStatuses: Record<AppointmentStatus, AppointmentEventStatus> = {
  pending: 'pending',
  reserved: 'reserved',
  confirmed: 'scheduled',
  in_progress: 'in_progress',
  completed: 'completed',
  cancelled: 'cancelled',
}

const day = 86_400_000

/** What is left out is made up; without `order_id` an order is created too. */
export type AppointmentInput = Partial<Appointment>

/** The appointments of a team (specification 2.6). */
export class Appointments extends Collection<Appointment, AppointmentInput> {
  readonly #world: World

  constructor(world: World, changed: (change: Change) => void) {
    super({
      name: 'appointments',
      keyOf: ({ id }) => [id],
      make: (input) => makeAppointment(input, world),
      changed,
    })
    this.#world = world
  }

  /** Adds an appointment, which becomes the one of its order. */
  override create(input: AppointmentInput = {}): Appointment {
    const { orders, clock } = this.#world
    const appointment = super.create(input)
    const { id, order_id } = appointment
    orders.update(order_id, { appointment_id: id, updated_at: dateTime(clock.moment) })
    return appointment
  }

  /**
   * Moves an appointment to a status; from `confirmed` to `confirmed` is a rescheduling. A booking that goes on in the
   * background ends when its appointment is pending no longer.
   *
   * @param changes Further fields, such as a new `start_at`.
   * @throws {MockError} `illegal_transition` when its status does not lead there.
   */
  transition(
    id: string,
    status: AppointmentStatus,
    changes: Partial<Appointment> = {},
  ): Appointment {
    const appointment = this.get(id)
    if (!appointment) throw new MockError('unknown_record', 'Expected the id of an appointment.')
    checkTransition(appointment.status as AppointmentStatus, status)
    this.#world.bookings.end(id)
    const isTimed = appointment.start_at !== null || status === 'cancelled'
    return this.update(id, {
      ...(isTimed ? {} : slot(id, status, this.#world)),
      ...statusFields(status),
      events: [...appointment.events, eventOf(status, this.#world)],
      ...changes,
    })
  }
}

function makeAppointment(input: AppointmentInput, world: World): Appointment {
  const id = input.id ?? world.random.uuid()
  const order = input.order_id ? world.orders.get(input.order_id) : world.orders.create()
  if (!order) throw new MockError('unknown_record', 'Expected the order_id of an order.')
  const random = world.random.fork(`appointment/${id}`)
  const { location, iana_timezone } = locationIn(order.patient_address.state, random)
  // The contract's type lets statuses be unknown; the mock itself sets known ones only.
  const status = (input.status ?? 'confirmed') as AppointmentStatus
  return {
    id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: random.uuid(),
    address: addressOf(order),
    location,
    ...slot(id, status, world),
    iana_timezone,
    type: 'phlebotomy',
    provider: random.pick(appointmentProviders),
    provider_id: random.uuid(),
    external_id: random.uuid(),
    appointment_notes: null,
    ...statusFields(status),
    events: [eventOf(status, world)],
    event_data: null,
    ...input,
  }
}

function checkTransition(from: AppointmentStatus, to: AppointmentStatus): void {
  const allowed = own<readonly string[]>(transitions, from) ?? []
  if (allowed.includes(to)) return
  const expected = allowed.length > 0 ? `expected ${allowed.join(', ')}` : 'which is final'
  throw new MockError(
    'illegal_transition',
    `An appointment cannot go from ${from} to ${to}: from ${from}, ${expected}.`,
  )
}

function eventOf(status: AppointmentStatus, { clock }: World) {
  return { created_at: dateTime(clock.moment), status: eventStatus(status), data: null }
}

function statusFields(status: AppointmentStatus) {
  const can_reschedule = status === 'confirmed'
  return { status, event_status: eventStatus(status), can_reschedule }
}

/** A status that the specification does not list has no other name. */
function eventStatus(status: AppointmentStatus): AppointmentEventStatus {
  return own<AppointmentEventStatus>(eventStatuses, status) ?? (status as AppointmentEventStatus)
}

/** The hour of a visit, one to five days ahead; a pending appointment has none yet. */
function slot(id: string, status: AppointmentStatus, { random, clock }: World) {
  if (status === 'pending') return { start_at: null, end_at: null }
  const chance = random.fork(`appointment/${id}/slot`)
  const midnight = Math.floor(clock.moment / day) * day
  const start = midnight + chance.integer(1, 5) * day + chance.integer(13, 21) * 3_600_000
  return { start_at: dateTime(start), end_at: dateTime(start + 7_200_000) }
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
