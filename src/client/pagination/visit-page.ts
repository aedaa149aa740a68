import { ownFields } from '../../shared/own-fields.ts'
import type { WithResponse } from '../call.ts'
import { tryRead } from '../copy-input.ts'
import type { PaginationErrorCode } from '../errors/error-codes.ts'

export interface PageStep<Cursor> {
  /** The next page's cursor or number, or undefined if this page is the last one or has a problem. */
  next?: Cursor | undefined
  problem?: PaginationErrorCode
  isRepeated?: boolean
}

export interface Walk<Page, Cursor> {
  itemsOf: (page: Page) => readonly unknown[]
  /** Starts an iteration. Call the returned function with each page, in order. */
  createStepper: () => (page: Page, at: Cursor) => PageStep<Cursor>
  maxPages: number
}

/** A problem with a page. `list_missing`: it has no list of items, which strict validation would have rejected. */
export type PageProblem = PaginationErrorCode | 'list_missing'

export interface VisitedPage<Page, Cursor> {
  result: WithResponse<Page>
  /** The number of pages so far, excluding skipped pages. */
  pages: number
  next: Cursor | undefined
  problem: PageProblem | undefined
  /** Whether the page is skipped, because it repeats an earlier one or has no list. */
  isRepeated: boolean
}

export function createVisitor<Page, Cursor>(walk: Walk<Page, Cursor>) {
  const { createStepper, itemsOf, maxPages } = walk
  const step = createStepper()
  let pages = 0
  return (result: WithResponse<Page>, at: Cursor): VisitedPage<Page, Cursor> => {
    if (!Array.isArray(tryRead(() => itemsOf(result.data)))) {
      return { result, pages, next: undefined, problem: 'list_missing', isRepeated: true }
    }
    const { next, problem, isRepeated = false } = ownFields(step(result.data, at))
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
