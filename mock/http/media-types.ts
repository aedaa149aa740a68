/**
 * Returns whether a `content-type` is a JSON type, such as `application/json; charset=utf-8` or
 * `application/problem+json`.
 */
export function isJsonType(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(contentType))
}

/**
 * Returns the offered media type that an `accept` header prefers, or undefined if the header accepts no offered type.
 * Media types are case-insensitive. A wildcard selects the first matching type, and an empty header selects the first
 * type.
 */
export function preferredType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = accept.split(',').filter((range) => range.trim() !== '')
  if (ranges.length === 0) return offered[0]
  return ranges
    .map((range) => ({ type: mediaTypeOf(range), weight: weightOf(range) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ type }) => offered.find((candidate) => isInRange(candidate, type)))
    .find((match) => match !== undefined)
}

function mediaTypeOf(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase()
}

function weightOf(range: string): number {
  const [, weight = '1'] = /;\s*q=([\d.]+)/i.exec(range) ?? []
  return Number(weight)
}

function isInRange(type: string, range: string): boolean {
  if (range === '*/*' || range === type) return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}
