import { ownValue } from '../base/object.ts'
import type { Random } from '../base/random.ts'
import { minute } from '../base/time-units.ts'
import type { Table } from '../query/table.ts'
import { dateTime } from '../state/clock/time.ts'
import type { HealthRow } from '../state/records/health.ts'
import { rowOf } from '../state/records/summaries.ts'

/** Units by time series; the unit of any other series is `count`. */
const units: Readonly<Record<string, string>> = {
  blood_oxygen: '%',
  blood_pressure: 'mmHg',
  body_temperature: '°C',
  basal_body_temperature: '°C',
  caffeine: 'g',
  calories_active: 'kcal',
  calories_basal: 'kcal',
  carbohydrates: 'g',
  distance: 'm',
  fat: '%',
  glucose: 'mmol/L',
  heartrate: 'bpm',
  hrv: 'rmssd',
  lean_body_mass: 'kg',
  respiratory_rate: 'bpm',
  stress_level: '%',
  vo2_max: 'mL/kg/min',
  waist_circumference: 'cm',
  water: 'ml',
  weight: 'kg',
}

/** Plausible values by time series; the values of any other series are from 1 to 100. */
const ranges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  blood_oxygen: [94, 99],
  body_temperature: [36.2, 37.4],
  basal_body_temperature: [36, 36.8],
  fat: [14, 32],
  glucose: [4.2, 8.6],
  hrv: [22, 90],
  lean_body_mass: [40, 70],
  respiratory_rate: [12, 19],
  vo2_max: [28, 55],
  waist_circumference: [65, 110],
  weight: [50, 110],
}

/** Returns a row of a time series as events show it. */
export function sampleOf(resource: string, table: Table, row: number) {
  return {
    timestamp: dateTime(table.time[row] as number),
    value: rowOf(table, row)['value'] ?? null,
    unit: ownValue(units, resource) ?? 'count',
    timezone_offset: null,
  }
}

/** Generates ten samples of the last ten minutes, for a time series without generated health data. */
export function generateSamples(
  { user_id, resource, provider }: { user_id: string; resource: string; provider: string },
  { random, clock }: { random: Pick<Random, 'fork'>; clock: { readonly moment: number } },
): HealthRow[] {
  const { moment } = clock
  const sampleRandom = random.fork(`event/${user_id}/${resource}/${moment}`)
  const [low, high] = ownValue(ranges, resource) ?? [1, 100]
  return Array.from({ length: 10 }, (_, index) => {
    const id = sampleRandom.uuid()
    const value = Math.round((low + sampleRandom.next() * (high - low)) * 10) / 10
    const timestamp = dateTime(moment - (10 - index) * minute).slice(0, 19)
    const source = { source_provider: provider, source_type: 'automatic', source_app_id: null }
    return { id, user_id, resource, values: { timestamp, value, ...source } }
  })
}
