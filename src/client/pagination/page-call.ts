import type { Issue } from '../../contract/schema/check.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { Call, type WithResponse } from '../call.ts'
import type { CallSite } from '../errors/call-site.ts'
import type { ErrorFacts } from '../errors/service-error.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { loadModules } from '../transport/load-modules.ts'
import type { EndpointIn } from '../transport/transport.ts'
import type { PageStep } from './page-step.ts'
import { PaginationError, type PaginationErrorCode } from './pagination-error.ts'

/** How to read the pages of one list. */
export interface PagePlan<Page, Item, Cursor> {
  /** The endpoint, for errors. */
  endpoint: EndpointIn<Endpoint>
  /** Where the method was called, for errors. */
  callSite: CallSite | undefined
  /** Fetches the page at a cursor. */
  fetch: (at: Cursor) => Promise<WithResponse<Page>>
  /** The cursor of the first page. */
  first: Cursor
  /** Returns the items of a page. */
  itemsOf: (page: Page) => readonly Item[]
  /** Starts an iteration; the function that it returns is called with each page in order. */
  createStepper: () => (page: Page, at: Cursor) => PageStep<Cursor>
  /** The maximum number of pages of one iteration. */
  maxPages: number
}

/**
 * A list call: `await` gives one page, `for await` every item of every page, and `pages()` one page after the other. The
 * first page is requested when the method is called; each further page when the loop needs it.
 *
 * @example
 * const page = await client.labTests.listMarkers({ size: 10 })
 * for await (const marker of client.labTests.listMarkers()) console.log(marker.name)
 */
export class PageCall<Page, Item> extends Call<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<Page>
  readonly #itemsOf: (page: Page) => readonly Item[]

  private constructor(
    first: Promise<WithResponse<Page>>,
    pages: () => AsyncGenerator<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    super(first)
    this.#pages = pages
    this.#itemsOf = itemsOf
  }

  /**
   * Starts a list call; with issues it sends nothing and rejects.
   *
   * @internal
   */
  static start<Page, Item, Cursor>(
    plan: PagePlan<Page, Item, Cursor>,
    issues: readonly Issue[],
  ): PageCall<Page, Item> {
    const first = issues.length > 0 ? refuse(plan, issues) : plan.fetch(plan.first)
    return new PageCall(first, () => readPages(plan, first), plan.itemsOf)
  }

  /**
   * Iterates over the pages.
   *
   * @throws {PaginationError} when the next page cannot be found, or after `maxPages` pages.
   */
  pages(): AsyncGenerator<Page> {
    return this.#pages()
  }

  /**
   * Iterates over the items of all pages.
   *
   * @throws {PaginationError} when the next page cannot be found, or after `maxPages` pages.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.#pages()) yield* this.#itemsOf(page)
  }
}

/** Decides which page is next before it yields a page, because the caller may change the page. */
async function* readPages<Page, Item, Cursor>(
  plan: PagePlan<Page, Item, Cursor>,
  first: Promise<WithResponse<Page>>,
): AsyncGenerator<Page> {
  const step = plan.createStepper()
  let current = await first
  for (let pages = 1, at = plan.first; ; pages += 1) {
    const { next, problem, isRepeated = false } = step(current.data, at)
    if (!isRepeated) yield current.data
    const yielded = isRepeated ? pages - 1 : pages
    if (problem) throw await paginationError(problem, yielded, plan, current)
    if (next === undefined) return
    if (pages >= plan.maxPages) {
      throw await paginationError('page_limit_reached', yielded, plan, current)
    }
    at = next
    current = await plan.fetch(at)
  }
}

/** The parts of a plan that errors name. */
type ListOrigin = Pick<PagePlan<unknown, unknown, unknown>, 'endpoint' | 'callSite'>

async function paginationError(
  code: PaginationErrorCode,
  pages: number,
  list: ListOrigin,
  { response: { attempts, requestId } }: WithResponse<unknown>,
): Promise<PaginationError> {
  const facts = await loadCallFacts(list)
  return new PaginationError(code, pages, { ...facts, outcome: 'succeeded', attempts, requestId })
}

async function refuse(list: ListOrigin, issues: readonly Issue[]): Promise<never> {
  throw new RequestValidationError(issues, await loadCallFacts(list))
}

async function loadCallFacts({
  endpoint,
  callSite,
}: ListOrigin): Promise<Pick<ErrorFacts, 'operation' | 'route' | 'callSite'>> {
  const { contract } = await loadModules()
  const { id: operation, method, path } = endpoint(contract)
  return { operation, route: `${method} ${path}`, callSite }
}
