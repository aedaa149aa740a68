import type { ParquetParsers, SchemaElement } from 'hyparquet'
import { unsupportedFileError } from '../archive/errors.ts'

/** A value in a row. Integers outside the safe range are `bigint`s. */
export type TableValue = string | number | bigint | boolean | null

/**
 * Returns parsers that format times as in the JSON response. {@link converterOf} adds a `Z` to times in UTC. JSON
 * values stay strings and geometries stay bytes, because objects would need many times more memory.
 *
 * @param isInMap Returns whether the current column contains maps. Maps become objects, and the key `__proto__` would
 * replace their prototype.
 */
export function tableParsers(isInMap: () => boolean): Partial<ParquetParsers> {
  const stringFromBytes = (bytes: Uint8Array) => {
    const string = bytes && decoder.decode(bytes)
    if (string === '__proto__' && isInMap()) throw unsupportedFileError(`${string} in a map`)
    return string
  }
  return {
    stringFromBytes,
    jsonFromBytes: stringFromBytes,
    geometryFromBytes: (bytes) => bytes,
    geographyFromBytes: (bytes) => bytes,
    ...timeParsers(),
  }
}

const decoder = new TextDecoder()

function timeParsers(): Partial<ParquetParsers> {
  const write = timeWriter()
  const parser = (digits: number) => {
    const unit = 10 ** digits
    return (time: bigint) => {
      const whole = Number(time)
      if (!Number.isSafeInteger(whole)) return writeGreat(write, time, digits)
      const second = Math.floor(whole / unit)
      return write(second, whole - second * unit, digits)
    }
  }
  return {
    timestampFromMilliseconds: parser(3),
    timestampFromMicroseconds: parser(6),
    timestampFromNanoseconds: parser(9),
    dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, -14),
  }
}

type WriteTime = (second: number, fraction: number, digits: number) => string

function writeGreat(write: WriteTime, time: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits)
  const fraction = ((time % unit) + unit) % unit
  return write(Number((time - fraction) / unit), Number(fraction), digits)
}

/**
 * Returns a function that formats times as `2025-02-17T23:10:00`, plus the fraction of a second if it is not zero. The
 * function caches the date and hour, because most times are in order.
 */
function timeWriter(): WriteTime {
  let lastHour = Number.NaN
  let beginning = ''
  return (second, fraction, digits) => {
    const hour = Math.floor(second / 3600)
    if (hour !== lastHour) {
      beginning = new Date(hour * 3_600_000).toISOString().slice(0, -10)
      lastHour = hour
    }
    const time = beginning + minutesAndSeconds[second - hour * 3600]
    if (fraction === 0) return time
    return `${time}.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`
  }
}

const minutesAndSeconds = Array.from({ length: 3600 }, (_, second) => {
  return `${two(Math.floor(second / 60))}:${two(second % 60)}`
})

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** Returns the function that converts a column's decoded values, or undefined if they need no conversion. */
export function converterOf(element: SchemaElement): ((value: unknown) => TableValue) | undefined {
  if (isInUtc(element)) return inUtc
  if (element.converted_type === 'DECIMAL') return roundTo(element.scale ?? 0)
  const isTime = element.logical_type?.type === 'TIMESTAMP'
  return element.type === 'INT64' && !isTime ? narrowed : undefined
}

function isInUtc({ logical_type, converted_type }: SchemaElement): boolean {
  if (logical_type?.type === 'TIMESTAMP') return logical_type.isAdjustedToUTC
  return logical_type === undefined && converted_type?.startsWith('TIMESTAMP_') === true
}

function inUtc(time: unknown): TableValue {
  return typeof time === 'string' ? `${time}Z` : null
}

/**
 * Returns a function that rounds decimals to `scale` digits. The decoder multiplies integers by a power of ten, so 0.3
 * becomes 0.30000000000000004.
 */
function roundTo(scale: number): (value: unknown) => TableValue {
  const digits = Math.min(Math.max(scale, 0), 100)
  return (value) => (typeof value === 'number' ? Number(value.toFixed(digits)) : null)
}

function narrowed(value: unknown): TableValue {
  const number = Number(value ?? Number.NaN)
  if (Number.isSafeInteger(number)) return number
  return typeof value === 'bigint' ? value : null
}
