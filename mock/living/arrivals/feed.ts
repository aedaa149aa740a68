import type { Random } from '../../reference-data/random.ts'
import type { Device } from '../devices/device-record.ts'
import type { LivingPerson } from '../person/life.ts'

/**
 * A user's connection to a provider, from which the provider's data is generated. The data is a pure function of the
 * feed and a time span, so spans can be computed in any order.
 */
export interface Feed {
  /** The connection's number. It determines the order of feeds that send at the same time. */
  readonly number: number
  readonly userId: string
  readonly person: LivingPerson
  readonly provider: string
  readonly devices: readonly Device[]
  /** Use this generator only to create forks. */
  readonly random: Random
  /** The start of the connection, as a Unix timestamp in milliseconds. */
  readonly from: number
  /** The lower limit of the records' `updated_at`, later than every `updated_at` in the provider's previous feed. */
  readonly updatedFrom: number
  /** The end of the connection, or infinity while the connection exists. */
  readonly to: number
}

/** The number of dates cached for each feed. A device that was offline sends several days of data at once. */
export const rememberedDates = 10
