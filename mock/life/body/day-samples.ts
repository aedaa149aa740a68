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
  /** Meters. */
  readonly distance: Float64Array
  /** Kilocalories of movement, without those at rest. */
  readonly activeCalories: Float64Array
  /** Kilocalories at rest. */
  readonly basalCalories: Float64Array
  /** Integers. */
  readonly floors: Float64Array
  /** Glucose in the blood, in mmol/L. */
  readonly glucose: Float64Array
  /** Movement from 0, none, to 3, high. */
  readonly intensity: Uint8Array
}
