import type { Step } from './page-step.ts'

/** The counters of a numbered page; the service may leave any of them out. */
export interface Counters {
  total?: number | null | undefined
  page?: number | null | undefined
  size?: number | null | undefined
  pages?: number | null | undefined
}

/** How far a walk over numbered pages is. */
export interface Place {
  /** The number of the page. */
  at: number
  /** How many items the page has. */
  items: number
  /** How many items there are up to the end of the page. */
  position: number
  /** How many items a full page has. */
  full: number
}

/**
 * Whether a page is the last one: an empty one, one that the counters call the last, or a short one. When `total` and
 * `pages` disagree, or a short page disagrees with them, the walk goes on, because the next page then tells. Counters that
 * are absent, null or no positive integer decide nothing.
 */
export function isLastPage({ total, pages }: Counters, { at, items, position, full }: Place) {
  if (items === 0) return true
  const hasMore = [
    ...(isPositive(total) ? [position < total] : []),
    ...(isPositive(pages) ? [at < pages] : []),
  ]
  return hasMore.length > 0 ? !hasMore.includes(true) : items < full
}

/** Follows the numbers of one walk, from its first page on. */
export function followNumbers<Page extends Counters>(
  itemsOf: (page: Page) => readonly unknown[],
  first: number,
  asked: number,
): (page: Page, at: number) => Step<number> {
  const isRepeated = repetitions(first)
  let position = 0
  return (page, at) => {
    const items = itemsOf(page)
    if (isRepeated(page, items, at)) return { problem: 'page_repeated', isRepeated: true }
    const full = isPositive(page.size) ? Math.min(page.size, asked) : asked
    // A service that does not tell the size may grant less than was asked for.
    const granted = isPositive(page.size) ? full : Math.min(full, items.length)
    if (at === first) position = (first - 1) * granted
    position += items.length
    const place = { at, items: items.length, position, full }
    return isLastPage(page, place) ? {} : { next: at + 1 }
  }
}

/**
 * Recognises a page that the walk had before by the ids of its items, unless the service says that it is the page asked
 * for. The first page shows whether the service counts pages from 1 or from 0.
 */
function repetitions(first: number) {
  const seen = new Set<string>()
  let firstTold: number | undefined
  return ({ page }: Counters, items: readonly unknown[], at: number): boolean => {
    if (at === first) firstTold = page ?? undefined
    const key = keyOf(items)
    if (key === undefined) return false
    const isConfirmed = firstTold !== undefined && page === firstTold + (at - first)
    if (seen.has(key) && !isConfirmed) return true
    seen.add(key)
    return false
  }
}

/** The ids at both ends of a page; undefined where there are none. */
function keyOf(items: readonly unknown[]): string | undefined {
  const ends = [items.at(0), items.at(-1)].map((item) => (Object(item) as { id?: unknown }).id)
  return ends.includes(undefined) ? undefined : JSON.stringify([items.length, ...ends])
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
