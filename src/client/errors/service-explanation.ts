import { readField, toJson } from '../../shared/own-fields.ts'

const maxLength = 1000
const maxDetails = 20

/**
 * Returns the service's explanation as one line: up to 1,000 characters of a JSON body's `detail`, or of a body that is
 * not JSON. It may contain health data.
 */
export function serviceExplanation(body: unknown): string | undefined {
  const text = typeof body === 'string' ? plainText(body) : describeDetail(body)
  return toLine(text) || undefined
}

/** Returns an empty string for HTML, which usually comes from a proxy and contains no explanation. */
function plainText(body: string): string {
  return body.trimStart().startsWith('<') ? '' : body
}

function describeDetail(body: unknown): string {
  const detail = readField(body, 'detail')
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return detail ? (toJson(detail) ?? '') : ''
  const described = detail.slice(0, maxDetails).map(describeEntry)
  const rest = detail.length - described.length
  return described.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

/** Describes an entry, as in `body.dob: Input should be a valid date (date_parsing)`. */
function describeEntry(entry: unknown): string {
  const [loc, type, msg] = ['loc', 'type', 'msg'].map((name) => readField(entry, name))
  const path = Array.isArray(loc)
    ? loc.slice(0, maxDetails).map(toSegment).join('').replace(/^\./, '')
    : ''
  const kind = typeof type === 'string' ? ` (${type})` : ''
  return `${path || 'request'}: ${typeof msg === 'string' ? msg : 'invalid'}${kind}`
}

function toSegment(key: unknown): string {
  return typeof key === 'number' ? `[${key}]` : `.${typeof key === 'string' ? key : '*'}`
}

/** Replaces line breaks and control characters, which could forge log lines. */
function toLine(text: string): string {
  const line = text
    .slice(0, maxLength + 1)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}
