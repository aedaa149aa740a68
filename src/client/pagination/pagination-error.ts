import { seeError } from '../../shared/error-links.ts'
import type { PaginationErrorCode } from '../errors/error-codes.ts'
import { describeRequest, joinSentences } from '../errors/message.ts'
import { type ErrorFacts, ServiceError } from '../errors/service-error.ts'

/** Thrown when an iteration over pages cannot continue. Every earlier page was yielded, but items may be missing. */
export class PaginationError extends ServiceError {
  static override readonly kind: string = 'PaginationError'
  override readonly code: PaginationErrorCode
  /** The number of pages yielded. */
  readonly pages: number

  /** Creates the error for an iteration that stopped after `pages` pages. */
  constructor(code: PaginationErrorCode, pages: number, facts: ErrorFacts) {
    const read = pages === 1 ? '1 page' : `${pages} pages`
    super(
      joinSentences(
        `${facts.operation} stopped after ${read}: ${reasons[code]}`,
        describeRequest(facts),
      ) + seeError(code),
      facts,
    )
    this.code = code
    this.pages = pages
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), pages: this.pages }
  }
}

const reasons: Record<PaginationErrorCode, string> = {
  page_limit_reached:
    'it reached maxPages, but there are more pages. If the list is that long, increase maxPages.',
  last_page: 'this is the last page. Call hasNextPage() before nextPage().',
  cursor_repeated:
    "the service returned a next_cursor that it had already returned, so later items may be missing. Report this to the service's support team.",
  page_repeated:
    "the service returned the items of an earlier page again, so later items may be missing. Report this to the service's support team.",
  page_empty:
    "the service returned an empty page although its counters show more items, so items may be missing. Report this to the service's support team.",
  list_changed:
    'the list became shorter during the iteration, so an item may be missing. Start again.',
}
