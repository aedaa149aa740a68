import { isKeyOf } from '../../shared/narrow.ts'
import type { ColumnType, SupportedResource } from './resources.ts'

/** Describes the samples of a time series (assumption). */
export interface SampleForm {
  /** The unit of the values. */
  readonly unit: string
  /** Whether a sample covers an interval (`start` to `end`) instead of a point in time. */
  readonly isInterval?: true
  /** The value fields, which are also columns of aggregate queries. Default: `value`, a number. */
  readonly values?: Readonly<Record<string, ColumnType>>
}

const interval = { isInterval: true } as const
const temperature = {
  ...interval,
  unit: '°C',
  values: { value: 'number', sensor_location: 'text' },
} as const
const count = { ...interval, unit: 'count' } as const

/** The sample forms of the known time series. The service may provide more time series. */
export const sampleForms = {
  afib_burden: { ...interval, unit: '%' },
  basal_body_temperature: temperature,
  blood_oxygen: { unit: '%' },
  blood_pressure: { unit: 'mmHg', values: { systolic: 'number', diastolic: 'number' } },
  body_mass_index: { ...interval, unit: 'index' },
  body_temperature: temperature,
  body_temperature_delta: temperature,
  caffeine: { ...interval, unit: 'g' },
  calories_active: { ...interval, unit: 'kcal' },
  calories_basal: { unit: 'kcal' },
  carbohydrates: { ...interval, unit: 'g' },
  cholesterol: { unit: 'mmol/L', values: { value: 'number', type: 'text' } },
  daylight_exposure: { ...interval, unit: 'min' },
  distance: { ...interval, unit: 'm' },
  electrocardiogram_voltage: { unit: 'mV' },
  fall: count,
  fat: { unit: '%' },
  floors_climbed: { unit: 'count' },
  forced_expiratory_volume_1: { ...interval, unit: 'L' },
  forced_vital_capacity: { ...interval, unit: 'L' },
  glucose: { unit: 'mmol/L' },
  handwashing: count,
  heart_rate_alert: count,
  heart_rate_recovery_one_minute: count,
  heartrate: { unit: 'bpm' },
  hrv: { unit: 'rmssd' },
  hypnogram: { ...interval, unit: 'stage' },
  ige: { unit: 'IU/mL' },
  igg: { unit: 'mg/dL' },
  inhaler_usage: count,
  insulin_injection: {
    ...interval,
    unit: 'unit',
    values: {
      value: 'number',
      type: 'text',
      delivery_mode: 'text',
      delivery_form: 'text',
      bolus_purpose: 'text',
    },
  },
  lean_body_mass: { ...interval, unit: 'kg' },
  mindfulness_minutes: { ...interval, unit: 'min' },
  note: { ...interval, unit: '', values: { value: 'text', tags: 'text' } },
  peak_expiratory_flow_rate: { ...interval, unit: 'L/min' },
  respiratory_rate: { unit: 'bpm' },
  sleep_apnea_alert: count,
  sleep_breathing_disturbance: count,
  stand_duration: { ...interval, unit: 'min' },
  stand_hour: count,
  steps: count,
  stress_level: { unit: '%' },
  uv_exposure: { ...interval, unit: 'index' },
  vo2_max: { ...interval, unit: 'mL/kg/min' },
  waist_circumference: { ...interval, unit: 'cm' },
  water: { unit: 'ml' },
  weight: { unit: 'kg' },
  wheelchair_push: count,
  workout_distance: { ...interval, unit: 'm' },
  workout_duration: {
    ...interval,
    unit: 'min',
    values: { value: 'number', intensity: 'text' },
  },
  workout_swimming_stroke: count,
} as const satisfies Partial<Record<SupportedResource, SampleForm>>

/** The name of a time series whose sample form is known. */
export type SampledResource = keyof typeof sampleForms

const usualForm: SampleForm = { unit: 'count' }

/** Returns a time series' sample form. The default for unknown time series is a count at a point in time. */
export function sampleFormOf(resource: string): SampleForm {
  return isKeyOf(sampleForms, resource) ? sampleForms[resource] : usualForm
}

export function sampleValuesOf(resource: string): Readonly<Record<string, ColumnType>> {
  return sampleFormOf(resource).values ?? { value: 'number' }
}

export function isSampledResource(resource: string): resource is SampledResource {
  return isKeyOf(sampleForms, resource)
}
