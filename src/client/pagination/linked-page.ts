import { ownFields } from '../../shared/own-fields.ts'
import type { WithResponse } from '../call.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { createVisitor, type PageProblem, type VisitedPage, type Walk } from './visit-page.ts'

/** A page's methods, in addition to its fields. They are not enumerable, so JSON and copies omit them. */
export interface PageLinks<Page> {
  /** Returns whether there may be a next page. */
  hasNextPage(): boolean
  /**
   * Requests the next page; further calls return the same page.
   *
   * @throws {PaginationError} when this is the last page, when the next page cannot be determined, or after `maxPages`
   * pages.
   */
  nextPage(): Promise<LinkedPage<Page>>
}

/** A page's fields, plus the methods for reading the next page. */
export type LinkedPage<Page> = Page & PageLinks<Page>

interface LinkPlan<Page, Cursor> extends Walk<Page, Cursor> {
  first: Cursor
  fetch: (at: Cursor) => { withResponse(): Promise<WithResponse<Page>> }
  createError: (code: PageProblem, page: VisitedPage<Page, Cursor>) => Promise<ServiceError>
}

export function linkFirstPage<Page, Cursor>(
  result: WithResponse<Page>,
  plan: LinkPlan<Page, Cursor>,
): WithResponse<LinkedPage<Page>> {
  const visit = createVisitor(plan)
  return { ...result, data: linkPage(result, plan.first, { ...plan, visit }) }
}

interface Links<Page, Cursor> extends LinkPlan<Page, Cursor> {
  visit: (result: WithResponse<Page>, at: Cursor) => VisitedPage<Page, Cursor>
}

function linkPage<Page, Cursor>(
  result: WithResponse<Page>,
  at: Cursor,
  links: Links<Page, Cursor>,
): LinkedPage<Page> {
  try {
    return addLinks(links.visit(result, at), links)
  } catch {
    // With `validation: 'off'`, a page can be anything, even a value that cannot have methods.
    return result.data as LinkedPage<Page>
  }
}

/** Adds a page's methods. They use the cursor or number that `visit` found, because the caller may change the page. */
function addLinks<Page, Cursor>(
  page: VisitedPage<Page, Cursor>,
  links: Links<Page, Cursor>,
): LinkedPage<Page> {
  let next: Promise<LinkedPage<Page>> | undefined
  const nextPage = () => {
    next ??= fetchNext(page, links).catch((error: unknown) => {
      // Forget the failure, because a later call may succeed.
      next = undefined
      throw error
    })
    return next
  }
  const hasNextPage = () => page.next !== undefined || page.problem !== undefined
  const methods: PageLinks<Page> = { hasNextPage, nextPage }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(page.result.data, name, ownFields({ value }))
  }
  // The methods were added above.
  return page.result.data as LinkedPage<Page>
}

async function fetchNext<Page, Cursor>(
  page: VisitedPage<Page, Cursor>,
  links: Links<Page, Cursor>,
): Promise<LinkedPage<Page>> {
  if (page.problem) throw await links.createError(page.problem, page)
  if (page.next === undefined) throw await links.createError('last_page', page)
  const following = links.visit(await links.fetch(page.next).withResponse(), page.next)
  if (following.isRepeated && following.problem) {
    throw await links.createError(following.problem, following)
  }
  return addLinks(following, links)
}
