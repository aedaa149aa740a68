import { unprocessable } from '../base/http-error.ts'
import { invalidValue } from './validation.ts'

/** A page of a list with cursors. */
export interface StorePage<T> {
  data: T[]
  next_cursor: string | null
}

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
  const key = cursor ? parseCursor(cursor) : undefined
  const start = cursor ? items.findIndex((item) => keyOf(item) === key) + 1 : 0
  if (cursor && start === 0) throw invalidCursor(cursor)
  const data = items.slice(start, start + size)
  const last = data.at(-1)
  const isLastPage = last === undefined || start + size >= items.length
  return { data, next_cursor: isLastPage ? null : btoa(encodeURIComponent(keyOf(last))) }
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
