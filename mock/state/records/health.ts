import {
  type AggregateResource,
  aggregateColumns,
  type ColumnType,
  timeseriesColumns,
} from '../../../src/contract/values/columns.ts'
import { isKnown } from '../../../src/contract/values/known-values.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { day } from '../../base/time-units.ts'
import { localTime } from '../../base/time-zone.ts'
import { healthTable, timeColumns } from '../../data/health/health.ts'
import { zoneCell } from '../../data/health/offsets.ts'
import { makeUserInfo } from '../../data/people.ts'
import { MockError } from '../../errors.ts'
import { formatFloating } from '../../query/calendar.ts'
import { buildTable, type CellValue, firstFrom, type Table } from '../../query/table.ts'
import { type Change, Collection, type CollectionSnapshot } from '../collection.ts'
import type { Settings } from '../defaults.ts'
import type { RecordContext } from './record-context.ts'

/** One row of a user's health data, which aggregate queries and summaries read. */
export interface HealthRow {
  /** The id of the row, a UUID. */
  id: string
  /** The user whose data it is. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /** By column; times are floating local time, such as `2025-02-17T23:10:00`. */
  values: Readonly<Record<string, CellValue>>
}

/** A row of health data to create. */
export interface HealthRowInput {
  /** A UUID. Default: a random one. */
  id?: string
  /** The user whose data it is. */
  user_id: string
  /** A table, such as `sleep`, or a time series, such as `heartrate`. */
  resource: string
  /**
   * By column. Defaults: the time of the row is the virtual time in the user's time zone, its source an Oura ring, its
   * `time_zone` that of the user if the provider sends it, any other column null.
   */
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

/** The resources that queries can read. */
export const queryResources: readonly string[] = [...tableNames, ...seriesNames]

/** How many generated tables are cached; a table of minutes takes about a megabyte. */
const cachedTables = 16

interface HealthContext extends RecordContext {
  readonly settings: Pick<Settings, 'generatedData' | 'timeZone'>
}

/**
 * The health data of a team's users. Every user has data generated from the seed; rows that you add for a user and a
 * resource replace the generated ones.
 */
export class HealthData extends Collection<HealthRow, HealthRowInput> {
  readonly #context: HealthContext
  readonly #tables: Map<string, Table>

  constructor(context: HealthContext, changed: (change: Change) => void) {
    const tables = new Map<string, Table>()
    super({
      name: 'data',
      keyOf: ({ id }) => [id],
      make: (input) => makeRow(input, context, this.zoneOf(input.user_id)),
      changed: (change) => {
        tables.clear()
        changed(change)
      },
    })
    this.#context = context
    this.#tables = tables
  }

  override restore(snapshot?: CollectionSnapshot): void {
    this.#tables.clear()
    super.restore(snapshot)
  }

  /**
   * Returns the data of a user up to the virtual time; undefined for an unknown resource.
   *
   * @internal
   */
  table(userId: string, resource: string): Table | undefined {
    if (!isKnown(queryResources, resource)) return undefined
    const now = localTime(this.zoneOf(userId), this.#context.clock.moment)
    const key = `${startOfDay(now)}/${resource}/${userId}`
    const table = this.#tables.get(key) ?? this.#createTable(userId, resource, now)
    this.#cache(key, table)
    return table
  }

  /**
   * Returns the time zone of a user: that of the team.
   *
   * @internal
   */
  zoneOf(_userId: string): string {
    return this.#context.settings.timeZone
  }

  /**
   * Returns the generated data of a user in the days before a moment, without added rows.
   *
   * @internal
   */
  generated(userId: string, resource: string, moment: number, days: number): Table {
    const now = localTime(this.zoneOf(userId), moment)
    const last = startOfDay(now)
    const key = `generated/${last}/${days}/${resource}/${userId}`
    const table = this.#tables.get(key) ?? this.#generate(userId, resource, last, days)
    this.#cache(key, table)
    return tableUntil(table, now)
  }

  #cache(key: string, table: Table): void {
    this.#tables.delete(key)
    this.#tables.set(key, table)
    const [oldest = key] = this.#tables.keys()
    if (this.#tables.size > cachedTables) this.#tables.delete(oldest)
  }

  #createTable(userId: string, resource: string, now: number): Table {
    const added = this.list({ user_id: userId, resource })
    const isGenerated = added.length === 0 && this.#context.settings.generatedData
    if (!isGenerated) return rowsTable(resource, added)
    return tableUntil(this.#generate(userId, resource, startOfDay(now)), now)
  }

  #generate(userId: string, resource: string, last: number, count?: number): Table {
    const { random } = this.#context
    const person = makeUserInfo(random.fork(`user/${userId}`))
    const subject = { random: random.fork(`health/${userId}`), zone: this.zoneOf(userId), person }
    return healthTable(resource, { ...subject, last, ...(count ? { count } : {}) })
  }
}

function startOfDay(moment: number): number {
  return Math.floor(moment / day) * day
}

function columnsOf(resource: string): Readonly<Record<string, ColumnType>> {
  return isKnown(tableNames, resource) ? aggregateColumns[resource] : timeseriesColumns
}

/** Returns the column with the time of a row. */
export function timeColumn(resource: string): string {
  return isKnown(tableNames, resource) ? timeColumns[resource] : 'timestamp'
}

/** Returns rows of a resource as a table. */
export function rowsTable(resource: string, rows: readonly HealthRow[]): Table {
  return buildTable(
    columnsOf(resource),
    timeColumn(resource),
    rows.map(({ values }) => values),
  )
}

function tableUntil(table: Table, moment: number): Table {
  return { ...table, time: table.time.subarray(0, firstFrom(table.time, moment)) }
}

function makeRow(input: HealthRowInput, { random, clock }: RecordContext, zone: string): HealthRow {
  const { user_id, resource, values = {} } = input
  if (!isKnown(queryResources, resource)) {
    throw new MockError(
      'invalid_state',
      `Unknown resource '${resource}'. Use one of ${queryResources.join(', ')}.`,
    )
  }
  const columns = columnsOf(resource)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) {
    const known = Object.keys(columns).join(', ')
    throw new MockError(
      'invalid_state',
      `Unknown column '${unknown}' of ${resource}. Use one of ${known}.`,
    )
  }
  const id = input.id ?? random.uuid()
  const nulls = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  const provider = String(values['source_provider'] ?? 'oura')
  const filled = {
    ...nulls,
    ...('id' in columns ? { id } : {}),
    [timeColumn(resource)]: formatFloating(localTime(zone, clock.moment)),
    ...('time_zone' in columns ? { time_zone: zoneCell(provider, resource, zone) } : {}),
    source_provider: provider,
    source_type: 'ring',
  }
  return { id, user_id, resource, values: { ...filled, ...values } }
}
