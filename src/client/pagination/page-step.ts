import type { PaginationErrorCode } from '../errors/error-codes.ts'

/** Where an iteration continues after a page. */
export interface PageStep<Cursor> {
  /** The cursor of the next page; undefined when this page is the last one. */
  next?: Cursor | undefined
  /** Why the iteration cannot continue. */
  problem?: PaginationErrorCode
  /** Whether the page repeats an earlier page, so that it is not yielded. */
  isRepeated?: boolean
}
