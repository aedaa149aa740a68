import type { ParquetParsers, SchemaElement } from 'hyparquet'

/** One value of a row. Integers beyond what a number can hold exactly stay a `bigint`. */
export type TableValue = string | number | bigint | boolean | null

/** Times as the JSON answer writes them: text. Zones are not known here, see {@link converterOf}. */
export function timeParsers(): Partial<ParquetParsers> {
  const write = timeWriter()
  return {
    timestampFromMilliseconds: (milliseconds) => {
      const time = Number(milliseconds)
      const second = Math.floor(time / 1000)
      return write(second, time - second * 1000, 3)
    },
    timestampFromMicroseconds: (microseconds) => parts(write, microseconds, 1_000_000n, 6),
    timestampFromNanoseconds: (nanoseconds) => parts(write, nanoseconds, 1_000_000_000n, 9),
    dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  }
}

type WriteTime = (second: number, fraction: number, digits: number) => string

function parts(write: WriteTime, time: bigint, unit: bigint, digits: number): string {
  const fraction = ((time % unit) + unit) % unit
  return write(Number((time - fraction) / unit), Number(fraction), digits)
}

/** Writes times such as `2025-02-17T23:10:00`, with a fraction where there is one. The day is kept: times come in order. */
function timeWriter(): WriteTime {
  let lastDay = Number.NaN
  let date = ''
  return (second, fraction, digits) => {
    const day = Math.floor(second / 86_400)
    if (day !== lastDay) {
      date = new Date(day * 86_400_000).toISOString().slice(0, -13)
      lastDay = day
    }
    const ofDay = second - day * 86_400
    const minute = Math.floor(ofDay / 60)
    const time = `${date}${two(Math.floor(minute / 60))}:${two(minute % 60)}:${two(ofDay % 60)}`
    if (fraction === 0) return time
    return `${time}.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`
  }
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** What turns a decoded value of a column into one of a row. */
export function converterOf(element: SchemaElement): (value: unknown) => TableValue {
  if (isInUtc(element)) return (value) => (typeof value === 'string' ? `${value}Z` : null)
  if (element.type === 'INT64') return narrowed
  // What is nested or of a type of its own passes through; the service's columns have neither.
  return (value) => (value ?? null) as TableValue
}

function isInUtc({ logical_type, converted_type }: SchemaElement): boolean {
  if (logical_type?.type === 'TIMESTAMP') return logical_type.isAdjustedToUTC
  return logical_type === undefined && converted_type?.startsWith('TIMESTAMP_') === true
}

function narrowed(value: unknown): TableValue {
  if (typeof value !== 'bigint') return (value ?? null) as TableValue // a time is text already
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
