import { type ErrorFacts, ServiceError } from '../errors.ts'

/**
 * Why a walk over pages cannot go on.
 * - `page_limit_reached`: it read `maxPages` pages, and more follow.
 * - `cursor_repeated`: the service sent a cursor that it sent before.
 * - `page_repeated`: the service sent the items of an earlier page again, as if it ignored the page number.
 */
export type PaginationErrorCode = 'page_limit_reached' | 'cursor_repeated' | 'page_repeated'

/** A walk over the pages of a listing cannot go on. Every page before was yielded; items after it may be missing. */
export class PaginationError extends ServiceError {
  static override readonly kind: string = 'PaginationError'
  override readonly code: PaginationErrorCode
  /** How many pages the walk yielded. */
  readonly pages: number

  constructor(code: PaginationErrorCode, pages: number, facts: ErrorFacts) {
    const read = pages === 1 ? '1 page' : `${pages} pages`
    super(`${facts.operation} stopped after ${read}: ${reasons[code]}`, facts)
    this.code = code
    this.pages = pages
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), pages: this.pages }
  }
}

const reasons: Record<PaginationErrorCode, string> = {
  page_limit_reached:
    'maxPages is reached and more pages follow. Raise maxPages if the listing is that long; if not, the service never ends it.',
  cursor_repeated:
    'the service sent a next_cursor that it sent before, so later pages cannot be reached. Items may be missing.',
  page_repeated:
    'the service sent the items of an earlier page again, as if it ignored the page number. Items may be missing.',
}
