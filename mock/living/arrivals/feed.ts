import type { Random } from '../../reference-data/random.ts'
import type { Device } from '../devices/device-record.ts'
import type { LivingPerson } from '../person/life.ts'

/**
 * What a provider sends about a person while the user is connected to it. All of it is a pure function of the feed and a
 * span of time, so that spans can be computed in any order.
 */
export interface Feed {
  /** The position among the team's feeds; feeds that send at the same time send in this order. */
  readonly number: number
  /** The `user_id` of the person. */
  readonly userId: string
  /** The person whose data it is. */
  readonly person: LivingPerson
  /** The slug of the provider. */
  readonly provider: string
  /** The devices that report to the provider. */
  readonly devices: readonly Device[]
  /** The random generator of the feed. Only fork it. */
  readonly random: Random
  /** The moment of the connection, milliseconds since 1970. */
  readonly from: number
  /** The last moment of the connection; infinity while it exists. */
  readonly to: number
}

/** The dates that a feed remembers: those whose data may still be sent, also after days offline. */
export const rememberedDates = 10
