import type { PageStep } from './page-step.ts'

/** The counters of a numbered page; the service may omit any of them. */
export interface Counters {
  /** The number of items on all pages. */
  total?: number | null | undefined
  /** The number of this page. */
  page?: number | null | undefined
  /** The number of items on a full page. */
  size?: number | null | undefined
  /** The number of pages. */
  pages?: number | null | undefined
}

/** The position of an iteration over numbered pages. */
export interface PagePosition {
  /** The number of the page. */
  at: number
  /** The number of items on the page. */
  items: number
  /** The number of items up to the end of the page. */
  position: number
  /** The number of items on a full page. */
  full: number
}

/**
 * Returns whether a page is the last one: an empty page, the last one by the counters, or a short one. When `total` and
 * `pages` disagree, or a short page disagrees with them, the iteration continues, because the next page decides. Counters
 * that are missing, null or not positive integers are ignored.
 */
export function isLastPage(
  { total, pages }: Counters,
  { at, items, position, full }: PagePosition,
): boolean {
  if (items === 0) return true
  const hasMore = [
    ...(isPositive(total) ? [position < total] : []),
    ...(isPositive(pages) ? [at < pages] : []),
  ]
  return hasMore.length > 0 ? !hasMore.includes(true) : items < full
}

/**
 * Follows the page numbers of one iteration.
 *
 * @param first The number of the first page.
 * @param requestedSize The page size of the request.
 */
export function followNumbers<Page extends Counters>(
  itemsOf: (page: Page) => readonly unknown[],
  first: number,
  requestedSize: number,
): (page: Page, at: number) => PageStep<number> {
  const isRepeated = detectRepetitions(first)
  let position = 0
  return (page, at) => {
    const items = itemsOf(page)
    if (isRepeated(page, items, at)) return { problem: 'page_repeated', isRepeated: true }
    const full = isPositive(page.size) ? Math.min(page.size, requestedSize) : requestedSize
    // A service that does not return the size may use a smaller one than requested.
    const actualSize = isPositive(page.size) ? full : Math.min(full, items.length)
    if (at === first) position = (first - 1) * actualSize
    position += items.length
    return isLastPage(page, { at, items: items.length, position, full }) ? {} : { next: at + 1 }
  }
}

/**
 * Detects a page that the iteration had before by the ids of its items, unless the service says that it is the requested
 * page. The first page shows whether the service counts pages from 1 or from 0.
 */
function detectRepetitions(first: number) {
  const seen = new Set<string>()
  let firstNumber: number | undefined
  return ({ page }: Counters, items: readonly unknown[], at: number): boolean => {
    if (at === first) firstNumber = page ?? undefined
    const key = pageKeyOf(items)
    if (key === undefined) return false
    const isRequested = firstNumber !== undefined && page === firstNumber + (at - first)
    if (seen.has(key) && !isRequested) return true
    seen.add(key)
    return false
  }
}

/** Returns a key from the first and the last id of a page; undefined when they are missing. */
function pageKeyOf(items: readonly unknown[]): string | undefined {
  const ends = [items.at(0), items.at(-1)].map((item) => (Object(item) as { id?: unknown }).id)
  return ends.includes(undefined) ? undefined : JSON.stringify([items.length, ...ends])
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
