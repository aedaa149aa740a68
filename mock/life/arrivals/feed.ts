import type { Random } from '../../base/random.ts'
import type { Device } from '../devices/device-record.ts'
import type { Person } from '../person/person.ts'
import type { ContentCache } from './content-cache.ts'

/**
 * What a provider sends about a person while the user is connected to it. All of it is a pure function of the feed and a
 * span of time, so that spans can be computed in any order.
 */
export interface Feed {
  /** The place among the feeds of the team; those that send at the same time send in this order. */
  readonly number: number
  /** The `user_id` of the person. */
  readonly userId: string
  /** The time zone of the person at home. */
  readonly zone: string
  /** The person whose data it is; the same object while it is used often. */
  readonly person: Person
  /** The slug of the provider. */
  readonly provider: string
  /** The devices that report to the provider. */
  readonly devices: readonly Device[]
  /** The random generator of the feed. Only fork it. */
  readonly random: Pick<Random, 'fork'>
  /** The moment of the connection, milliseconds since 1970. */
  readonly from: number
  /** The last moment of the connection; infinity while it exists. */
  readonly to: number
  /** What was computed for recent dates. */
  readonly recent: RecentDates
  /** What the devices reported; the feeds of a team share it. */
  readonly content: ContentCache
}

/** Values by name and date, up to a number of dates; a pure function computes them again when they are needed. */
export class RecentDates {
  readonly #values = new Map<string, Map<number, unknown>>()

  /** Returns a value, and computes it if it is not kept. */
  get<Value>(name: string, date: number, compute: () => Value): Value {
    const dates = this.#values.get(name) ?? new Map<number, unknown>()
    // Every caller of a name computes the same type.
    const known = dates.get(date) as Value | undefined
    if (known !== undefined) return known
    const value = compute()
    this.#values.set(name, dates.set(date, value))
    const [oldest] = dates.keys()
    if (dates.size > keptDates && oldest !== undefined) dates.delete(oldest)
    return value
  }
}

/** The dates that a feed keeps: those whose data may still be sent, also after days offline. */
const keptDates = 10
