import type { ColumnType } from './resources.ts'
import { sampleFormOf, type sampleForms, sampleValuesOf } from './samples.ts'

/** The columns that describe a row's source. Every resource has them (assumption). */
export const sourceColumnTypes = {
  source_provider: 'text',
  source_type: 'text',
  source_app_id: 'text',
} as const

const summaryColumnTypes = {
  time_zone: 'text',
  source_device_id: 'text',
  ...sourceColumnTypes,
} as const

/**
 * The known columns of aggregate queries, by resource (assumed for specification 2.10); the service may provide more.
 */
export const aggregateColumns = {
  sleep: {
    id: 'text',
    session_start: 'time',
    session_end: 'time',
    state: 'text',
    type: 'text',
    duration_second: 'integer',
    stage_asleep_second: 'integer',
    stage_awake_second: 'integer',
    stage_light_second: 'integer',
    stage_rem_second: 'integer',
    stage_deep_second: 'integer',
    stage_unknown_second: 'integer',
    latency_second: 'integer',
    heart_rate_minimum: 'integer',
    heart_rate_mean: 'integer',
    heart_rate_maximum: 'integer',
    heart_rate_resting: 'integer',
    efficiency: 'number',
    hrv_mean_rmssd: 'number',
    hrv_mean_sdnn: 'number',
    respiratory_rate: 'number',
    skin_temperature: 'number',
    skin_temperature_delta: 'number',
    heart_rate_dip: 'number',
    score: 'integer',
    recovery_readiness_score: 'integer',
    ...summaryColumnTypes,
  },
  activity: {
    id: 'text',
    date: 'time',
    calories_total: 'number',
    calories_active: 'number',
    steps: 'integer',
    distance_meter: 'number',
    floors_climbed: 'integer',
    duration_active_second: 'integer',
    intensity_sedentary_second: 'integer',
    intensity_low_second: 'integer',
    intensity_medium_second: 'integer',
    intensity_high_second: 'integer',
    wheelchair_push: 'integer',
    heart_rate_mean: 'integer',
    heart_rate_minimum: 'integer',
    heart_rate_maximum: 'integer',
    heart_rate_resting: 'integer',
    ...summaryColumnTypes,
  },
  workout: {
    id: 'text',
    session_start: 'time',
    session_end: 'time',
    title: 'text',
    sport_name: 'text',
    sport_slug: 'text',
    duration_active_second: 'integer',
    heart_rate_mean: 'integer',
    heart_rate_minimum: 'integer',
    heart_rate_maximum: 'integer',
    distance_meter: 'number',
    elevation_gain_meter: 'number',
    speed_mean: 'number',
    speed_maximum: 'number',
    power_mean: 'number',
    power_maximum: 'number',
    steps: 'integer',
    calories: 'number',
    external_id: 'text',
    ...summaryColumnTypes,
  },
  body: {
    id: 'text',
    measured_at: 'time',
    weight_kilogram: 'number',
    fat_mass_percentage: 'number',
    water_percentage: 'number',
    muscle_mass_percentage: 'number',
    visceral_fat_index: 'number',
    bone_mass_percentage: 'number',
    body_mass_index: 'number',
    lean_body_mass_kilogram: 'number',
    waist_circumference_centimeter: 'number',
    ...summaryColumnTypes,
  },
  meal: {
    id: 'text',
    date: 'time',
    name: 'text',
    calories: 'number',
    carbohydrate_gram: 'number',
    protein_gram: 'number',
    fat_gram: 'number',
    ...summaryColumnTypes,
  },
  profile: {
    id: 'text',
    updated_at: 'time',
    sex: 'text',
    gender: 'text',
    height_centimeter: 'number',
    birth_date: 'text',
    ...summaryColumnTypes,
  },
} as const satisfies Record<string, Record<string, ColumnType>>

/** The columns of a typical time series, such as `heartrate` (assumption). */
export const timeseriesColumns = {
  timestamp: 'time',
  value: 'number',
  ...sourceColumnTypes,
} as const satisfies Record<string, ColumnType>

export function seriesColumns(resource: string): Readonly<Record<string, ColumnType>> {
  const { isInterval } = sampleFormOf(resource)
  return {
    timestamp: 'time',
    ...(isInterval && { end: 'time' }),
    ...sampleValuesOf(resource),
    ...sourceColumnTypes,
  }
}

/** A resource with summary records. Any other resource is a time series. */
export type AggregateResource = keyof typeof aggregateColumns

/** The known columns of a resource; for `source`, the columns that every resource has. */
export type AggregateColumn<Resource extends string> = Resource extends AggregateResource
  ? keyof (typeof aggregateColumns)[Resource] & string
  : Resource extends 'source'
    ? keyof typeof sourceColumnTypes
    : SeriesColumn<Resource>

type SeriesColumn<Resource extends string> = Resource extends keyof typeof sampleForms
  ?
      | keyof ValuesOf<(typeof sampleForms)[Resource]>
      | ((typeof sampleForms)[Resource] extends { isInterval: true } ? 'end' : never)
      | Exclude<keyof typeof timeseriesColumns, 'value'>
  : keyof typeof timeseriesColumns

type ValuesOf<Form> = Form extends { values: infer Values } ? Values : { value: 'number' }
