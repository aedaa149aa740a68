import { isObject, uuidPattern } from '../shared/narrow.ts'
import { partsOfText } from './parts.ts'
import type { SqlType } from './schema/columns.ts'

/** Patterns for UUIDs with hyphens, and for the first and last 32 digits of hexadecimal numbers with at least 32. */
const uuidForms = [
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
  /(?<![0-9a-f])[0-9a-f]{32}/g,
  /(?![0-9a-f])(?<=([0-9a-f]{32}))/g,
]

/** Finds UUIDs with or without hyphens, and returns them in the form that the tables use. */
export async function uuidsIn(text: string): Promise<string[]> {
  const uuids = new Set<string>()
  for await (const part of partsOfText(text.toLowerCase(), 36)) {
    for (const form of uuidForms) {
      for (const [found, last = found] of part.matchAll(form)) {
        uuids.add(last.includes('-') ? last : hyphenate(last))
      }
    }
  }
  return [...uuids]
}

function hyphenate(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value)
}

export function columnValueAt(
  record: Readonly<Record<string, unknown>>,
  path: readonly string[],
): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    record,
  )
}

/**
 * Converts a value to a column's type. Returns undefined for a value of a different type, which only the `record`
 * column keeps.
 */
export function toColumn(value: unknown, type: SqlType): unknown {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'uuid':
      return isUuid(value) ? value : undefined
    case 'double precision':
      return typeof value === 'number' ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'timestamptz':
      return toTime(value)
    case 'date':
      return toDay(value)
    case 'jsonb':
      return value ?? undefined
  }
}

export const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/

export function toDay(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, year = '', month = '', day = ''] = dayPattern.exec(value) ?? []
  const moment = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // `Date` moves invalid days to the next month, and years before 100 to the 20th century.
  return moment.toJSON()?.startsWith(`${year}-${month}-${day}T`) ? value : undefined
}

export const timePattern =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?([Zz]|[+-]\d\d:?\d\d)?$/

/** The most common time format: in UTC, with seconds but no fraction, on a day that every month has. */
const usualTime =
  /^(?!0000)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:Z|\+00:00)$/

/**
 * Converts a time to UTC, with three to six fractional digits. Treats a time without an offset as UTC. Returns
 * undefined if the time is invalid.
 */
export function toTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // Skip `Date`, which is many times slower.
  const usual = usualTime.exec(value)?.[1]
  if (usual !== undefined) return `${usual}.000Z`
  const [, day, clock, digits = '', offset = 'Z'] = timePattern.exec(value) ?? []
  if (day === undefined) return undefined
  const zone = offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()
  const text = new Date(`${day}T${clock}${zone}`).toJSON() ?? ''
  // `Date` moves an invalid day to the next month.
  if (!text.startsWith(day) && toDay(day) === undefined) return undefined
  // Postgres has no year 0, and `toJSON` writes years above 9999 in a different format.
  if (!/^(?!0000)\d{4}-/.test(text)) return undefined
  // Equal times have equal strings.
  const fraction = digits.slice(0, 6).replace(/0+$/, '').padEnd(3, '0')
  return text.replace('.000Z', `.${fraction}Z`)
}

/** Converts a value to JSON. Replaces U+0000 and lone surrogates with U+FFFD, because Postgres rejects them. */
export function toJsonb(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )
}
