/** What happens in the body in each minute of a day: the truth that devices measure. */
export interface DaySamples {
  /** The start of the day, milliseconds since 1970 in UTC; item `n` of each array is the `n`th minute from it. */
  readonly start: number
  /** The number of minutes: 1,440, but for days on which the clock changes or the person travels. */
  readonly minutes: number
  /** Mean heart rate of the minute, in beats per minute; an integer. */
  readonly heartRate: Float64Array
  /** Integers. */
  readonly steps: Float64Array
  /** Meters: multiples of 0.25, so that sums in any order are exact. */
  readonly distance: Float64Array
  /** Kilocalories of movement, without those at rest: multiples of 1/16, so that sums in any order are exact. */
  readonly activeCalories: Float64Array
  /** Kilocalories at rest: multiples of 1/16. Those of a day of 1,440 minutes sum to the need at rest of its plan. */
  readonly basalCalories: Float64Array
  /** Integers. */
  readonly floors: Float64Array
  /** Glucose in the blood, in mmol/L with one decimal. */
  readonly glucose: Float64Array
  /** Movement from 0, none, to 3, high. */
  readonly intensity: Uint8Array
}
