import * as z from 'zod/mini'
import { commonSummaryFields, fields, type Summary } from './summary.ts'

/** A sleep session (specification 2.9; fields and units assumed). */
export interface SleepSummary extends Summary {
  /** @deprecated Midnight on `calendar_date`, such as `2025-05-31T00:00:00+00:00`. Use `calendar_date`. */
  date?: string | null | undefined
  /** When the user went to bed, in UTC (ISO 8601). */
  bedtime_start?: string | null | undefined
  /** When the user got up, in UTC (ISO 8601). */
  bedtime_stop?: string | null | undefined
  /** The type of session, such as `long_sleep`. */
  type?: string | null | undefined
  /** `tentative` while the provider may still change the session, then `confirmed`. */
  state?: string | null | undefined
  /** The user's time zone offset, in seconds east of UTC; null if the provider sends none. */
  timezone_offset?: number | null | undefined
  /** The time in bed, in seconds. */
  duration?: number | null | undefined
  /** The time asleep, in seconds. */
  total?: number | null | undefined
  /** The time awake, in seconds. */
  awake?: number | null | undefined
  /** The time in light sleep, in seconds. */
  light?: number | null | undefined
  /** The time in REM sleep, in seconds. */
  rem?: number | null | undefined
  /** The time in deep sleep, in seconds. */
  deep?: number | null | undefined
  /** The time until the user fell asleep, in seconds. */
  latency?: number | null | undefined
  /** The provider's score, from 0 to 100. */
  score?: number | null | undefined
  /** The lowest heart rate, in beats per minute. */
  hr_lowest?: number | null | undefined
  /** The mean heart rate, in beats per minute. */
  hr_average?: number | null | undefined
  /** The resting heart rate, in beats per minute. */
  hr_resting?: number | null | undefined
  /** The drop in heart rate during the night, as a percentage. */
  hr_dip?: number | null | undefined
  /** The time asleep as a percentage of the time in bed. */
  efficiency?: number | null | undefined
  /** The mean heart rate variability (RMSSD), in milliseconds. */
  average_hrv?: number | null | undefined
  /** The mean number of breaths per minute. */
  respiratory_rate?: number | null | undefined
  /** The skin temperature, in degrees Celsius. */
  skin_temperature?: number | null | undefined
  /** The difference from the user's usual temperature, in degrees Celsius. */
  temperature_delta?: number | null | undefined
}
export const SleepSummary = z.looseObject({
  ...commonSummaryFields,
  ...fields('text', ['date', 'bedtime_start', 'bedtime_stop', 'type', 'state']),
  ...fields('number', [
    'timezone_offset',
    'duration',
    'total',
    'awake',
    'light',
    'rem',
    'deep',
    'latency',
    'score',
    'hr_lowest',
    'hr_average',
    'hr_resting',
    'hr_dip',
    'efficiency',
    'average_hrv',
    'respiratory_rate',
    'skin_temperature',
    'temperature_delta',
  ]),
})
