import type { Random } from '../../reference-data/random.ts'
import type { Device } from '../devices/device-record.ts'
import type { LivingPerson } from '../person/life.ts'

/**
 * The data that a provider sends about a person while the user is connected to the provider. It is a pure function of
 * the feed and a time span, so spans can be computed in any order.
 */
export interface Feed {
  /** The position among the team's feeds; feeds that send at the same time send in this order. */
  readonly number: number
  /** The person's `user_id`. */
  readonly userId: string
  /** The person to whom the data belongs. */
  readonly person: LivingPerson
  /** The provider's slug. */
  readonly provider: string
  /** The devices that report to the provider. */
  readonly devices: readonly Device[]
  /** The feed's random generator. Use it only to create forks. */
  readonly random: Random
  /** The first moment of the connection, as a Unix timestamp in milliseconds. */
  readonly from: number
  /** The last moment of the connection, or infinity while the connection exists. */
  readonly to: number
}

/** The dates that a feed remembers: those whose data may still be sent, also after days offline. */
export const rememberedDates = 10
