import { assertEqual, assertThat } from '../../assertions.ts'
import type { ResultTable } from './queries.ts'
import type { Night } from './rows.ts'

type Cell = number | null

/** What each function computes from the values of a group, in the order of time; nulls are skipped. */
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

/** Computes a column such as `mean duration` over nights. */
function compute(column: string, nights: readonly Night[]): Cell {
  const [func = '', name] = column.split(' ')
  const inTime = nights.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  const values =
    name === 'duration' || name === 'score' ? inTime.flatMap((night) => night[name] ?? []) : []
  const isEmpty = values.length === 0 && func !== 'count'
  return isEmpty ? null : (functions[func]?.(values) ?? null)
}

/** The rows of a table: the values of the columns by the digits of `index`. */
export type ReferenceRows = Record<string, Cell[]>

/** Groups nights by a key of their time, and computes columns for each group. */
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

/** Keys of groups of one unit: the first digits of the start of the group. */
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

/**
 * Asserts that a table has these rows, in any order, and no other column than `index` and those of the functions.
 *
 * @param length How many characters of `index` are compared.
 */
export function assertRows(
  table: ResultTable,
  expected: ReferenceRows,
  funcs: readonly string[],
  length = 10,
): void {
  const { index = [] } = table
  const names = Object.keys(table).toSorted()
  assertEqual(names, ['index', ...funcs].toSorted(), 'the columns')
  const found = index.map((value) => String(value).slice(0, length))
  assertEqual(found.toSorted(), Object.keys(expected).toSorted(), 'the values of index')
  for (const [at, key] of found.entries()) {
    for (const [position, func] of funcs.entries()) {
      const value = table[func]?.[at]
      assertNumber(value, expected[key]?.[position] ?? null, `${func} of ${key}`)
    }
  }
}

/** Asserts that two numbers are equal but for rounding. */
export function assertNumber(found: unknown, expected: Cell, name: string): void {
  if (expected === null || typeof found !== 'number') {
    assertEqual(found ?? null, expected, name)
    return
  }
  const isClose = Math.abs(found - expected) <= Math.abs(expected) * 1e-6
  assertThat(isClose, `Expected ${name} to be ${expected}, found ${found}.`)
}
