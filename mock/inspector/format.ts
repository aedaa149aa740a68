import { day, hour, minute, spanUnits } from '../shared/time-units.ts'

/** Matches control characters, direction marks and lone surrogates, but not the joiner used in emoji. */
const hidden = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Escapes characters that are invisible or that change the writing direction. */
export function escapeHidden(text: string, isKept = (_: string) => false): string {
  return text.replace(hidden, (character) =>
    isKept(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** Formats the time of an ISO 8601 string in UTC, such as `09:00:03.120`. */
export function formatTime(at: string): string {
  return at.slice(11, 23)
}

/** Formats the date and time of an ISO 8601 string in UTC, such as `2025-06-01 09:00:03`. */
export function formatDateTime(at: string | null | undefined): string {
  return at ? at.slice(0, 19).replace('T', ' ') : '–'
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats the date of an ISO 8601 string in UTC, such as `Sun, 1 Jun 2025`. */
export function formatDay(at: string): string {
  return dayFormat.format(new Date(at))
}

const units = [
  ['d', day],
  ['h', hour],
  ['min', minute],
  ['s', spanUnits.s],
] as const

/** Formats the duration between two times in at most two units, such as `2 h 15 min`. */
export function formatDuration(from: string, to: string): string {
  let rest = Math.max(0, Date.parse(to) - Date.parse(from))
  if (rest === 0) return 'now'
  if (rest < spanUnits.s) return `${rest} ms`
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count > 0 ? [`${count} ${name}`] : []
  })
  return parts.slice(0, 2).join(' ')
}

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Formats a number with at most two decimal places, such as `12,345.67`. */
export function formatNumber(value: number): string {
  return numberFormat.format(value)
}

/** Formats a count with its noun, such as `1 change` or `2 changes`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

interface NamedUser {
  user_id: string
  info: { first_name?: unknown; last_name?: unknown } | null
}

export function displayName({ user_id, info }: NamedUser): string {
  const name = [info?.first_name, info?.last_name].filter((part) => part).join(' ')
  return escapeHidden(name || user_id.slice(0, 8))
}
