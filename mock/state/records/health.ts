import {
  type AggregateResource,
  aggregateColumns,
  type ColumnType,
  timeseriesColumns,
} from '../../../src/contract/values/columns.ts'
import { isKnown } from '../../../src/contract/values/known-values.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { healthTable, timeColumns } from '../../data/health.ts'
import { MockError } from '../../errors.ts'
import { floating } from '../../query/calendar.ts'
import { type CellValue, firstFrom, type Table, tableOf } from '../../query/table.ts'
import { type Change, Collection, type CollectionSnapshot } from '../collection.ts'
import type { World } from '../world.ts'

/** One row of a user's health data, which aggregate queries and summaries read. */
export interface HealthRow {
  id: string
  user_id: string
  /** Such as `sleep`, or the name of a time series such as `heartrate`. */
  resource: string
  /** By column; times are floating local time, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, CellValue>>
}

/** What is left out is filled: the time of the row is the team's now, its source a ring, every other column null. */
export interface HealthRowInput {
  id?: string
  user_id: string
  resource: string
  values?: Readonly<Record<string, CellValue>>
}

/** Names in the list of supported resources that are neither tables nor time series. */
const notQueried = [
  'connection',
  'order',
  'result',
  'match_review',
  'appointment',
  'device',
  'device_legacy',
  'workouts',
  'workout_stream',
  'sleep_cycle',
  'sleep_stream',
  'hypnogram',
]
const tableNames = Object.keys(aggregateColumns) as AggregateResource[]
const seriesNames = supportedResources.filter(
  (name) => !notQueried.includes(name) && !isKnown(tableNames, name),
)

/** The resources that queries can name. */
export const queryResources: readonly string[] = [...tableNames, ...seriesNames]

/** Generated tables that are kept ready; a table of minutes takes about a megabyte. */
const tablesKept = 16
const day = 86_400_000

/**
 * The health data of a team's users. Every user has data made from the seed; rows that are added for a user and a
 * resource take its place.
 */
export class HealthData extends Collection<HealthRow, HealthRowInput> {
  readonly #world: World
  readonly #tables: Map<string, Table>

  constructor(world: World, changed: (change: Change) => void) {
    const tables = new Map<string, Table>()
    super({
      name: 'data',
      keyOf: ({ id }) => [id],
      make: (input) => makeRow(input, world),
      changed: (change) => {
        tables.clear()
        changed(change)
      },
    })
    this.#world = world
    this.#tables = tables
  }

  override restore(snapshot?: CollectionSnapshot): void {
    this.#tables.clear()
    super.restore(snapshot)
  }

  /**
   * What a user has of a resource until now; undefined for a resource that there is not.
   *
   * @internal
   */
  table(userId: string, resource: string): Table | undefined {
    if (!isKnown(queryResources, resource)) return undefined
    const { moment } = this.#world.clock
    const today = Math.floor(moment / day) * day
    const key = `${today}/${resource}/${userId}`
    const table = this.#tables.get(key) ?? this.#make(userId, resource, today)
    this.#keep(key, table)
    return table
  }

  /**
   * What the seed gave a user of a resource in the days before a moment, whatever was added since.
   *
   * @internal
   */
  generated(userId: string, resource: string, moment: number, days: number): Table {
    const today = Math.floor(moment / day) * day
    const key = `generated/${today}/${days}/${resource}/${userId}`
    const random = this.#world.random.fork(`health/${userId}`)
    const table = this.#tables.get(key) ?? healthTable(resource, random, today, days)
    this.#keep(key, table)
    return upTo(table, moment)
  }

  #keep(key: string, table: Table): void {
    this.#tables.delete(key)
    this.#tables.set(key, table)
    const [oldest = key] = this.#tables.keys()
    if (this.#tables.size > tablesKept) this.#tables.delete(oldest)
  }

  #make(userId: string, resource: string, today: number): Table {
    const own = this.list({ user_id: userId, resource })
    const { settings, random, clock } = this.#world
    if (own.length > 0 || !settings.generatedData) return rowsTable(resource, own)
    const generated = healthTable(resource, random.fork(`health/${userId}`), today)
    return upTo(generated, clock.moment)
  }
}

/** The columns of a resource, with their types. */
function columnsOf(resource: string): Readonly<Record<string, ColumnType>> {
  return isKnown(tableNames, resource) ? aggregateColumns[resource] : timeseriesColumns
}

/** The column that says when a row is. */
export function timeColumn(resource: string): string {
  return isKnown(tableNames, resource) ? timeColumns[resource] : 'timestamp'
}

/** Rows of a resource as a table. */
export function rowsTable(resource: string, rows: readonly HealthRow[]): Table {
  return tableOf(
    columnsOf(resource),
    timeColumn(resource),
    rows.map(({ values }) => values),
  )
}

function upTo(table: Table, moment: number): Table {
  return { ...table, time: table.time.subarray(0, firstFrom(table.time, moment)) }
}

function makeRow(input: HealthRowInput, { random, clock }: World): HealthRow {
  const { user_id, resource, values = {} } = input
  if (!isKnown(queryResources, resource)) {
    throw new MockError(
      'invalid_state',
      `There is no resource '${resource}'. Expected one of ${queryResources.join(', ')}.`,
    )
  }
  const columns = columnsOf(resource)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) {
    const known = Object.keys(columns).join(', ')
    throw new MockError(
      'invalid_state',
      `There is no column '${unknown}' of ${resource}. Expected one of ${known}.`,
    )
  }
  const id = input.id ?? random.uuid()
  const nulls = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  const filled = {
    ...nulls,
    ...('id' in columns ? { id } : {}),
    [timeColumn(resource)]: floating(clock.moment),
    source_provider: 'oura',
    source_type: 'ring',
  }
  return { id, user_id, resource, values: { ...filled, ...values } }
}
