import type { Sample } from '../../src/contract/samples.ts'
import { type SampleForm, sampleFormOf, sampleValuesOf } from '../../src/contract/values/samples.ts'
import { ownValue } from '../../src/shared/narrow.ts'
import { mix } from '../living/noise.ts'
import { formatFloating } from '../query/calendar.ts'
import { rowOf, type Table } from '../query/table.ts'
import { minute } from '../shared/time-units.ts'
import { localTime } from '../shared/time-zone.ts'
import { rowTime } from '../state/health/health-time.ts'
import type { FormPort, SummaryPort } from '../state/ports.ts'
import type { HealthRow } from '../state/records/health-rows.ts'

/** Plausible value ranges for time series that the body model does not generate. The default range is 1 to 100. */
const plausible: Readonly<Record<string, readonly [low: number, high: number]>> = {
  afib_burden: [0, 4],
  cholesterol: [2.8, 6.2],
  electrocardiogram_voltage: [-0.4, 1.6],
  fall: [1, 1],
  forced_expiratory_volume_1: [2, 4.5],
  forced_vital_capacity: [2.8, 5.5],
  heart_rate_alert: [1, 1],
  ige: [2, 95],
  igg: [700, 1500],
  inhaler_usage: [1, 2],
  peak_expiratory_flow_rate: [320, 640],
  sleep_apnea_alert: [1, 1],
}

interface SampleContent {
  id: number
  timestamp: string | null
  /** The end of an interval, or null for a point in time. */
  end: string | null
  offset: number | null
  values: Readonly<Record<string, unknown>>
}

export function makeSample(
  { unit, isInterval }: SampleForm,
  { id, timestamp, end, offset, values }: SampleContent,
  { settings }: FormPort,
): Sample {
  const { tags, type = null } = values
  return {
    // `id` is deprecated without a removal date.
    ...(settings.deprecatedFields !== 'never' && { id }),
    timestamp,
    ...(isInterval && { start: timestamp, end: end ?? timestamp }),
    timezone_offset: offset,
    type: typeof type === 'string' ? type : null,
    unit,
    ...values,
    ...(typeof tags === 'string' && { tags: tags.split(',') }),
  }
}

/** Returns a sample's deprecated numeric id, which is the same whenever the sample is sent. */
export function sampleId(series: number, timestamp: number): number {
  return mix(series, Math.floor(timestamp / 1000)) >>> 1
}

/** Returns a hash that determines the ids of a time series' samples. */
export function seriesNumber(userId: string, provider: string, resource: string): number {
  let hash = 0
  for (const character of `${userId}/${provider}/${resource}`) {
    hash = mix(hash, character.charCodeAt(0))
  }
  return hash
}

export function sampleOf(
  { user_id, resource }: { user_id: string; resource: string },
  table: Table,
  row: number,
  context: SummaryPort,
): Sample {
  const { offset, utc, moment } = rowTime({ resource, user_id, table, row }, context.data)
  const cells = rowOf(table, row)
  const names = Object.keys(sampleValuesOf(resource))
  const series = seriesNumber(user_id, String(cells['source_provider']), resource)
  const content = {
    id: sampleId(series, moment('timestamp')),
    timestamp: utc('timestamp'),
    end: utc('end'),
    offset,
    values: Object.fromEntries(names.map((name) => [name, cells[name] ?? null])),
  }
  return makeSample(sampleFormOf(resource), content, context)
}

/** Generates a sample for each of the last ten minutes, for a time series that the body model does not cover. */
export function generateSamples(
  { user_id, resource, provider }: { user_id: string; resource: string; provider: string },
  { random, clock, data }: SummaryPort,
): HealthRow[] {
  const { moment } = clock
  const now = localTime(data.zoneOf(user_id), moment)
  const sampleRandom = random.fork(`event/${user_id}/${resource}/${moment}`)
  const [low, high] = ownValue(plausible, resource) ?? [1, 100]
  return Array.from({ length: 10 }, (_, index) => {
    const id = sampleRandom.uuid()
    const value = Math.round((low + sampleRandom.next() * (high - low)) * 10) / 10
    const timestamp = formatFloating(now - (10 - index) * minute)
    const source = { source_provider: provider, source_type: 'automatic', source_app_id: null }
    return { id, user_id, resource, values: { timestamp, value, ...source } }
  })
}
