import { present } from '../../src/shared/narrow.ts'
import { readTime } from './calendar.ts'
import { type Expression, excerpt, type Value, WhereError } from './expression.ts'
import { columnAt, type Table, valueAt } from './table.ts'

/** Returns a row's value. Times are in milliseconds. */
type Read = (row: number) => Value

export interface Operand {
  kind: 'number' | 'string' | 'boolean' | 'null' | 'time'
  /** Reads a row's value. A time is read as floating local time. */
  read: Read
  position: number
  /** The value of a string literal, or undefined for other operands. */
  text?: string
  /** Reads a time as a Unix timestamp in milliseconds. Set for every operand of kind `time`. */
  readMoment?: Read
}

export function literalOperand({ value, position }: Expression & { kind: 'literal' }): Operand {
  const read = () => value
  if (typeof value === 'string') return { kind: 'string', read, position, text: value }
  if (value === null) return { kind: 'null', read, position }
  return { kind: typeof value === 'number' ? 'number' : 'boolean', read, position }
}

export function columnOperand(
  { name, position }: Expression & { kind: 'column' },
  table: Table,
  names: readonly string[],
): Operand {
  const column = columnAt(table, name)
  if (!column) {
    throw new WhereError(position, `a column: ${names.join(', ')}`, `"${excerpt(name)}"`)
  }
  if (column.type === 'text') {
    return { kind: 'string', read: (row) => valueAt(column, row), position }
  }
  const { values } = column
  const read = (row: number) => {
    const value = present(values[row])
    return Number.isNaN(value) ? null : value
  }
  if (column.type === 'number') return { kind: 'number', read, position }
  const readMoment = (row: number) => {
    const local = read(row)
    return local === null ? null : (table.momentAt?.(name, row) ?? local)
  }
  return { kind: 'time', read, position, readMoment }
}

/**
 * Returns functions that read the two sides of a comparison. A string literal compared with a time is converted to a
 * Unix timestamp if it has an offset, and to floating local time otherwise.
 *
 * @throws {WhereError} if the sides cannot be compared.
 */
export function comparable(one: Operand, other: Operand): [Read, Read] {
  if (one.kind === 'time' && other.text !== undefined) return comparableTime(one, other)
  if (other.kind === 'time' && one.text !== undefined) {
    const [second, first] = comparableTime(other, one)
    return [first, second]
  }
  if (one.kind !== other.kind && one.kind !== 'null' && other.kind !== 'null') {
    throw new WhereError(other.position, `a ${one.kind}`, `a ${other.kind}`)
  }
  return [one.read, other.read]
}

function comparableTime(time: Operand, { text = '', position }: Operand): [Read, Read] {
  const known = readTime(text)
  if (!known) {
    const expected = "a time such as '2025-05-01' or '2025-05-01T12:00:00Z'"
    throw new WhereError(position, expected, `'${excerpt(text)}'`)
  }
  const { local, moment } = known
  if (moment === undefined) return [time.read, () => local]
  // Every time column has `readMoment`.
  return [present(time.readMoment), () => moment]
}
