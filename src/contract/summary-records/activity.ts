import * as z from 'zod/mini'
import { commonSummaryFields, fields, objectField, type Summary } from './summary.ts'

/** A day's heart rates (fields assumed). */
export interface ActivityHeartRate {
  /** The mean heart rate, in beats per minute. */
  avg_bpm?: number | null | undefined
  /** The minimum heart rate, in beats per minute. */
  min_bpm?: number | null | undefined
  /** The maximum heart rate, in beats per minute. */
  max_bpm?: number | null | undefined
  /** The resting heart rate, in beats per minute. */
  resting_bpm?: number | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const ActivityHeartRate = z.looseObject(
  fields('number', ['avg_bpm', 'min_bpm', 'max_bpm', 'resting_bpm']),
)

/** A day's activity (specification 2.9; fields and units assumed). */
export interface ActivitySummary extends Summary {
  /** @deprecated Midnight on `calendar_date`, such as `2025-05-31T00:00:00+00:00`. Use `calendar_date`. */
  date?: string | null | undefined
  /** The total calories, in kilocalories. */
  calories_total?: number | null | undefined
  /** The active calories, in kilocalories. */
  calories_active?: number | null | undefined
  /** The number of steps. */
  steps?: number | null | undefined
  /** The day's movement, expressed as a walking distance, in meters. */
  daily_movement?: number | null | undefined
  /** The distance, in meters. */
  distance?: number | null | undefined
  /** The number of floors climbed. */
  floors_climbed?: number | null | undefined
  /** The number of wheelchair pushes. */
  wheelchair_push?: number | null | undefined
  /** The user's time zone offset, in seconds east of UTC; null if the provider sends none. */
  timezone_offset?: number | null | undefined
  /** The name of the user's time zone; null if the provider sends none. */
  time_zone?: string | null | undefined
  /** The time at low intensity, in seconds. */
  low?: number | null | undefined
  /** The time at medium intensity, in seconds. */
  medium?: number | null | undefined
  /** The time at high intensity, in seconds. */
  high?: number | null | undefined
  /** The day's heart rates. */
  heart_rate?: ActivityHeartRate | null | undefined
}
export const ActivitySummary = z.looseObject({
  ...commonSummaryFields,
  ...fields('text', ['date', 'time_zone']),
  ...fields('number', [
    'calories_total',
    'calories_active',
    'steps',
    'daily_movement',
    'distance',
    'floors_climbed',
    'wheelchair_push',
    'timezone_offset',
    'low',
    'medium',
    'high',
  ]),
  heart_rate: objectField(ActivityHeartRate),
})
