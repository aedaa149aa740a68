import {
  isKnown,
  type SummaryResource,
  summaryResources,
} from '../../src/contract/values/known-values.ts'
import { hypnogramOf, type SleepCycle, sleepCycleOf } from '../data/sleep-cycles.ts'
import { type Table, valueAt } from '../query/table.ts'
import {
  connectionSourceRemoval,
  historicalFinalRemoval,
  hypnogramRemoval,
} from '../state/defaults.ts'
import { own } from '../state/own.ts'
import { type HealthRow, rowsTable } from '../state/records/health.ts'
import type { TeamProvider } from '../state/records/link.ts'
import {
  profileOf,
  rowOf,
  rowSource,
  type SummaryView,
  summaryOf,
} from '../state/records/summaries.ts'
import { dateTime } from '../state/time.ts'
import { showsRemoved, sourceOf } from './source.ts'

/** The body of an event as it is delivered. */
export type EventBody = { event_type: string } & Record<string, unknown>

/** What of a world the bodies of events are made from. */
export interface EventView extends SummaryView {
  /** Written out: the declarations do not show the method of the health data itself. */
  data: { generated(userId: string, resource: string, moment: number, days: number): Table }
}

/** New health data of a user and a resource; the resource as events name it, such as `workouts`. */
export interface Chunk {
  user_id: string
  resource: string
  /** The provider's slug. */
  provider: string
  /** The rows that were added; without them, the latest ones that the seed gave. */
  rows?: readonly HealthRow[]
  /** Which of how many equal parts; all of them without it. */
  part?: readonly [index: number, count: number]
}

/** The resources of which users have data from the seed, and where it is found. */
const tables: Readonly<Record<string, string>> = {
  profile: 'profile',
  activity: 'activity',
  sleep: 'sleep',
  body: 'body',
  workouts: 'workout',
  meal: 'meal',
  heartrate: 'heartrate',
  sleep_cycle: 'sleep',
  hypnogram: 'sleep',
}

/** The table of a resource; a time series has one of its own name. */
export function tableName(resource: string): string {
  return own(tables, resource) ?? resource
}

/** Whether users have data of a resource from the seed. */
export function isGenerated(resource: string): boolean {
  return Object.hasOwn(tables, resource)
}

/** What a historical pull fetches: so many of the latest rows, of so many days. */
function pulledOf(table: string): { rows: number; days: number } {
  return table === 'heartrate' ? { rows: 300, days: 2 } : { rows: 30, days: 28 }
}

/** In how many chunks a historical pull of data from the seed comes. */
export function chunksOf(resource: string): number {
  return resource === 'profile' ? 1 : 3
}

/** The resources of a provider of which its users have data from the seed, at the team's time. */
export function generatedResources(provider: TeamProvider | undefined, view: EventView): string[] {
  const supported = provider?.supported_resources ?? []
  const showsHypnogram = showsRemoved(hypnogramRemoval, view)
  return Object.keys(tables).filter((resource) =>
    resource === 'hypnogram'
      ? showsHypnogram && supported.includes('sleep_cycle')
      : supported.includes(resource),
  )
}

/** The type of a data event; hypnograms have types of their own (specification part 6). */
export function dataType(
  span: 'daily' | 'historical',
  resource: string,
  change: 'created' | 'updated',
): string {
  const kind = resource === 'hypnogram' ? 'timeseries' : 'data'
  return `${span}.${kind}.${resource}.${change}`
}

/** The resource that events name a table or time series by. */
export function resourceOf(table: string): string {
  return table === 'workout' ? 'workouts' : table
}

/** A data event: new or changed values, or the end of a historical pull (specification part 6). */
export function dataEvent(event_type: string, chunk: Chunk, view: EventView): EventBody {
  const { user_id, provider } = chunk
  const { table, rows } = rowsOf(chunk, view)
  const data = recordsOf(chunk, table, rows, view)
  const [first = -1] = rows
  const source =
    first < 0 ? sourceOf(provider, 'unknown', view) : rowSource(rowOf(table, first), view)
  const isHistorical = event_type.startsWith('historical.')
  const isFinal = isHistorical && showsRemoved(historicalFinalRemoval, view)
  return { event_type, user_id, data: { data, source, ...(isFinal ? { is_final: true } : {}) } }
}

/** A provider connection now exists (specification part 6). */
export function connectionEvent(user_id: string, slug: string, view: EventView): EventBody {
  const provider = providerOf(slug, view)
  const resources = view.providers.get(slug)?.supported_resources ?? []
  return {
    event_type: 'provider.connection.created',
    user_id,
    data: {
      user_id,
      provider,
      ...(showsRemoved(connectionSourceRemoval, view) ? { source: provider } : {}),
      resource_availability: Object.fromEntries(resources.map((name) => [name, available])),
    },
  }
}

