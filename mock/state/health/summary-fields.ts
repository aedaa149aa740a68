import type { AggregateResource, aggregateColumns } from '../../../src/contract/values/columns.ts'
import type { SummaryResource } from '../../../src/contract/values/known-values.ts'
import type { Row } from '../../query/table.ts'
import { sportId } from '../../reference-data/sports.ts'

export interface RowFacts {
  /** The row's calendar day, in local time. */
  day: string
  cells: Row
  /** The offset of the row's time zone, in seconds east of UTC, or null if the provider sends no time zone. */
  offset: number | null
}

/** The source of a summary field's value: a column, a function, or an object of fields. */
export type SummaryField<Column extends string = string> =
  | Column
  | ((facts: RowFacts) => unknown)
  | { readonly [name: string]: SummaryField<Column> }

type FieldsOf<Resource extends AggregateResource> = Readonly<
  Record<string, SummaryField<keyof (typeof aggregateColumns)[Resource] & string>>
>

export const summaryTables = {
  activity: 'activity',
  body: 'body',
  meal: 'meal',
  profile: 'profile',
  sleep: 'sleep',
  workouts: 'workout',
} as const satisfies Record<SummaryResource, AggregateResource>

const timezoneOffset = ({ offset }: RowFacts) => offset
/** The day as a date-time, for older programs that do not read `calendar_date`. */
const midnight = ({ day }: RowFacts) => `${day}T00:00:00+00:00`
/** The value of a field without a column. */
const unknown = () => null

/** The fields of summary records, and the columns that they come from (assumption). */
export const summaryFields: {
  readonly [Resource in SummaryResource]: FieldsOf<(typeof summaryTables)[Resource]>
} = {
  activity: {
    date: midnight,
    calories_total: 'calories_total',
    calories_active: 'calories_active',
    steps: 'steps',
    daily_movement: 'distance_meter',
    distance: 'distance_meter',
    floors_climbed: 'floors_climbed',
    wheelchair_push: 'wheelchair_push',
    timezone_offset: timezoneOffset,
    time_zone: 'time_zone',
    low: 'intensity_low_second',
    medium: 'intensity_medium_second',
    high: 'intensity_high_second',
    heart_rate: {
      avg_bpm: 'heart_rate_mean',
      min_bpm: 'heart_rate_minimum',
      max_bpm: 'heart_rate_maximum',
      resting_bpm: 'heart_rate_resting',
    },
  },
  body: {
    date: midnight,
    weight: 'weight_kilogram',
    fat: 'fat_mass_percentage',
    water_percentage: 'water_percentage',
    muscle_mass_percentage: 'muscle_mass_percentage',
    visceral_fat_index: 'visceral_fat_index',
    bone_mass_percentage: 'bone_mass_percentage',
    body_mass_index: 'body_mass_index',
    lean_body_mass_kilogram: 'lean_body_mass_kilogram',
    waist_circumference_centimeter: 'waist_circumference_centimeter',
  },
  meal: {
    timestamp: 'date',
    name: 'name',
    priority_id: unknown,
    source_id: unknown,
    provider_id: unknown,
    energy: { unit: () => 'kcal', value: 'calories' },
    macros: {
      carbs: 'carbohydrate_gram',
      protein: 'protein_gram',
      alcohol: unknown,
      water: unknown,
      fibre: unknown,
      sugar: unknown,
      cholesterol: unknown,
      fats: {
        saturated: unknown,
        monounsaturated: unknown,
        polyunsaturated: unknown,
        omega3: unknown,
        omega6: unknown,
        total: 'fat_gram',
      },
    },
    micros: { minerals: unknown, trace_elements: unknown, vitamins: unknown },
  },
  profile: {
    height: 'height_centimeter',
    sex: 'sex',
    gender: 'gender',
    birth_date: 'birth_date',
  },
  sleep: {
    date: midnight,
    bedtime_start: 'session_start',
    bedtime_stop: 'session_end',
    type: 'type',
    state: 'state',
    timezone_offset: timezoneOffset,
    duration: 'duration_second',
    total: 'stage_asleep_second',
    awake: 'stage_awake_second',
    light: 'stage_light_second',
    rem: 'stage_rem_second',
    deep: 'stage_deep_second',
    latency: 'latency_second',
    score: 'score',
    hr_lowest: 'heart_rate_minimum',
    hr_average: 'heart_rate_mean',
    hr_resting: 'heart_rate_resting',
    hr_dip: 'heart_rate_dip',
    efficiency: 'efficiency',
    average_hrv: 'hrv_mean_rmssd',
    respiratory_rate: 'respiratory_rate',
    skin_temperature: 'skin_temperature',
    temperature_delta: 'skin_temperature_delta',
  },
  workouts: {
    title: 'title',
    sport: {
      id: ({ cells }) => sportId(cells['sport_slug']),
      name: 'sport_name',
      slug: 'sport_slug',
    },
    time_start: 'session_start',
    time_end: 'session_end',
    timezone_offset: timezoneOffset,
    moving_time: 'duration_active_second',
    average_hr: 'heart_rate_mean',
    max_hr: 'heart_rate_maximum',
    hr_zones: unknown,
    distance: 'distance_meter',
    total_elevation_gain: 'elevation_gain_meter',
    average_speed: 'speed_mean',
    max_speed: 'speed_maximum',
    average_watts: 'power_mean',
    max_watts: 'power_maximum',
    steps: 'steps',
    calories: 'calories',
    provider_id: 'external_id',
  },
}
