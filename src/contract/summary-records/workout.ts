import * as z from 'zod/mini'
import { commonSummaryFields, fields, objectField, type Summary } from './summary.ts'

/** A workout's sport (fields assumed). */
export interface Sport {
  /** The sport's id. */
  id?: number | null | undefined
  /** The sport's display name. */
  name?: string | null | undefined
  /** The sport's slug, such as `running`. */
  slug?: string | null | undefined
  /** Additional, unspecified fields. */
  [field: string]: unknown
}
export const Sport = z.looseObject({
  ...fields('number', ['id']),
  ...fields('text', ['name', 'slug']),
})

/** A workout (specification 2.9; fields and units assumed). */
export interface WorkoutSummary extends Summary {
  /** The workout's title. */
  title?: string | null | undefined
  /** The sport. */
  sport?: Sport | null | undefined
  /** When the workout started, in UTC (ISO 8601). */
  time_start?: string | null | undefined
  /** When the workout ended, in UTC (ISO 8601). */
  time_end?: string | null | undefined
  /** The user's time zone offset, in seconds east of UTC; null if the provider sends none. */
  timezone_offset?: number | null | undefined
  /** The time in motion, in seconds. */
  moving_time?: number | null | undefined
  /** The mean heart rate, in beats per minute. */
  average_hr?: number | null | undefined
  /** The maximum heart rate, in beats per minute. */
  max_hr?: number | null | undefined
  /** The time in each heart rate zone, in seconds. */
  hr_zones?: number[] | null | undefined
  /** The distance, in meters. */
  distance?: number | null | undefined
  /** The elevation gain, in meters. */
  total_elevation_gain?: number | null | undefined
  /** The mean speed, in meters per second. */
  average_speed?: number | null | undefined
  /** The maximum speed, in meters per second. */
  max_speed?: number | null | undefined
  /** The mean power, in watts. */
  average_watts?: number | null | undefined
  /** The maximum power, in watts. */
  max_watts?: number | null | undefined
  /** The number of steps. */
  steps?: number | null | undefined
  /** The calories burned, in kilocalories. */
  calories?: number | null | undefined
  /** The provider's id for the workout. */
  provider_id?: string | null | undefined
}
export const WorkoutSummary = z.looseObject({
  ...commonSummaryFields,
  ...fields('text', ['time_start', 'time_end', 'title', 'provider_id']),
  ...fields('number', [
    'timezone_offset',
    'moving_time',
    'average_hr',
    'max_hr',
    'distance',
    'total_elevation_gain',
    'average_speed',
    'max_speed',
    'average_watts',
    'max_watts',
    'steps',
    'calories',
  ]),
  sport: objectField(Sport),
  hr_zones: objectField(z.array(z.number())),
})