/** A provider, as events of connections tell it. */
export function providerOf(slug: string, { providers }: EventView) {
  const { name = slug, logo = null } = providers.get(slug) ?? {}
  return { name, slug, logo }
}

const noScopes = { required: [], optional: [] }
const available = {
  status: 'available',
  scope_requirements: { user_granted: noScopes, user_denied: noScopes },
}

/** The rows of a chunk in their table. */
function rowsOf(chunk: Chunk, view: EventView): { table: Table; rows: number[] } {
  const { resource, rows: added, part: [index, count] = [0, 1] } = chunk
  const name = tableName(resource)
  const table = added ? rowsTable(name, added) : pulled(chunk, name, view)
  const all = Array.from(table.time.keys())
  const rows = added ? all : all.slice(-pulledOf(name).rows)
  const cut = (at: number) => Math.floor((rows.length * at) / count)
  return { table, rows: rows.slice(cut(index), cut(index + 1)) }
}

/**
 * What the seed gave a user, as far as it is from the provider. Of a provider that the seed does not name the values are
 * those of another source, told as the provider's.
 */
function pulled({ user_id, provider }: Chunk, name: string, view: EventView): Table {
  const { rows: most, days } = pulledOf(name)
  const table = view.data.generated(user_id, name, view.clock.moment, days)
  const { source_provider: column, source_type } = table.columns
  const isOwn = column?.type === 'text' && column.dictionary.includes(provider)
  const slugAt = (row: number) => column && valueAt(column, row)
  const wanted = isOwn ? provider : slugAt(table.time.length - 1)
  const kept: number[] = []
  for (let row = table.time.length - 1; row >= 0 && kept.length < most; row -= 1) {
    if (slugAt(row) === wanted) kept.unshift(row)
  }
  const columns = Object.fromEntries(
    Object.entries(table.columns).map(([title, values]) => [title, picked(values, kept)]),
  )
  const told = isOwn ? {} : toldAs(provider, kept.length, view)
  const time = Float64Array.from(kept, (row) => table.time[row] as number)
  return source_type ? { time, columns: { ...columns, ...told } } : { time, columns }
}

function picked(column: Table['columns'][string], rows: number[]): Table['columns'][string] {
  if (column.type === 'text') {
    return { ...column, codes: Int32Array.from(rows, (row) => column.codes[row] as number) }
  }
  return { ...column, values: Float64Array.from(rows, (row) => column.values[row] as number) }
}

function toldAs(provider: string, length: number, { providers }: EventView) {
  const type = providers.get(provider)?.source_type === 'app' ? 'app' : 'watch'
  const always = (text: string) =>
    ({ type: 'text', codes: new Int32Array(length), dictionary: [text] }) as const
  return { source_provider: always(provider), source_type: always(type) }
}

function recordsOf(
  { user_id, resource }: Chunk,
  table: Table,
  rows: number[],
  view: EventView,
): unknown[] {
  const summary = (name: SummaryResource, row: number) => summaryOf(name, user_id, table, row, view)
  if (resource === 'profile') {
    const today = dateTime(view.clock.moment)
    return rows.map((row) => profileOf(user_id, table, row, today, view))
  }
  if (isKnown(summaryResources, resource)) return rows.map((row) => summary(resource, row))
  if (resource === 'sleep_cycle' || resource === 'hypnogram') {
    const cycles = rows.map((row): SleepCycle => sleepCycleOf(summary('sleep', row), view.random))
    return resource === 'hypnogram' ? cycles.flatMap(hypnogramOf) : cycles
  }
  return rows.map((row) => sampleOf(resource, table, row))
}

/** The unit of a time series; of any other it is `count`. */
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

function sampleOf(resource: string, table: Table, row: number) {
  return {
    timestamp: dateTime(table.time[row] as number),
    value: rowOf(table, row)['value'] ?? null,
    unit: own(units, resource) ?? 'count',
    timezone_offset: null,
  }
}

/** Values of a time series of which users have none from the seed: ten of the last ten minutes. */
export function madeUpRows(
  user_id: string,
  resource: string,
  provider: string,
  view: EventView,
): HealthRow[] {
  const { moment } = view.clock
  const chance = view.random.fork(`event/${user_id}/${resource}/${moment}`)
  const [low, high] = own(ranges, resource) ?? [1, 100]
  return Array.from({ length: 10 }, (_, at) => {
    const id = chance.uuid()
    const value = Math.round((low + chance.next() * (high - low)) * 10) / 10
    const timestamp = dateTime(moment - (10 - at) * 60_000).slice(0, 19)
    const source = { source_provider: provider, source_type: 'automatic', source_app_id: null }
    return { id, user_id, resource, values: { timestamp, value, ...source } }
  })
}

/** Between which values a time series is plausible. */
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
