import { timeSpanPattern } from '../../shared/time-units.ts'
import { spanOf, type TimeSpan } from '../clock/time.ts'
import { checkFields } from '../plain.ts'
import type { SchedulePort } from '../ports.ts'
import { type BookingOutcome, bookingOutcomes } from './outcomes.ts'

/** An unused booking key in a snapshot. */
export type BookingKeyState = [
  key: string,
  state: {
    /** A Unix timestamp in milliseconds, or null if the key never expires. */
    expires: number | null
  },
]

/** Options for a booking key. */
export interface BookingKeyOptions {
  /** How long the key is valid, in virtual time. Default: the key never expires. */
  expiresIn?: TimeSpan
}

/**
 * Matches magic keys, which set the booking's outcome. Magic keys are always valid, so clients in any language can send
 * them without creating a key first.
 */
const magicKey = new RegExp(`^bk_(${bookingOutcomes.join('|')})(?:_after_(${timeSpanPattern}))?$`)

/** The maximum number of unused keys. Above this limit, the oldest keys are dropped. */
const maxKeys = 100_000

/** @throws {MockError} `invalid_option` for an unknown option. */
export function checkKeyOptions(options: BookingKeyOptions): void {
  checkFields(options, ['expiresIn'], 'the options of a booking key')
}

export class BookingKeys {
  readonly #team: SchedulePort
  #keys = new Map<string, BookingKeyState>()
  /** Iterates over the keys to drop, oldest first. It is reused, because a new one would revisit all deleted keys. */
  #oldest = this.#keys.keys()

  constructor(team: SchedulePort) {
    this.#team = team
  }

  create(options: BookingKeyOptions): string {
    checkKeyOptions(options)
    const { random, clock } = this.#team
    const { expiresIn } = options
    const expires = expiresIn === undefined ? null : clock.after(spanOf(expiresIn))
    const key = `bk_${random.uuid().replaceAll('-', '')}`
    this.#keys.set(key, [key, { expires }])
    if (this.#keys.size > maxKeys) this.#keys.delete(this.#oldest.next().value ?? key)
    return key
  }

  accepts(key: string): boolean {
    if (magicKey.test(key)) return true
    const [, known] = this.#keys.get(key) ?? []
    if (!known) return false
    return known.expires === null || this.#team.clock.moment < known.expires
  }

  /** Invalidates a created key. Returns a magic key's outcome, or undefined for a created key. */
  use(key: string): BookingOutcome | undefined {
    this.#keys.delete(key)
    const [, outcome, after] = magicKey.exec(key) ?? []
    // The pattern matches only outcomes and time spans.
    return outcome === undefined ? undefined : ({ outcome, after } as BookingOutcome)
  }

  snapshot(): BookingKeyState[] {
    return [...this.#keys.values()]
  }

  restore(keys: readonly BookingKeyState[]): void {
    this.#keys = new Map(keys.map((state) => [state[0], state]))
    this.#oldest = this.#keys.keys()
  }
}
