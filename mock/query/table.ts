import type { ColumnType } from '../../src/contract/values/resources.ts'
import { firstIndex, mapValues } from '../shared/lists.ts'
import { formatFloating, readTime } from './calendar.ts'

/** A column of a table. Null is stored as NaN in number and time columns, and as code -1 in text columns. */
export type Column =
  | { type: 'number'; isInteger: boolean; values: Float64Array }
  | { type: 'time'; values: Float64Array }
  | { type: 'text'; codes: Int32Array; dictionary: readonly string[] }

/** A user's rows for a resource, in chronological order. */
export interface Table {
  /** The local time of each row, in ascending order, in milliseconds as if the zone were UTC. */
  time: Float64Array
  columns: Readonly<Record<string, Column>>
  /**
   * Time columns as Unix timestamps in milliseconds, with NaN for null. The default is computed from the local time and
   * the row's time zone, so it is ambiguous when clocks change.
   */
  moments?: Readonly<Record<string, Float64Array>>
  /** Returns a row's time as a Unix timestamp in milliseconds. Default: its local time, read as UTC. */
  momentAt?: (column: string, row: number) => number
  /** When each row becomes available, as a Unix timestamp in milliseconds. Default: all rows are available. */
  knownAt?: Float64Array
  /**
   * When the service received the first and the latest version of each row. Missing and NaN values default to the row's
   * time.
   */
  sentAt?: { readonly first: Float64Array; readonly latest: Float64Array }
}

/** A value in a row. Times are local times without an offset, such as `2025-02-17T23:10:00`. */
export type CellValue = number | string | null

/** A row's values, keyed by column name. Omitted columns are null. */
export type Row = Readonly<Record<string, CellValue | undefined>>

/** Builds a table from rows in any order. Omits rows without a valid time in `timeColumn`. */
export function buildTable(
  types: Readonly<Record<string, ColumnType>>,
  timeColumn: string,
  rows: readonly Row[],
): Table {
  // `timeOrder` returns indexes of `rows`.
  const sorted = timeOrder(rows, timeColumn).map((at) => rows[at] as Row)
  const cells = (name: string) => sorted.map((row) => row[name] ?? null)
  const columns = Object.entries(types).map(([name, type]) => [name, columnOf(type, cells(name))])
  return {
    time: Float64Array.from(sorted, (row) => momentOfCell(row[timeColumn])),
    columns: Object.fromEntries(columns) as Record<string, Column>,
  }
}

/** Returns the indexes of the rows with a time, in chronological order. */
export function timeOrder(rows: readonly Row[], timeColumn: string): number[] {
  const moments = rows.map((row) => momentOfCell(row[timeColumn]))
  const order = [...moments.keys()].filter((at) => !Number.isNaN(moments[at]))
  return order.sort((one, other) => (moments[one] as number) - (moments[other] as number))
}

export function columnOf(type: ColumnType, cells: readonly CellValue[]): Column {
  if (type === 'text') return textColumn(cells)
  if (type === 'time') return { type, values: Float64Array.from(cells, momentOfCell) }
  const values = Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell)))
  // A row added by a test can contain a fraction, or an integer too large to be exact.
  const isInteger = values.every((value) => Number.isNaN(value) || Number.isSafeInteger(value))
  return { type: 'number', isInteger: type === 'integer' && isInteger, values }
}

function textColumn(cells: readonly CellValue[]): Column {
  const dictionary: string[] = []
  const known = new Map<string, number>()
  const codes = Int32Array.from(cells, (cell) => {
    if (cell === null) return -1
    const text = String(cell)
    const code = known.get(text) ?? dictionary.push(text) - 1
    known.set(text, code)
    return code
  })
  return { type: 'text', codes, dictionary }
}

/**
 * Converts a cell to floating local time. A number is a time in milliseconds. A string must not contain a space, and its
 * offset is ignored. Returns NaN for an invalid time.
 */
function momentOfCell(cell: CellValue | undefined): number {
  if (typeof cell === 'number') return new Date(cell).getTime()
  return cell?.includes(' ') ? Number.NaN : (readTime(cell ?? '')?.local ?? Number.NaN)
}

/** Returns whether a cell is a valid local time: a string, or a number of milliseconds as if the zone were UTC. */
export function isTime(cell: number | string): boolean {
  return !Number.isNaN(momentOfCell(cell))
}

/** Returns a row's values, which are all null if `row` is negative. */
export function rowOf({ columns }: Table, row: number): Row {
  const cells = Object.entries(columns).map(([name, column]) => [
    name,
    row < 0 ? null : valueAt(column, row),
  ])
  return Object.fromEntries(cells)
}

export function selectRows({ time, columns, ...hidden }: Table, rows: ArrayLike<number>): Table {
  const select = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] as number)
  return {
    time: select(time),
    columns: mapValues(columns, (column) =>
      column.type === 'text'
        ? { ...column, codes: Int32Array.from(rows, (row) => column.codes[row] as number) }
        : { ...column, values: select(column.values) },
    ),
    ...(hidden.moments && { moments: mapValues(hidden.moments, select) }),
    ...(hidden.knownAt && { knownAt: select(hidden.knownAt) }),
    ...(hidden.sentAt && {
      sentAt: { first: select(hidden.sentAt.first), latest: select(hidden.sentAt.latest) },
    }),
  }
}

export function columnAt({ columns }: Table, name: string): Column | undefined {
  return Object.hasOwn(columns, name) ? columns[name] : undefined
}

export function valueAt(column: Column, row: number): CellValue {
  if (column.type === 'text') return column.dictionary[column.codes[row] as number] ?? null
  const value = column.values[row] as number
  if (Number.isNaN(value)) return null
  return column.type === 'time' ? formatFloating(value) : value
}

export function firstFrom(time: Float64Array, moment: number): number {
  return firstIndex(time.length, (row) => (time[row] as number) >= moment)
}

export function bytesOf({ time, columns }: Table): number {
  return Object.values(columns).reduce((sum, column) => {
    return sum + (column.type === 'text' ? column.codes : column.values).byteLength
  }, time.byteLength)
}
