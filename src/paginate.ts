import { type Answer, Call } from './call.ts'

/** How to read the pages of one listing. */
export interface Paging<Page, Cursor> {
  /** Fetches the page at a cursor. */
  fetch: (at: Cursor) => Promise<Answer<Page>>
  first: Cursor
  /** The cursor after a page; undefined when it was the last one. */
  next: (page: Page, at: Cursor) => Cursor | undefined
}

/**
 * A listing: awaited it is one page, iterated it is every item of every page, `pages()` walks page by page. The first
 * page is asked for when the method is called; each further one when the loop gets there.
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

  /** Starts a listing. */
  static start<Page, Item, Cursor>(
    paging: Paging<Page, Cursor>,
    itemsOf: (page: Page) => readonly Item[],
  ): PageCall<Page, Item> {
    const first = paging.fetch(paging.first)
    return new PageCall(first, () => walk(paging, first, itemsOf), itemsOf)
  }

  /** Walks page by page. */
  pages(): AsyncGenerator<Page> {
    return this.#pages()
  }

  /** Walks item by item, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.#pages()) yield* this.#itemsOf(page)
  }
}

/** Ends at an empty page, at the last one, and when the service answers the same items again. */
async function* walk<Page, Item, Cursor>(
  paging: Paging<Page, Cursor>,
  first: Promise<Answer<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Page> {
  const seen = new Set<Cursor>()
  let before: string | undefined
  let at: Cursor | undefined = paging.first
  while (at !== undefined && !seen.has(at)) {
    const { data: page }: Answer<Page> = await (seen.size === 0 ? first : paging.fetch(at))
    seen.add(at)
    const items = jsonOf(itemsOf(page))
    if (items !== undefined && items === before) return
    yield page
    before = items
    at = itemsOf(page).length === 0 ? undefined : paging.next(page, at)
  }
}

/** Items that are nested too deeply for JSON are never the same as others. */
function jsonOf(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items)
  } catch {
    return undefined
  }
}

/** The counters of a numbered page; the service may leave any of them out. */
export interface Counters {
  total?: number | null | undefined
  page?: number | null | undefined
  size?: number | null | undefined
  pages?: number | null | undefined
}

/**
 * The number of the page after `at`, or undefined when it was the last one: an empty or short page, or one that the
 * counters call the last. Counters that are absent, null or odd decide nothing.
 */
export function nextNumber(
  { total, page, size, pages }: Counters,
  items: number,
  at: number,
  asked: number,
): number | undefined {
  const full = isCount(size) && size > 0 ? size : asked
  if (items < full) return undefined
  // An earlier page than asked for comes again; one less may be a count from 0.
  if (isCount(page) && page > 0 && page < at - 1) return undefined
  if (isCount(pages) && pages > 0 && at >= pages) return undefined
  if (isCount(total) && total > 0 && at * full >= total) return undefined
  return at + 1
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

/** A listing whose pages name the cursor of the next one. */
export function cursorPages<
  Page extends { data: Item[]; next_cursor?: string | null | undefined },
  Item,
>(
  first: string | null | undefined,
  fetch: (cursor: string | null | undefined) => Call<Page>,
): PageCall<Page, Page['data'][number]> {
  return PageCall.start(
    {
      first: first ?? null,
      fetch: (cursor) => fetch(cursor).withResponse(),
      next: ({ next_cursor }: Page) => next_cursor || undefined,
    },
    ({ data }) => data,
  )
}
