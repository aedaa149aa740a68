import { day, hour } from '../../shared/time-units.ts'
import type { Outbox } from '../outbox.ts'
import type { Delivery } from './deliveries.ts'

/** A receiver's failures since its latest success. Times are Unix timestamps in milliseconds of virtual time. */
export interface EndpointHealth {
  /** The times of the failures in the last 24 hours, at most one per hour. */
  readonly failures: readonly number[]
  /** The time of the first failure that was at least 12 hours after the oldest one in `failures`, or null. */
  readonly failingSince: number | null
}

export const healthy: EndpointHealth = { failures: [], failingSince: null }

/** The age above which a failure is discarded. */
const window = day
/** A receiver is failing once its first and latest failures in the window are at least this far apart. */
const shortestStreak = 12 * hour
/** The time from `failingSince` until the receiver is disabled. */
const patience = 5 * day

export function healthAfter(
  outcome: Delivery['outcome'],
  health: EndpointHealth = healthy,
  at: number,
): EndpointHealth {
  return outcome === 'delivered' ? healthy : afterFailure(health, at)
}

function afterFailure(health: EndpointHealth, at: number): EndpointHealth {
  const recent = health.failures.filter((failure) => failure >= at - window)
  const [first = at] = recent
  const isStreak = at - first >= shortestStreak
  const isNew = at - (recent.at(-1) ?? Number.NEGATIVE_INFINITY) >= hour
  return {
    failures: isNew ? [...recent, at] : recent,
    failingSince: health.failingSince ?? (isStreak ? at : null),
  }
}

export function isDisabled({ failingSince }: EndpointHealth = healthy, now: number): boolean {
  return failingSince !== null && now >= failingSince + patience
}

/** Counts the events that a receiver has yet to read. Caches the count, because the inspector reads it every second. */
export class UnreadCount {
  readonly #outbox: Outbox
  #matches: ((type: string) => boolean) | undefined
  /** The number of the first event not included in the count. */
  #end = 0
  #count = 0
  #overflows = 0

  constructor(outbox: Outbox) {
    this.#outbox = outbox
  }

  from(next: number, matches: (type: string) => boolean): number {
    const { count, overflows } = this.#outbox
    const isKept = this.#matches === matches && this.#overflows === overflows && next <= this.#end
    if (!isKept) this.#count = 0
    this.#count += this.#outbox.countFrom(isKept ? this.#end : next, matches)
    this.#matches = matches
    this.#overflows = overflows
    this.#end = count + 1
    return this.#count
  }

  /** Removes a matching event from the count, because the receiver has read it. */
  subtract(number: number): void {
    if (number < this.#end) this.#count -= 1
  }

  /** Discards the cached count, because the receiver skipped events or was restored. */
  reset(): void {
    this.#matches = undefined
  }
}
