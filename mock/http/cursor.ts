import { unprocessable } from '../base/refusal.ts'

/** One page of a list that is walked with cursors. */
export interface CursorPage<T> {
  data: T[]
  next_cursor: string | null
}

/**
 * A page of items. The cursor names the last item of the page before, by its key, so that items that are added or
 * removed meanwhile neither repeat nor skip others.
 */
export function cursorPage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  size: number,
  cursor: string | null | undefined,
): CursorPage<T> {
  const key = cursor ? keyIn(cursor) : undefined
  const start = cursor ? items.findIndex((item) => keyOf(item) === key) + 1 : 0
  if (cursor && start === 0) throw invalidCursor(cursor)
  const data = items.slice(start, start + size)
  const last = data.at(-1)
  const isLastPage = last === undefined || start + size >= items.length
  return { data, next_cursor: isLastPage ? null : btoa(encodeURIComponent(keyOf(last))) }
}

function keyIn(cursor: string): string {
  try {
    return decodeURIComponent(atob(cursor))
  } catch {
    throw invalidCursor(cursor)
  }
}

function invalidCursor(input: string) {
  const msg = 'Input should be a next_cursor that an earlier page gave'
  return unprocessable([{ type: 'value_error', loc: ['query', 'next_cursor'], msg, input }])
}
