import type { JournalEntry } from '../http/journal/journal-entry.ts'

/** Returns a function that checks whether a string contains every word of a search. The string is made only if needed. */
export function textMatcher(search: string): (text: () => string) => boolean {
  const words = wordsOf(search)
  if (words.length === 0) return () => true
  return (text) => {
    const found = text().toLowerCase()
    return words.every((word) => found.includes(word))
  }
}

/** Returns the words of a search in lower case. */
export function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word)
}

/** Returns everything in a request that a search covers. */
export function requestText(entry: JournalEntry): string {
  const { operation, method, path, request, response, outcome, faults, events } = entry
  const { url, body, headers } = request
  const ids = events.map(({ id, event_type }) => [id, event_type])
  const sent = { body, headers, response, faults, ids, failures: entry.failures }
  return `${operation ?? ''} ${method} ${path} ${url} ${outcome} ${textOf(sent)}`
}

/** Returns a value as JSON without its bytes. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? '' : part)) ?? ''
}

/** A search result; it contains every word that was searched for. */
export interface SearchHit {
  /** What was found: `request`, `event`, `record` or `delivery`. */
  kind: 'request' | 'event' | 'record' | 'delivery'
  /** A request's or event's number, `<collection>/<key>` for a record, or `<webhook>/<event number>` for a delivery. */
  key: string
  /** A title, such as `orders.create 200` or `users`. */
  title: string
  /** An excerpt around the first matching word. */
  excerpt: string
}
