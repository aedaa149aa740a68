import type { WithResponse } from '../call.ts'
import type { PaginationErrorCode } from '../errors/error-codes.ts'
import type { PageStep } from './page-step.ts'

/** How to walk from page to page. */
export interface Walk<Page, Cursor> {
  /** Starts an iteration; the function that it returns is called with each page in order. */
  createStepper: () => (page: Page, at: Cursor) => PageStep<Cursor>
  /** The maximum number of pages of one iteration. */
  maxPages: number
}

/** A page of an iteration, and what follows it. */
export interface VisitedPage<Page, Cursor> {
  result: WithResponse<Page>
  /** The number of pages up to this one; a page that repeats an earlier one is not counted. */
  pages: number
  /** The cursor of the next page; undefined when this page is the last one. */
  next: Cursor | undefined
  /** Why the iteration cannot continue. */
  problem: PaginationErrorCode | undefined
  /** Whether the page repeats an earlier one. */
  isRepeated: boolean
}

/** Returns a function that decides what follows each page; it must be called with the pages in order. */
export function createVisitor<Page, Cursor>({ createStepper, maxPages }: Walk<Page, Cursor>) {
  const step = createStepper()
  let pages = 0
  return (result: WithResponse<Page>, at: Cursor): VisitedPage<Page, Cursor> => {
    const { next, problem, isRepeated = false } = step(result.data, at)
    if (!isRepeated) pages += 1
    const isLimited = next !== undefined && pages >= maxPages
    return {
      result,
      pages,
      next,
      problem: problem ?? (isLimited ? 'page_limit_reached' : undefined),
      isRepeated,
    }
  }
}
