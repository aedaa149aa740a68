import {
  type AggregateResource,
  aggregateColumns,
  timeseriesColumns,
} from '../../../src/contract/values/columns.ts'
import type { Random } from '../../base/random.ts'
import { day } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import { buildTable, type Row, type Table } from '../../query/table.ts'
import { activityRows, workoutRows } from './activity.ts'
import { bodyRows, mealRows } from './body.ts'
import { type Days, integerAround } from './days.ts'
import { heartRateTable } from './heart-rate.ts'
import { sleepRows } from './sleep.ts'
import { app } from './sources.ts'

/** The days of generated history before the virtual time. */
export const historyDays = { daily: 365, minutely: 30 } as const

/** The column with the time of a row, by resource. */
export const timeColumns: Readonly<Record<AggregateResource, string>> = {
  sleep: 'session_end',
  activity: 'date',
  workout: 'session_start',
  body: 'measured_at',
  meal: 'timestamp',
  profile: 'date',
}

const generators: Record<AggregateResource, (random: Random, days: Days) => Row[]> = {
  sleep: sleepRows,
  activity: activityRows,
  workout: workoutRows,
  body: bodyRows,
  meal: mealRows,
  profile: profileRows,
}

/**
 * Generates the rows of a resource of a user. Of the time series only `heartrate` is generated; the others are empty.
 *
 * @param random The random generator of the user.
 * @param last The midnight of the latest day, in milliseconds.
 * @param count The number of days. Default: the whole history.
 */
export function healthTable(
  resource: string,
  random: Random,
  last: number,
  count: number = historyDays.daily,
): Table {
  const ownRandom = random.fork(resource)
  if (resource === 'heartrate') {
    return heartRateTable(ownRandom, { last, count: Math.min(count, historyDays.minutely) })
  }
  if (!isTable(resource)) return buildTable(timeseriesColumns, 'timestamp', [])
  const rows = generators[resource](ownRandom, { last, count })
  return buildTable(aggregateColumns[resource], timeColumns[resource], rows)
}

function isTable(name: string): name is AggregateResource {
  return Object.hasOwn(generators, name)
}

/** Generates the row of `profile`, on the first day of the history. */
function profileRows(random: Random, { last }: Days): Row[] {
  const height = integerAround(random, 172, 16)
  return [{ date: formatFloating(last - (historyDays.daily - 1) * day), height, ...app }]
}
