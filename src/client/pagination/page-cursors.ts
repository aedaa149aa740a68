import type { PageStep } from './page-step.ts'

/** A page that contains the cursor of the next one. */
interface CursorPage {
  data: readonly unknown[]
  next_cursor?: string | null | undefined
}

/**
 * Follows the cursors of one iteration until a page has none. If the service repeats the cursor of an empty page, there are
 * no more items at present; any other repeated cursor leads back, so the pages after it cannot be reached.
 */
export function followCursors(): (
  page: CursorPage,
  at: string | undefined,
) => PageStep<string | undefined> {
  const seen = new Set<string | undefined>()
  return ({ data, next_cursor: next }, at) => {
    seen.add(at)
    if (next === undefined || next === null || next === '') return {}
    if (data.length === 0 && next === at) return {}
    return seen.has(next) ? { problem: 'cursor_repeated' } : { next }
  }
}
