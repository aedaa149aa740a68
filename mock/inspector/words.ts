/** How values are told to people. Times are the team's, in UTC. */

/** Controls, marks that turn text around, and halves of letters; not what joins the parts of an emoji. */
const hidden = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text with what would not be seen, or would turn other text around, as an escape. */
export function visible(text: string, isKept = (_: string) => false): string {
  return text.replace(hidden, (letter) =>
    isKept(letter) ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  )
}

/** Such as `09:00:03.120`. */
export function timeOf(at: string): string {
  return at.slice(11, 23)
}

/** Such as `2025-06-01 09:00:03`. */
export function momentOf(at: string | null | undefined): string {
  return at ? at.slice(0, 19).replace('T', ' ') : '–'
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Such as `Sun, 1 Jun 2025`. */
export function dayOf(at: string): string {
  return dayFormat.format(new Date(at))
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** How far away a moment is, in its two greatest units, such as `2 h 15 min`. */
export function distance(from: string, to: string): string {
  let left = Math.max(0, Date.parse(to) - Date.parse(from))
  if (left < 1000) return left === 0 ? 'now' : `${left} ms`
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count > 0 ? [`${count} ${name}`] : []
  })
  return parts.slice(0, 2).join(' ')
}

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Such as `12,345.67`. */
export function numberOf(value: number): string {
  return numberFormat.format(value)
}

/** Such as `1 change`, `2 changes`. */
export function counted(count: number, noun: string): string {
  return `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`
}

interface Named {
  user_id: string
  info: { first_name?: unknown; last_name?: unknown } | null
}

/** A user's name, or the beginning of the id of one whose name is unknown. */
export function nameOf({ user_id, info }: Named): string {
  const name = [info?.first_name, info?.last_name].filter((part) => part).join(' ')
  return visible(name || user_id.slice(0, 8))
}
