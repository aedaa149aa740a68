import { MockError } from './errors.ts'

/** A length of time: milliseconds, or text such as `'500ms'`, `'3s'`, `'15m'`, `'48h'`, `'7d'`. */
export type TimeSpan = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** A moment: a date, its milliseconds since 1970, or its ISO 8601 text. */
export type Instant = Date | number | string

const milliseconds: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The milliseconds of a length of time, which is never negative. */
export function spanOf(span: TimeSpan): number {
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(span)) ?? []
  if (digits === undefined) {
    throw new MockError(
      'invalid_time',
      `Expected a length of time of zero or more, in milliseconds or as text such as '15m', but got ${shown(span)}.`,
    )
  }
  return Number(digits) * (milliseconds[unit] as number)
}

/** The milliseconds since 1970 of a moment. */
export function momentOf(instant: Instant): number {
  const moment = instant instanceof Date ? instant.getTime() : new Date(instant).getTime()
  if (Number.isNaN(moment)) {
    throw new MockError(
      'invalid_time',
      `Expected a moment: a Date, milliseconds or text such as '2025-06-01T09:00:00Z', but got ${shown(instant)}.`,
    )
  }
  return moment
}

/** The wire form of a moment: ISO 8601, UTC. */
export function dateTime(moment: number): string {
  return new Date(moment).toISOString()
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
