import { memo } from '../../src/shared/memo.ts'
import { present } from '../../src/shared/narrow.ts'
import { firstIndex } from '../shared/lists.ts'
import { unprocessable } from './http-error.ts'
import { invalidValue } from './request/validation.ts'

export interface StorePage<T> {
  data: T[]
  next_cursor: string | null
}

export interface WalkedList<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  /** The keys of all items, including deleted ones, in list order. Default: the items' keys. */
  keys?: readonly string[]
}

// Without this index, reading all pages of a list would take quadratic time.
/** Returns the position of each key in a list. Computed once per list, so do not modify the list afterwards. */
const placesOf = memo(
  (_list: readonly unknown[], keys: () => readonly string[]) =>
    new Map(keys().map((key, at) => [key, at])),
)

/**
 * Returns a page of items. The cursor contains the key of the previous page's last item, so adding or deleting items
 * neither repeats nor skips other items.
 */
export function cursorPage<T>(
  list: WalkedList<T>,
  size: number,
  cursor: string | null | undefined,
): StorePage<T> {
  const { items, keyOf } = list
  const start = cursor ? placeAfter(cursor, list) : 0
  const data = items.slice(start, start + size)
  const last = data.at(-1)
  const isLastPage = last === undefined || start + size >= items.length
  return { data, next_cursor: isLastPage ? null : btoa(encodeURIComponent(keyOf(last))) }
}

function placeAfter<T>(cursor: string, { items, keyOf, keys }: WalkedList<T>): number {
  const places = placesOf(keys ?? items, () => keys ?? items.map(keyOf))
  const place = places.get(parseCursor(cursor))
  if (place === undefined) throw invalidCursor(cursor)
  // Every item has a place, and the items are in ascending order of their places.
  const placeAt = (at: number) => Number(places.get(keyOf(present(items[at]))))
  return firstIndex(items.length, (at) => placeAt(at) > place)
}

function parseCursor(cursor: string): string {
  try {
    return decodeURIComponent(atob(cursor))
  } catch {
    throw invalidCursor(cursor)
  }
}

function invalidCursor(input: string) {
  const rule = { kind: 'rule', expected: 'the next_cursor of a previous page' } as const
  return unprocessable([invalidValue(rule, ['query', 'next_cursor'], input)])
}
