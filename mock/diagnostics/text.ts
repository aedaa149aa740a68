import { isObject } from '../../src/shared/narrow.ts'
import type { JournalEntry, JournalOutcome } from '../http/journal/journal-entry.ts'

/** The maximum length of a value in a message, in characters. */
const longest = 200

/** Shortens a string to one line without control characters. */
export function shorten(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
}

const causes: Record<JournalOutcome, string> = {
  waiting: 'no response yet',
  responded: '',
  refused: 'a fault refused the connection',
  lost: 'a fault closed the connection before the response was sent',
  aborted: 'the caller aborted the request',
  failed: 'the mock failed',
}

/** The maximum number of validation errors that a line shows for a 422 response. */
const shownDetails = 3

/** Describes a request in one line, with the path template instead of the path, which may contain ids. */
export function describeEntry(entry: JournalEntry): string {
  const { number, operation, method, path, response, outcome } = entry
  const target = operation ? `${operation} ${method} ${path}` : `${method} unknown route`
  const reasons = [reasonOf(entry), ...entry.failures.map(shorten)].filter(Boolean)
  const reason = reasons.length > 0 ? `: ${reasons.join('; ')}` : ''
  return `${number}. ${target} ${response?.status ?? outcome}${reason}`
}

function reasonOf({ response, outcome }: JournalEntry): string {
  if (!response) return causes[outcome]
  if (response.status < 400) return ''
  const { body } = response
  const detail = isObject(body) ? body['detail'] : body
  if (typeof detail === 'string') return shorten(detail)
  return Array.isArray(detail) ? describeDetails(detail) : ''
}

/** Describes validation errors without the invalid values, which may contain personal data. */
function describeDetails(details: readonly unknown[]): string {
  const shown = details.slice(0, shownDetails).map((item) => {
    const { loc, msg, type } = Object(item)
    return shorten(`${Array.isArray(loc) ? loc.join('.') : ''}: ${msg} (${type})`)
  })
  const hidden = details.length - shown.length
  return [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join('; ')
}
