import type { Appointment, BookingInput } from '../../src/contract/appointments.ts'
import { confirmationTimeouts } from '../../src/contract/values/bounds.ts'
import { MockError } from '../errors.ts'
import type { Change } from './collection.ts'
import type { BookingOutcome } from './defaults.ts'
import type { DueEventType } from './due-event.ts'
import { checkFields, shown } from './plain.ts'
import type { LabOrder } from './records/orders.ts'
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

/** A key that is not used yet. */
interface BookingKey {
  /** Milliseconds since 1970; null for never. */
  expires: number | null
}

/** A due event of a booking: its type, and how long after the start of the booking it is due. */
type Step = [type: DueEventType, after: number]

/** What a snapshot keeps of a team's bookings. */
export interface BookingsSnapshot {
  attempts: Attempt[]
  keys: [string, BookingKey][]
  script: BookingOutcome[]
}

/** Keys that any language can send, always valid: they tell how the booking ends. */
const magicKey = /^bk_(confirm|fail|never)(?:_after_(\d+(?:ms|s|m|h)))?$/

/** Of the keys that are neither used nor expired so many are kept, the latest ones. */
const keysKept = 100_000

/** A team's bookings: the keys they need, how they end, and the attempts that go on. */
export class Bookings {
  readonly #world: World
  /** Attempts by id. */
  readonly #attempts = new Map<string, Attempt>()
  /** Their ids by order. */
  readonly #orders = new Map<string, string>()
  readonly #keys = new Map<string, BookingKey>()
  #script: BookingOutcome[] = []

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Says how the next booking ends that is made without a magic key; called several times, how the next ones end.
   *
   * @throws {MockError} `invalid_option` or `invalid_time` for an outcome that there is not.
   */
  next(outcome: BookingOutcome): void {
    checkOutcome(outcome)
    this.#script.push({ ...outcome })
  }

  /**
   * A fresh booking key: good for one booking, and only until it expires.
   *
   * @throws {MockError} `invalid_time` when `expiresIn` is no length of time.
   */
  key(options: { expiresIn?: TimeSpan } = {}): string {
    checkFields(options, ['expiresIn'], 'the options of a booking key')
    const { random, clock } = this.#world
    const { expiresIn } = options
    const expires = expiresIn === undefined ? null : clock.after(spanOf(expiresIn))
    const key = `bk_${random.uuid().replaceAll('-', '')}`
    this.#keys.set(key, { expires })
    const [oldest = key] = this.#keys.keys()
    if (this.#keys.size > keysKept) this.#keys.delete(oldest)
    return key
  }

  /** Whether a key is known, unused and not expired. */
  accepts(key: string): boolean {
    if (magicKey.test(key)) return true
    const known = this.#keys.get(key)
    if (!known) return false
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
    const { clock } = this.#world
    const steps = this.#stepsOf(attempt, body, spanOf(after))
    // Refused before anything begins.
    for (const [, span] of steps) clock.after(span)
    this.#add(attempt)
    if (steps.length === 0) this.decide(attempt.id)
    for (const [type, span] of steps) this.#world.schedule(type, attempt.id, clock.after(span))
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
    this.#world.clock.settle()
  }

  /** Ends the booking that a change of a record makes impossible; a request that waits for it answers as failed. */
  follow({ collection, action, key, before, after }: Change): void {
    if (collection === 'appointments') {
      const isPending = action !== 'delete' && (after as Appointment).status === 'pending'
      if (!isPending) this.end(key)
    }
    if (collection === 'orders') {
      const wasBookable = before !== undefined && isBookable(before as LabOrder)
      const isStill = action !== 'delete' && isBookable(after as LabOrder)
      if (wasBookable && !isStill) this.end(this.#orders.get(key) ?? '')
    }
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
  restore({ attempts, keys, script }: BookingsSnapshot): void {
    this.#attempts.clear()
    this.#orders.clear()
    for (const attempt of attempts) this.#add(attempt)
    this.#keys.clear()
    for (const [key, state] of keys) this.#keys.set(key, state)
    this.#script = [...script]
  }

  #add(attempt: Attempt): void {
    this.#attempts.set(attempt.id, attempt)
    this.#orders.set(attempt.order_id, attempt.id)
  }

  #outcomeOf(key: string): BookingOutcome {
    const [, outcome, after] = magicKey.exec(key) ?? []
    if (outcome) return { outcome, after } as BookingOutcome
    // A used key is as unknown as any other.
    this.#keys.delete(key)
    return this.#script.shift() ?? this.#world.settings.bookingOutcome
  }

  /**
   * The due events of a booking; none when it ends at once. Both timeouts count from the start of the booking. A failure
   * in the background is no confirmation, which is all the specification tells of an asynchronous booking: the
   * appointment stays pending until its timeout.
   */
  #stepsOf({ is_async, outcome }: Attempt, body: BookingInput, after: number): Step[] {
    const comes = outcome === 'confirm' || (outcome === 'fail' && !is_async)
    if (comes && after === 0) return []
    const first: Step[] = comes ? [['booking.outcome', after]] : []
    if (!is_async) {
      const { synchronousBookingTimeout } = this.#world.settings
      return [...first, ['booking.timeout', spanOf(synchronousBookingTimeout)]]
    }
    const { sync, async } = confirmationTimeouts
    const patience = body.sync_confirmation_timeout_millisecond ?? sync.default
    const limit = body.async_confirmation_timeout_millisecond ?? async.default
    return [...first, ['booking.pending', patience], ['booking.abandoned', limit]]
  }

  /** Makes the booking's appointment, or moves the pending one on. */
  #appoint({ id, order_id, appointment_notes }: Attempt, status: 'pending' | 'confirmed'): void {
    const { appointments } = this.#world
    if (appointments.has(id)) appointments.transition(id, status)
    else appointments.create({ id, order_id, appointment_notes, status })
  }
}

/** How a booking can end. */
export const bookingOutcomes = ['confirm', 'fail', 'never'] as const

/** @throws {MockError} `invalid_option` or `invalid_time` for an outcome that there is not. */
export function checkOutcome(input: BookingOutcome): void {
  checkFields(input, ['outcome', 'after'], 'a booking outcome')
  if (!bookingOutcomes.includes(input.outcome)) {
    throw new MockError(
      'invalid_option',
      `Expected outcome to be ${bookingOutcomes.join(', ')}, but got ${shown(input.outcome)}.`,
    )
  }
  spanOf(input.after ?? 0)
}

/** Whether a phlebotomist may still come for an order. */
function isBookable({ collection_method, status }: LabOrder): boolean {
  return collection_method === 'at_home_phlebotomy' && !/^(?:completed|cancelled)\b/.test(status)
}
