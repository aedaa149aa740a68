import type { PaginationErrorCode } from './pagination-error.ts'

/** Where a walk goes after a page. */
export interface Step<Cursor> {
  /** The cursor of the next page; undefined when this page is the last one. */
  next?: Cursor | undefined
  /** Why the walk cannot go on. */
  problem?: PaginationErrorCode
  /** Whether the page has nothing new, so that it is not yielded. */
  isRepeated?: boolean
}
