import { unprocessable } from '../base/http-error.ts'
import { invalidValue } from './validation.ts'

/** A page of a list with cursors. */
export interface StorePage<T> {
  data: T[]
  next_cursor: string | null
}

/** The places of items in their list, by key: a list that does not change is walked with one search for each page. */
const placesOf = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>()

/**
 * Returns a page of items. The cursor contains the key of the last item of the previous page, so that added and deleted
 * items do not move the others.
 */
export function cursorPage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  size: number,
  cursor: string | null | undefined,
): StorePage<T> {
  const start = cursor ? placeAfter(cursor, items, keyOf) : 0
  const data = items.slice(start, start + size)
  const last = data.at(-1)
  const isLastPage = last === undefined || start + size >= items.length
  return { data, next_cursor: isLastPage ? null : btoa(encodeURIComponent(keyOf(last))) }
}

function placeAfter<T>(cursor: string, items: readonly T[], keyOf: (item: T) => string): number {
  const places = placesOf.get(items) ?? new Map(items.map((item, at) => [keyOf(item), at]))
  placesOf.set(items, places)
  const place = places.get(parseCursor(cursor))
  if (place === undefined) throw invalidCursor(cursor)
  return place + 1
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
