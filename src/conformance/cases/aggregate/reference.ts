import { assertEqual, assertThat } from '../../assertions.ts'
import type { TestedService } from '../../service.ts'
import type { HealthDataRow } from '../../setup.ts'
import { by, presumeColumns, queryOf, queryTables, type ResultTable } from './queries.ts'

export interface Night {
  /** The end of the sleep in local time, such as `2025-05-30T07:00:00`. */
  at: string
  duration: number | null
  score?: number | null
  provider?: string
  type?: string
}

/** Returns a sleep row whose start equals its end, so a service can use either as the row's time. */
export function sleepRow({ at, duration, score, provider, type }: Night): HealthDataRow {
  const source = {
    ...(provider === undefined ? {} : { source_provider: provider }),
    ...(type === undefined ? {} : { source_type: type }),
  }
  const times = { session_start: at, session_end: at }
  const values = { ...times, duration_second: duration, score: score ?? null, ...source }
  return { resource: 'sleep', values }
}

/** Nights in May 2025, in no particular order, with two or three on some days. */
export const nights: readonly Night[] = [
  { at: '2025-05-30T06:30:00', duration: 25_200, score: 71 },
  { at: '2025-05-28T07:10:00', duration: 30_600, score: 90 },
  { at: '2025-05-30T14:00:00', duration: 1_800, score: 40 },
  { at: '2025-05-29T06:00:00', duration: 21_600, score: 66 },
  { at: '2025-05-28T15:20:00', duration: 5_400, score: 35 },
  { at: '2025-05-28T22:45:00', duration: 9_000, score: 62 },
  { at: '2025-05-26T08:00:00', duration: 27_900, score: 77 },
  { at: '2025-05-29T13:30:00', duration: 3_300, score: 55 },
  { at: '2025-05-20T07:45:00', duration: 28_800, score: 81 },
  { at: '2025-05-20T12:15:00', duration: 2_700, score: 81 },
  { at: '2025-05-12T05:55:00', duration: 19_800, score: 48 },
  { at: '2025-05-04T09:05:00', duration: 32_400, score: 93 },
]

/** The {@link nights}, with some values missing. */
export const gaps: readonly Night[] = nights.map((night, at) => ({
  ...night,
  score: at % 3 === 0 ? null : (night.score ?? null),
  duration: at % 4 === 2 ? null : night.duration,
}))

type Cell = number | null

/** The aggregate functions. Each receives a group's non-null values in chronological order. */
export const functions: Readonly<Record<string, (values: readonly number[]) => Cell>> = {
  mean: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  newest: (values) => values.at(-1) ?? null,
  oldest: (values) => values[0] ?? null,
  sum,
  count: (values) => values.length,
  median: (values) => {
    const sorted = values.toSorted((one, other) => one - other)
    const half = sorted.length / 2
    const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
    return (low + high) / 2
  },
  stddev: (values) => {
    if (values.length < 2) return null
    const mean = sum(values) / values.length
    return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
  },
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function compute(column: string, nights: readonly Night[]): Cell {
  const [func = '', name] = column.split(' ')
  const inTime = nights.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  const values = inTime.flatMap((night) => (name === 'score' ? night.score : night.duration) ?? [])
  const isEmpty = values.length === 0 && func !== 'count'
  return isEmpty ? null : (functions[func]?.(values) ?? null)
}

/** The expected values of each row, keyed by the first characters of `index`. */
type ReferenceRows = Record<string, Cell[]>

export function groupRows(
  nights: readonly Night[],
  keyOf: (at: string) => string,
  columns: readonly string[],
): ReferenceRows {
  const groups = Map.groupBy(nights, ({ at }) => keyOf(at))
  const rows = [...groups].map(([key, group]) => {
    return [key, columns.map((column) => compute(column, group))] as const
  })
  return Object.fromEntries(rows)
}

/** Functions that return the group key for a time: the first characters of the group's start. */
export const keys = {
  minute: (at: string) => at.slice(0, 16),
  hour: (at: string) => at.slice(0, 13),
  day: (at: string) => at.slice(0, 10),
  /** Weeks start on Monday. */
  week: (at: string) => {
    const moment = new Date(`${at.slice(0, 10)}T00:00:00Z`)
    const sinceMonday = (moment.getUTCDay() + 6) % 7
    return new Date(moment.getTime() - sinceMonday * 86_400_000).toISOString().slice(0, 10)
  },
  month: (at: string) => at.slice(0, 7),
  year: (at: string) => at.slice(0, 4),
} as const

export interface Sleeper {
  service: TestedService
  user: string
  slept: readonly Night[]
}

export async function addSleeper(
  service: TestedService,
  slept: readonly Night[],
): Promise<Sleeper> {
  const user = await service.user()
  await service.setup.addHealthData(user, slept.map(sleepRow))
  await presumeColumns(service, user)
  return { service, user, slept }
}

interface Selection {
  /** Default: `day`. */
  unit?: keyof typeof keys
  /** Default: 1. */
  value?: number
  /** Default: the function for `unit` in {@link keys}. */
  keyOf?: (at: string) => string
  /** The nights that the query reads. Default: all of the user's nights. */
  slept?: readonly Night[]
  query?: Record<string, unknown>
  request?: Record<string, unknown>
}

export async function assertComputed(
  { service, user, ...all }: Sleeper,
  select: readonly string[],
  { unit = 'day', value = 1, keyOf = keys[unit], slept = all.slept, ...other }: Selection = {},
): Promise<void> {
  const query = queryOf(select, { group_by: [by(unit, value)], ...other.query })
  const [table = {}] = await queryTables(service, user, [query], other.request)
  assertRows(table, groupRows(slept, keyOf, select), functionsOf(select))
}

export function functionsOf(select: readonly string[]): string[] {
  return select.map((column) => column.split(' ')[0] ?? '')
}

/** Asserts that a table has the expected rows, in any order, and no columns other than `index` and one per function. */
export function assertRows(
  table: ResultTable,
  expected: ReferenceRows,
  funcs: readonly string[],
): void {
  const { index = [] } = table
  const names = Object.keys(table).toSorted()
  assertEqual(names, ['index', ...funcs].toSorted(), 'the columns')
  const wanted = Object.keys(expected).toSorted()
  // The values of `index` may be longer than the keys.
  const found = index.map((value) => String(value).slice(0, wanted[0]?.length))
  assertEqual(found.toSorted(), wanted, 'the values of index')
  for (const [at, key] of found.entries()) {
    for (const [position, func] of funcs.entries()) {
      const value = table[func]?.[at]
      assertNumber(value, expected[key]?.[position] ?? null, `${func} of ${key}`)
    }
  }
}

/** Asserts that two values are equal, except for rounding differences. */
export function assertNumber(found: unknown, expected: Cell, name: string): void {
  if (expected === null || typeof found !== 'number') {
    assertEqual(found ?? null, expected, name)
    return
  }
  const isClose = Math.abs(found - expected) <= Math.abs(expected) * 1e-6
  assertThat(isClose, `Expected ${name} to be ${expected}, found ${found}.`)
}
