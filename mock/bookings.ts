import { type BookingInput, confirmationTimeouts } from '../src/contract/orders.ts'
import type { BookingOutcome } from './defaults.ts'
import { spanOf, type TimeSpan } from './time.ts'
import type { World } from './world.ts'

/** A booking that goes on: it ends with a confirmation, a failure or a timeout (specification 3.1). */
interface Attempt {
  /** Also the id of the appointment that comes of it. */
  id: string
  order_id: string
  appointment_notes: string | null
  is_async: boolean
  outcome: BookingOutcome['outcome']
}

interface BookingKey {
  expires: number | null
  is_used: boolean
}

/** What a snapshot keeps of a team's bookings. */
export interface BookingsSnapshot {
  attempts: Attempt[]
  keys: [string, BookingKey][]
  script: BookingOutcome[]
}

/** Keys that any language can send, always valid: they tell how the booking ends. */
const magicKey = /^bk_(confirm|fail|never)(?:_after_(\d+(?:ms|s|m|h)))?$/

/** A team's bookings: the keys they need, how they end, and the attempts that go on. */
export class Bookings {
  readonly #world: World
  /** Attempts by id. */
  readonly #attempts = new Map<string, Attempt>()
  /** The orders they are for. */
  readonly #orders = new Set<string>()
  readonly #keys = new Map<string, BookingKey>()
  #script: BookingOutcome[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** Says how the next booking ends that is made without a magic key; called several times, how the next ones end. */
  next(outcome: BookingOutcome): void {
    spanOf(outcome.after ?? 0)
    this.#script.push({ ...outcome })
  }

  /** A fresh booking key: good for one booking, and only until it expires. */
  key({ expiresIn }: { expiresIn?: TimeSpan } = {}): string {
    const { random, clock } = this.#world
    const key = `bk_${random.uuid().replaceAll('-', '')}`
    const expires = expiresIn === undefined ? null : clock.moment + spanOf(expiresIn)
    this.#keys.set(key, { expires, is_used: false })
    return key
  }

  /** Whether a key is known, unused and not expired. */
  accepts(key: string): boolean {
    if (magicKey.test(key)) return true
    const known = this.#keys.get(key)
    if (!known || known.is_used) return false
    return known.expires === null || this.#world.clock.moment < known.expires
  }

  /** Whether a booking of this order goes on. */
  isUnderWay(orderId: string): boolean {
    return this.#orders.has(orderId)
  }

  /** Begins a booking and gives its id; the appointment that may come of it has the same one. */
  begin(orderId: string, body: BookingInput): string {
    const { random } = this.#world
    const { outcome, after = 0 } = this.#outcomeOf(body.booking_key)
    const attempt: Attempt = {
      id: random.uuid(),
      order_id: orderId,
      appointment_notes: body.appointment_notes ?? null,
      is_async: body.async_confirmation ?? false,
      outcome,
    }
    this.#add(attempt)
    this.#plan(attempt, body, spanOf(after))
    return attempt.id
  }

  /** Whether a booking can be answered: it ended, or its appointment is pending. */
  isAnswered(id: string): boolean {
    return !this.#attempts.has(id) || this.#world.appointments.has(id)
  }

  /** What was planned for a booking comes. */
  decide(id: string): void {
    const attempt = this.#attempts.get(id)
    if (!attempt) return
    if (attempt.outcome === 'confirm') this.#appoint(attempt, 'confirmed')
    this.end(id)
  }

  /** No confirmation came within `sync_confirmation_timeout_millisecond`: booking continues in the background. */
  leavePending(id: string): void {
    const attempt = this.#attempts.get(id)
    if (attempt) this.#appoint(attempt, 'pending')
  }

  /** No confirmation came within `async_confirmation_timeout_millisecond`. */
  abandon(id: string): void {
    const { appointments } = this.#world
    if (this.#attempts.has(id) && appointments.has(id)) appointments.transition(id, 'cancelled')
    this.end(id)
  }

  /** Ends a booking; what was planned for it does not come any more. */
  end(id: string): void {
    const attempt = this.#attempts.get(id)
    if (!attempt) return
    this.#attempts.delete(id)
    this.#orders.delete(attempt.order_id)
    this.#world.clock.cancel(id)
  }

  /** What a snapshot keeps. */
  snapshot(): BookingsSnapshot {
    return structuredClone({
      attempts: [...this.#attempts.values()],
      keys: [...this.#keys],
      script: this.#script,
    })
  }

  /** Brings back what a snapshot keeps. */
  restore(snapshot: BookingsSnapshot): void {
    const { attempts, keys, script } = structuredClone(snapshot)
    this.#attempts.clear()
    this.#orders.clear()
    for (const attempt of attempts) this.#add(attempt)
    this.#keys.clear()
    for (const [key, state] of keys) this.#keys.set(key, state)
    this.#script = script
  }

  #add(attempt: Attempt): void {
    this.#attempts.set(attempt.id, attempt)
    this.#orders.add(attempt.order_id)
  }

  #outcomeOf(key: string): BookingOutcome {
    const [, outcome, after] = magicKey.exec(key) ?? []
    if (outcome) return { outcome, after } as BookingOutcome
    const known = this.#keys.get(key)
    if (known) known.is_used = true
    return this.#script.shift() ?? this.#world.settings.bookingOutcome
  }

  /**
   * Both timeouts count from the start of the booking. A failure in the background is no confirmation, which is all the
   * specification tells of an asynchronous booking: the appointment stays pending until its timeout.
   */
  #plan(attempt: Attempt, body: BookingInput, after: number): void {
    const { id, is_async, outcome } = attempt
    const comes = outcome === 'confirm' || (outcome === 'fail' && !is_async)
    if (comes && after === 0) {
      this.decide(id)
      return
    }
    if (comes) this.#schedule('booking.outcome', id, after)
    if (!is_async) {
      const { synchronousBookingTimeout } = this.#world.settings
      this.#schedule('booking.timeout', id, spanOf(synchronousBookingTimeout))
      return
    }
    const { sync, async } = confirmationTimeouts
    const patience = body.sync_confirmation_timeout_millisecond ?? sync.default
    const limit = body.async_confirmation_timeout_millisecond ?? async.default
    this.#schedule('booking.pending', id, patience)
    this.#schedule('booking.abandoned', id, limit)
  }

  #schedule(type: string, id: string, after: number): void {
    this.#world.schedule(type, id, this.#world.clock.moment + after)
  }

  /** Makes the booking's appointment, or moves the pending one on. */
  #appoint({ id, order_id, appointment_notes }: Attempt, status: 'pending' | 'confirmed'): void {
    const { appointments } = this.#world
    if (appointments.has(id)) appointments.transition(id, status)
    else appointments.create({ id, order_id, appointment_notes, status })
  }
}
