import type { BookingInput } from '../../../src/contract/appointments.ts'
import type { AppointmentProvider } from '../../../src/contract/values/known-values.ts'
import { checkOptions } from '../check-options.ts'
import { spanOf } from '../clock/time.ts'
import { isChangeOf } from '../collections/changes.ts'
import type { Change } from '../collections/collection.ts'
import type { SchedulePort } from '../ports.ts'
import type { LabOrder } from '../records/orders.ts'
import { bookingOutcomeSchema } from '../settings.ts'
import type { Appointments } from './appointments.ts'
import { type BookingKeyOptions, type BookingKeyState, BookingKeys } from './booking-keys.ts'
import { bookingEventTypes, bookingStepsOf, type OpenBooking } from './booking-steps.ts'
import type { BookingOutcome } from './outcomes.ts'

/** A team's bookings in a snapshot. */
export interface BookingsSnapshot {
  /** The bookings in progress. */
  attempts: OpenBooking[]
  /** The unused keys, with their expiry times. */
  keys: BookingKeyState[]
  /** The planned outcomes of the next bookings, in order. */
  script: BookingOutcome[]
}

/** Manages a team's booking keys, planned outcomes and bookings in progress. */
export class Bookings {
  readonly #team: SchedulePort
  readonly #appointments: Appointments
  readonly #open = new Map<string, OpenBooking>()
  /** The ids of the bookings in progress, by order id. */
  readonly #orders = new Map<string, string>()
  readonly #keys: BookingKeys
  #script: BookingOutcome[] = []

  constructor(team: SchedulePort, appointments: Appointments) {
    this.#team = team
    this.#appointments = appointments
    this.#keys = new BookingKeys(team)
  }

  /**
   * Sets the outcome of the next booking without a magic key. Further calls set the outcomes of later bookings, in
   * order.
   *
   * @throws {MockError} `invalid_option` for an unknown outcome, or `invalid_time` for an invalid time span.
   */
  next(outcome: BookingOutcome): void {
    spanOf(Object(outcome).after ?? 0)
    checkOptions(bookingOutcomeSchema, outcome, 'outcome')
    this.#script.push({ ...outcome })
  }

  /**
   * Creates a single-use booking key.
   *
   * @throws {MockError} `invalid_option` for an unknown option, or `invalid_time` if `expiresIn` is not a time span.
   */
  key(options: BookingKeyOptions = {}): string {
    return this.#keys.create(options)
  }

  /** Returns whether a key is valid: a magic key, or a created key that is unused and has not expired. */
  accepts(key: string): boolean {
    return this.#keys.accepts(key)
  }

  /** Returns whether an order has a booking in progress. */
  isOpen(orderId: string): boolean {
    return this.#orders.has(orderId)
  }

  /**
   * Starts a booking. Returns the booking's id, which is also its appointment's id.
   *
   * @param orderId The order's id.
   */
  begin(orderId: string, body: BookingInput): string {
    const { random, clock, settings } = this.#team
    const { outcome, after = 0 } =
      this.#keys.use(body.booking_key) ?? this.#script.shift() ?? settings.bookingOutcome
    const booking: OpenBooking = {
      id: random.uuid(),
      order_id: orderId,
      appointment_notes: body.appointment_notes ?? null,
      is_async: body.async_confirmation ?? false,
      outcome,
    }
    const steps = bookingStepsOf(
      booking,
      body,
      spanOf(after),
      spanOf(settings.synchronousBookingTimeout),
    )
    // Check all times before any change, because an invalid time throws.
    for (const [, span] of steps) clock.after(span)
    this.#add(booking)
    if (steps.length === 0) this.applyOutcome(booking.id)
    for (const [type, span] of steps) this.#team.schedule(type, booking.id, clock.after(span))
    return booking.id
  }

  /** Returns whether a booking request's response is ready: the booking has ended, or its appointment is pending. */
  hasResponse(id: string): boolean {
    return !this.#open.has(id) || this.#appointments.has(id)
  }

  /** Applies a booking's outcome, which ends the booking. */
  applyOutcome(id: string): void {
    const booking = this.#open.get(id)
    if (!booking) return
    if (booking.outcome === 'confirm') this.#setAppointment(booking, 'confirmed')
    this.end(id)
  }

  /** Creates a pending appointment, because no confirmation arrived within `sync_confirmation_timeout_millisecond`. */
  leavePending(id: string): void {
    const booking = this.#open.get(id)
    if (booking) this.#setAppointment(booking, 'pending')
  }

  /** Cancels a pending appointment, because no confirmation arrived within `async_confirmation_timeout_millisecond`. */
  abandon(id: string): void {
    this.#appointments.transition(id, 'cancelled')
  }

  /** Ends a booking and cancels its scheduled events. */
  end(id: string): void {
    const booking = this.#open.get(id)
    if (!booking) return
    this.#open.delete(id)
    this.#orders.delete(booking.order_id)
    for (const type of bookingEventTypes) this.#team.clock.cancel(type, id)
    this.#team.clock.settle(id)
  }

  /** Ends a booking that a record change has completed or prevented. Waiting requests then get their response. */
  handleChange(change: Change): void {
    const { key } = change
    if (isChangeOf(change, 'appointments')) {
      const { after } = change
      if (after?.status !== 'pending') this.end(key)
      const booking = after && this.#orders.get(after.order_id)
      // An order can be booked only once, so an appointment that a test creates ends the order's booking in progress.
      if (booking && booking !== key && after.status !== 'cancelled') this.end(booking)
    }
    if (isChangeOf(change, 'orders') && preventsBooking(change)) {
      this.end(this.#orders.get(key) ?? '')
    }
  }

  /** Returns the state for a snapshot. Later changes do not affect the result. */
  snapshot(): BookingsSnapshot {
    const attempts = [...this.#open.values()]
    return { attempts, keys: this.#keys.snapshot(), script: [...this.#script] }
  }

  /** Restores a snapshot's state. */
  restore({ attempts, keys, script }: BookingsSnapshot): void {
    this.#open.clear()
    this.#orders.clear()
    for (const booking of attempts) this.#add(booking)
    this.#keys.restore(keys)
    this.#script = [...script]
  }

  #add(booking: OpenBooking): void {
    this.#open.set(booking.id, booking)
    this.#orders.set(booking.order_id, booking.id)
  }

  #setAppointment(
    { id, order_id, appointment_notes }: OpenBooking,
    status: 'pending' | 'confirmed',
  ): void {
    const appointments = this.#appointments
    if (appointments.has(id)) appointments.transition(id, status)
    else appointments.create({ id, order_id, appointment_notes, status, provider: bookingProvider })
  }
}

/** The provider of every booking, because it confirms bookings immediately (assumption). */
const bookingProvider: AppointmentProvider = 'getlabs'

/** Returns whether a change of an order prevents the booking in progress. A cancelled order can be booked. */
function preventsBooking({ before, after }: { before?: LabOrder; after?: LabOrder }): boolean {
  if (after?.collection_method !== 'at_home_phlebotomy') return true
  return before !== undefined && !hasEnded(before) && hasEnded(after)
}

function hasEnded({ status }: LabOrder): boolean {
  return /^(?:completed|cancelled)\b/.test(status)
}
