import { isBytes } from '../../src/shared/narrow.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import type { Slices } from '../shared/slices.ts'

/** The estimated times, in microseconds, to build one item's text and to search one character of it. */
const [itemWork, characterWork] = [50, 0.02]

export async function filterByText<Item>(
  items: Iterable<Item>,
  textOfItem: (item: Item) => string,
  search: string,
  slices: Slices,
): Promise<Item[]> {
  const words = wordsOf(search)
  const found: Item[] = []
  for (const item of items) {
    const text = textOfItem(item).toLowerCase()
    if (words.every((word) => text.includes(word))) found.push(item)
    const pause = slices.spend(itemWork + text.length * characterWork)
    if (pause) await pause
  }
  return found
}

export function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word)
}

export function requestText(entry: JournalEntry): string {
  const { operation, method, path, request, response, outcome, faults, events } = entry
  const { url, body, headers } = request
  const ids = events.map(({ id, event_type }) => [id, event_type])
  const sent = { body, headers, response, faults, ids, failures: entry.failures }
  return `${operation ?? ''} ${method} ${path} ${url} ${outcome} ${textOf(sent)}`
}

/** Formats a value as JSON for the search. Binary data becomes an empty string. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (isBytes(part) ? '' : part)) ?? ''
}

/** A search result: an item that contains every search word. */
export interface SearchHit {
  /** The type of the item: `request`, `event`, `record` or `delivery`. */
  kind: 'request' | 'event' | 'record' | 'delivery'
  /** A request or event number, `<collection>/<key>` for a record, or `<webhook>/<event number>` for a delivery. */
  key: string
  /** The title, such as `orders.create 200` or `users`. */
  title: string
  /** An excerpt around the first search word. */
  excerpt: string
}
