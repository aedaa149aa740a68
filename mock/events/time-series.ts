import { ownValue } from '../base/object.ts'
import type { Random } from '../base/random.ts'
import { minute } from '../base/time-units.ts'
import { localTime } from '../base/time-zone.ts'
import { formatFloating } from '../query/calendar.ts'
import { type Table, valueAt } from '../query/table.ts'
import type { HealthRow } from '../state/records/health/health-rows.ts'
import { type HealthTimeContext, rowTime } from '../state/records/health/health-time.ts'

/** The unit of a time series, and its plausible values if they are not those of the user's body. */
type Series = readonly [unit: string, low?: number, high?: number]

/** Time series by name. */
const series: Readonly<Record<string, Series>> = {
  blood_oxygen: ['%'],
  blood_pressure: ['mmHg'],
  body_temperature: ['°C'],
  basal_body_temperature: ['°C', 36, 36.8],
  caffeine: ['g'],
  calories_active: ['kcal'],
  calories_basal: ['kcal'],
  carbohydrates: ['g'],
  distance: ['m'],
  fat: ['%'],
  glucose: ['mmol/L'],
  heartrate: ['bpm'],
  hrv: ['rmssd'],
  lean_body_mass: ['kg'],
  respiratory_rate: ['bpm'],
  stress_level: ['%'],
  vo2_max: ['mL/kg/min', 28, 55],
  waist_circumference: ['cm'],
  water: ['ml'],
  weight: ['kg'],
  workout_distance: ['m'],
  workout_duration: ['s'],
}

/** Returns the unit and the values of a time series; by default counts from 1 to 100. */
function seriesOf(resource: string): Required<Series> {
  const [unit, low = 1, high = 100] = ownValue(series, resource) ?? ['count']
  return [unit, low, high]
}

/** Returns the unit of a time series. */
export function unitOf(resource: string): string {
  return seriesOf(resource)[0]
}

/** Returns a row of a time series as events show it. */
export function sampleOf(
  { user_id, resource }: { user_id: string; resource: string },
  table: Table,
  row: number,
  context: HealthTimeContext,
) {
  const { offset, utc } = rowTime({ resource, user_id, table, row }, context)
  const { value } = table.columns
  return {
    timestamp: utc('timestamp'),
    value: value ? valueAt(value, row) : null,
    unit: unitOf(resource),
    timezone_offset: offset,
  }
}

/** The state from which samples are generated. */
interface SamplesContext extends HealthTimeContext {
  random: Pick<Random, 'fork'>
  clock: { readonly moment: number }
}

/** Generates ten samples of the last ten minutes, for a time series that the user's body does not have. */
export function generateSamples(
  { user_id, resource, provider }: { user_id: string; resource: string; provider: string },
  { random, clock, data }: SamplesContext,
): HealthRow[] {
  const { moment } = clock
  const now = localTime(data.zoneOf(user_id), moment)
  const sampleRandom = random.fork(`event/${user_id}/${resource}/${moment}`)
  const [, low, high] = seriesOf(resource)
  return Array.from({ length: 10 }, (_, index) => {
    const id = sampleRandom.uuid()
    const value = Math.round((low + sampleRandom.next() * (high - low)) * 10) / 10
    const timestamp = formatFloating(now - (10 - index) * minute)
    const source = { source_provider: provider, source_type: 'automatic', source_app_id: null }
    return { id, user_id, resource, values: { timestamp, value, ...source } }
  })
}
