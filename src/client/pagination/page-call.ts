import type { Issue } from '../../contract/schema-tools/check.ts'
import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { CallSite } from '../../shared/stack.ts'
import { Call, type WithResponse } from '../call.ts'
import { describeIssue } from '../errors/message.ts'
import type { ErrorFacts, ServiceError } from '../errors/service-error.ts'
import {
  missingList,
  RequestValidationError,
  ResponseValidationError,
} from '../errors/validation-errors.ts'
import { findOptionIssues } from '../options/check-options.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions } from '../options/request-options.ts'
import { positiveInteger } from '../options/rules.ts'
import { loadModules } from '../transport/load-modules.ts'
import type { EndpointIn } from '../transport/transport.ts'
import { type LinkedPage, linkFirstPage } from './linked-page.ts'
import { PaginationError } from './pagination-error.ts'
import { createVisitor, type PageProblem, type VisitedPage, type Walk } from './visit-page.ts'

export interface PagePlan<Page, Item, Cursor> extends Walk<Page, Cursor> {
  endpoint: EndpointIn<Endpoint>
  callSite: CallSite | undefined
  fetch: (at: Cursor) => Call<Page>
  first: Cursor
  itemsOf: (page: Page) => readonly Item[]
}

/** Options for `toArray`. */
export interface ToArrayOptions {
  /** The maximum number of items, at least 1. Pages beyond the limit are not requested. */
  limit: number
}

/**
 * A list call. `await` returns the first page, `for await` iterates over the items of all pages, `toArray` returns an
 * array of items, and `pages()` iterates over the pages. The first page is requested when you call the method, and each
 * later page when it is needed.
 *
 * @example
 * const page = await client.labTests.listMarkers({ size: 10 })
 * if (page.hasNextPage()) console.log(await page.nextPage())
 * for await (const marker of client.labTests.listMarkers()) console.log(marker.name)
 * const markers = await client.labTests.listMarkers().toArray({ limit: 500 })
 */
export class PageCall<Page, Item> extends Call<LinkedPage<Page>> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<Page>
  readonly #itemsOf: (page: Page) => readonly Item[]

  private constructor(
    first: Call<LinkedPage<Page>>,
    pages: () => AsyncGenerator<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    super(first.withResponse(), first.delivery)
    this.#pages = pages
    this.#itemsOf = itemsOf
  }

  /**
   * Starts a list call. If the arguments are invalid, the call rejects without sending a request.
   *
   * @internal
   */
  static start<Page, Item, Cursor>(
    plan: PagePlan<Page, Item, Cursor>,
    issues: readonly Issue[],
  ): PageCall<Page, Item> {
    const call =
      issues.length > 0 ? new Call<Page>(rejectArguments(plan, issues)) : plan.fetch(plan.first)
    const createError = (code: PageProblem, page: VisitedPage<Page, Cursor>) =>
      paginationError(code, page, plan)
    const first = call.map((result) => linkFirstPage(result, { ...plan, createError }))
    return new PageCall(first, () => readPages(plan, first.withResponse()), plan.itemsOf)
  }

  /**
   * Iterates over the pages.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @throws {ResponseValidationError} when a page has no list of items; `validation: 'strict'` detects this earlier.
   */
  pages(): AsyncGenerator<Page> {
    return this.#pages()
  }

  /**
   * Returns the items of all pages, up to a limit.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @throws {ResponseValidationError} when a page has no list of items; `validation: 'strict'` detects this earlier.
   * @throws {TypeError} when the limit is missing or invalid.
   */
  async toArray(options: ToArrayOptions): Promise<Item[]> {
    const copy = copyOptions<RequestOptions & Partial<ToArrayOptions>>(options)
    const issue = findOptionIssues(copy, { limit: positiveInteger })[0]
    const { limit } = copy
    if (issue || limit === undefined) {
      // Prevent an unhandled rejection: the first page was already requested, and no caller handles its failure.
      this.catch(() => {})
      throw new TypeError(`toArray: ${describeIssue(issue ?? limitIssue)}`)
    }
    const items: Item[] = []
    for await (const item of this) {
      items.push(item)
      if (items.length >= limit) break
    }
    return items
  }

  /**
   * Iterates over the items of all pages.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @throws {ResponseValidationError} when a page has no list of items; `validation: 'strict'` detects this earlier.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.#pages()) yield* this.#itemsOf(page)
  }
}

const limitIssue: Issue = { path: 'limit', expected: 'an integer of at least 1' }

/** Yields the pages. Determines the next page before yielding the current one, which the caller may change. */
async function* readPages<Page, Item, Cursor>(
  plan: PagePlan<Page, Item, Cursor>,
  first: Promise<WithResponse<Page>>,
): AsyncGenerator<Page> {
  const visit = createVisitor(plan)
  let page = visit(await first, plan.first)
  for (;;) {
    if (!page.isRepeated) yield page.result.data
    if (page.problem) throw await paginationError(page.problem, page, plan)
    if (page.next === undefined) return
    page = visit(await plan.fetch(page.next).withResponse(), page.next)
  }
}

type ListOrigin = Pick<PagePlan<never, never, never>, 'endpoint' | 'callSite'>

async function paginationError(
  code: PageProblem,
  { result, pages }: VisitedPage<unknown, unknown>,
  list: ListOrigin,
): Promise<ServiceError> {
  const { attempts, requestId } = result.response
  const facts = await loadCallFacts(list)
  const outcome = 'succeeded'
  const all: ErrorFacts = ownFields({ ...facts, outcome, attempts, requestId })
  if (code !== 'list_missing') return new PaginationError(code, pages, all)
  return new ResponseValidationError([missingList], result.data, result.response.status, all)
}

async function rejectArguments(list: ListOrigin, issues: readonly Issue[]): Promise<never> {
  throw new RequestValidationError(issues, await loadCallFacts(list))
}

async function loadCallFacts({
  endpoint,
  callSite,
}: ListOrigin): Promise<Pick<ErrorFacts, 'operation' | 'route' | 'effect' | 'callSite'>> {
  const { contract } = await loadModules()
  const { id: operation, method, path, effect } = endpoint(contract)
  return { operation, route: `${method} ${path}`, effect, callSite }
}
