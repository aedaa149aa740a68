import { toJson } from '../../shared/own-fields.ts'
import type { PageStep } from './visit-page.ts'

/** A page's counters, any of which the service may omit. */
export interface Counters {
  total?: number | null | undefined
  page?: number | null | undefined
  /** The number of items on a full page. */
  size?: number | null | undefined
  pages?: number | null | undefined
}

export interface PagePosition {
  at: number
  /**
   * The number of items from the start of the list to the end of the page. If the exact number is unknown, pass
   * `isLastPage` a lower bound and `missesItems` an upper bound.
   */
  position: number
}

/**
 * Returns whether the counters show that a page with items is the last one. If `total` and `pages` disagree, the
 * iteration continues and the next page decides. Ignores counters that are missing, null, not positive integers or too
 * small for the page. Without usable counters, only an empty page ends the list, because a service may return fewer
 * items than requested.
 */
export function isLastPage({ total, pages }: Counters, { at, position }: PagePosition): boolean {
  const hasMore = [
    ...(isPositive(total) && position <= total ? [position < total] : []),
    ...(isPositive(pages) && at <= pages ? [at < pages] : []),
  ]
  return hasMore.length > 0 && !hasMore.includes(true)
}

/**
 * Returns whether the counters show that an empty page is not the end of the list. An empty last page is valid, because
 * some services count an empty list as one page.
 */
function missesItems({ total, pages }: Counters, { at, position }: PagePosition): boolean {
  return isPositive(total) ? position < total : isPositive(pages) && at < pages
}

export function followNumbers<Page extends Counters>(
  itemsOf: (page: Page) => readonly unknown[],
  first: number,
  requestedSize: number,
): (page: Page, at: number) => PageStep<number> {
  const seen = new Set<string | undefined>()
  /** The latest value of each counter, because a service may omit counters on some pages. */
  const known: Counters = {}
  let skipped = 0
  let read = 0
  return (page, at) => {
    const items = itemsOf(page)
    const key = pageKeyOf(items)
    const isOther = items.length > 0 && isBeforeFirst(page, { at, first })
    if (isOther || seen.has(key)) {
      return { problem: 'page_repeated', isRepeated: true }
    }
    if (key !== undefined) seen.add(key)
    const isShorter = isPositive(page.total) && page.total < (known.total ?? 0)
    updateCounters(known, page)
    const size = isPositive(page.size) ? Math.min(page.size, requestedSize) : requestedSize
    // The skipped pages may contain fewer items than the page size.
    if (at === first) skipped = (first - 1) * Math.min(size, items.length)
    read += items.length
    if (isShorter) return { problem: 'list_changed' }
    if (items.length === 0) {
      const position = (first - 1) * size + read
      return missesItems(known, { at, position }) ? { problem: 'page_empty' } : {}
    }
    return isLastPage(known, { at, position: skipped + read }) ? {} : { next: at + 1 }
  }
}

/**
 * Returns whether the service returned a page before the iteration's first one, because the requested page does not
 * exist.
 */
function isBeforeFirst(
  { page, pages }: Counters,
  { at, first }: Record<'at' | 'first', number>,
): boolean {
  return isPositive(page) && page < first && isPositive(pages) && at > pages
}

function updateCounters(known: Counters, { total, pages }: Counters): void {
  if (isPositive(total)) known.total = total
  if (isPositive(pages)) known.pages = pages
}

function pageKeyOf(items: readonly unknown[]): string | undefined {
  const ends: unknown[] = [items.at(0), items.at(-1)].map((item) => Object(item).id)
  return ends.includes(undefined) ? undefined : shortKey(toJson([items.length, ...ends]))
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

const longest = 64

/**
 * Returns a key of at most 64 characters for a string of any length, so an iteration does not keep long cursors in
 * memory. The key of a longer string contains its length and a 64-bit hash.
 */
function shortKey(text: string): string {
  if (text.length <= longest) return text
  let one = 0x811c9dc5
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x9e3779b1)
  }
  return `#${text.length} ${one >>> 0} ${other >>> 0}`
}

/**
 * Returns a function that finds the next cursor after each page of one iteration. The list ends at a page without a
 * cursor, or at an empty page that returns its own cursor. Any other repeated cursor leads back to an earlier
 * page, so the remaining pages cannot be reached.
 */
export function followCursors(): (
  page: { data: readonly unknown[]; next_cursor?: string | null | undefined },
  at: string | undefined,
) => PageStep<string | undefined> {
  const seen = new Set<string>()
  return ({ data, next_cursor: next }, at) => {
    if (at !== undefined) seen.add(shortKey(at))
    if (next === undefined || next === null || next === '') return {}
    if (data.length === 0 && next === at) return {}
    return seen.has(shortKey(next)) ? { problem: 'cursor_repeated' } : { next }
  }
}
