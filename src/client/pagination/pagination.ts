import type { Issue } from '../../contract/schema/check.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { type Answer, Call } from '../call.ts'
import { RequestValidationError } from '../errors.ts'
import { snapshotInput } from '../input-copy.ts'
import { atLeastOne, optionIssues } from '../option-rules.ts'
import { type HookEvent, type RequestOptions, snapshotOptions } from '../options.ts'
import { loadContract } from '../transport/load-contract.ts'
import type { EndpointIn } from '../transport/transport.ts'
import { followCursors } from './page-cursors.ts'
import { type Counters, followNumbers } from './page-numbers.ts'
import type { Step } from './page-step.ts'
import { PaginationError, type PaginationErrorCode } from './pagination-error.ts'

/** Options of a listing, besides those of every call. */
export interface ListOptions extends RequestOptions {
  /**
   * Pages that one walk reads at most, at least 1; a walk that would read more throws a `PaginationError`. Default:
   * 100,000, which is a million items in pages of 10.
   */
  maxPages?: number | undefined
}

/** How to read the pages of one listing. */
export interface Paging<Page, Item, Cursor> {
  endpoint: EndpointIn<Endpoint>
  /** Fetches the page at a cursor. */
  fetch: (at: Cursor) => Promise<Answer<Page>>
  first: Cursor
  itemsOf: (page: Page) => readonly Item[]
  /** Begins a walk; the function that it returns is given each page in turn. */
  follow: () => (page: Page, at: Cursor) => Step<Cursor>
  maxPages: number
}

/**
 * A listing: awaited it is one page, iterated it is every item of every page, `pages()` walks page by page. The first
 * page is requested when the method is called; each further one when the loop gets there.
 *
 * @example
 * const page = await client.labTests.listMarkers({ size: 10 })
 * for await (const marker of client.labTests.listMarkers()) console.log(marker.name)
 */
export class PageCall<Page, Item> extends Call<Page> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<Page>
  readonly #itemsOf: (page: Page) => readonly Item[]

  private constructor(
    first: Promise<Answer<Page>>,
    pages: () => AsyncGenerator<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    super(first)
    this.#pages = pages
    this.#itemsOf = itemsOf
  }

  /**
   * Starts a listing; one with issues sends nothing and rejects.
   *
   * @internal
   */
  static start<Page, Item, Cursor>(
    paging: Paging<Page, Item, Cursor>,
    issues: readonly Issue[],
  ): PageCall<Page, Item> {
    const first = issues.length > 0 ? refuse(paging.endpoint, issues) : paging.fetch(paging.first)
    return new PageCall(first, () => walk(paging, first), paging.itemsOf)
  }

  /**
   * Walks page by page.
   *
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   */
  pages(): AsyncGenerator<Page> {
    return this.#pages()
  }

  /** Walks item by item, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.#pages()) yield* this.#itemsOf(page)
  }
}

/** Decides where to go before it yields a page: the caller may change the page. */
async function* walk<Page, Item, Cursor>(
  paging: Paging<Page, Item, Cursor>,
  first: Promise<Answer<Page>>,
): AsyncGenerator<Page> {
  const follow = paging.follow()
  let answer = await first
  for (let pages = 1, at = paging.first; ; pages += 1) {
    const { next, problem, isRepeated = false } = follow(answer.data, at)
    if (!isRepeated) yield answer.data
    const yielded = isRepeated ? pages - 1 : pages
    if (problem) throw await stuck(problem, yielded, paging, answer)
    if (next === undefined) return
    if (pages >= paging.maxPages) throw await stuck('page_limit_reached', yielded, paging, answer)
    at = next
    answer = await paging.fetch(at)
  }
}

async function stuck(
  code: PaginationErrorCode,
  pages: number,
  { endpoint }: { endpoint: EndpointIn<Endpoint> },
  { response: { attempts, requestId } }: Answer<unknown>,
): Promise<PaginationError> {
  const facts = { ...(await callOf(endpoint)), outcome: 'succeeded', attempts, requestId } as const
  return new PaginationError(code, pages, facts)
}

async function refuse(endpoint: EndpointIn<Endpoint>, issues: readonly Issue[]): Promise<never> {
  throw new RequestValidationError(issues, await callOf(endpoint))
}

async function callOf(endpointIn: EndpointIn<Endpoint>): Promise<HookEvent> {
  const { contract } = await loadContract()
  const { id: operation, method, path } = endpointIn(contract)
  return { operation, route: `${method} ${path}` }
}

/** A listing as its method was called. */
interface Listing<Input> {
  endpoint: EndpointIn<Endpoint>
  input: Input
  options: ListOptions | undefined
}

/** Sends the request of one page. */
type SendPage<Input, Page> = (input: Input, call: RequestOptions) => Call<Page>

/** What every page of a listing is requested with, kept as it was when the method was called. */
function kept<Input extends { query: object | undefined }>({ input, options }: Listing<Input>) {
  const issues = optionIssues(options, { maxPages: atLeastOne })
  const { maxPages = 100_000, ...call } = options ?? {}
  return { input: snapshotInput(input), maxPages, call: snapshotOptions(call), issues }
}

/** A listing whose pages name the cursor of the next one. */
export function cursorPages<
  Input extends { query: { next_cursor?: string | null | undefined } },
  Page extends { data: unknown[]; next_cursor?: string | null | undefined },
>(listing: Listing<Input>, send: SendPage<Input, Page>): PageCall<Page, Page['data'][number]> {
  const { input, maxPages, call, issues } = kept(listing)
  const first = Object(input.query).next_cursor ?? undefined
  return PageCall.start<Page, Page['data'][number], string | undefined>(
    {
      endpoint: listing.endpoint,
      first,
      fetch: (next_cursor) => {
        const page =
          next_cursor === first ? input : { ...input, query: { ...input.query, next_cursor } }
        return send(page, call).withResponse()
      },
      itemsOf: ({ data }) => data,
      follow: followCursors,
      maxPages,
    },
    issues,
  )
}

/** A listing with numbered pages of markers. */
export function numberedPages<
  Input extends { query: { page?: number | undefined; size?: number | undefined } },
  Page extends Counters & { markers: unknown[] },
>(
  listing: Listing<Input>,
  send: SendPage<Input, Page>,
  defaultSize: number,
): PageCall<Page, Page['markers'][number]> {
  const { input, maxPages, call, issues } = kept(listing)
  const { page: first = 1, size = defaultSize } = Object(input.query) as Input['query']
  return PageCall.start<Page, Page['markers'][number], number>(
    {
      endpoint: listing.endpoint,
      first,
      fetch: (at) => {
        const page = at === first ? input : { ...input, query: { ...input.query, page: at } }
        return send(page, call).withResponse()
      },
      itemsOf: ({ markers }) => markers,
      follow: () => followNumbers(({ markers }: Page) => markers, first, size),
      maxPages,
    },
    issues,
  )
}
