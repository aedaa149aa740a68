import type { ExchangeResult } from '../../faults/effects.ts'
import { rewriteBody } from './rewrite.ts'
import type { FaultyRequest } from './slow-work.ts'

/** The page size parameter of each list. */
export const pagedOperations: Readonly<Record<string, string>> = {
  'labTests.list': 'lab_test_limit',
  'labTests.listMarkers': 'size',
  'labTests.listTestMarkers': 'size',
  'labTests.listOrderSetMarkers': 'size',
  'link.listBulkOps': 'page_size',
}

/** Returns a handler that limits each page to the next of `sizes`, in a cycle. */
export function pageSizes(
  sizes: readonly number[],
  operations: readonly string[] = Object.keys(pagedOperations),
): (request: FaultyRequest) => Promise<ExchangeResult> {
  let pages = 0
  return ({ operation, search, handle }) => {
    const parameter = pagedOperations[operation]
    if (!parameter || !operations.includes(operation)) return handle()
    const size = sizes[pages % sizes.length] ?? 1
    pages += 1
    const given = Number(search.get(parameter) ?? Number.POSITIVE_INFINITY)
    // The service itself rejects an invalid size.
    if (!(given >= 1)) return handle()
    return handle({ search: withParameter(search, parameter, String(Math.min(given, size))) })
  }
}

/** The prefix of an empty page's cursor. The cursor of the next page follows the prefix. */
const emptyPage = 'empty-'

const twoRecords = pageSizes([2], ['labTests.list', 'link.listBulkOps'])

/** Adds an empty page after each page of a cursor-paginated list. The other pages have at most two records. */
export async function emptyPages(request: FaultyRequest): Promise<ExchangeResult> {
  const { search, operation } = request
  const cursor = search.get('next_cursor') ?? ''
  if (!cursor.startsWith(emptyPage)) {
    const page = await twoRecords(request)
    if (operation !== 'labTests.list' && operation !== 'link.listBulkOps') return page
    return rewriteBody(page, (body) => ({
      ...body,
      next_cursor: emptyPage + (body['next_cursor'] ?? ''),
    }))
  }
  const next = cursor.slice(emptyPage.length)
  const page = await request.handle({ search: withParameter(search, 'next_cursor', next) })
  return rewriteBody(page, (body) => ({ ...body, data: [], next_cursor: next || null }))
}

export async function emptyFirstPage(request: FaultyRequest): Promise<ExchangeResult> {
  const { search, operation, handle } = request
  if (operation !== 'labTests.list') return handle()
  const cursor = search.get('next_cursor')
  if (cursor === emptyPage) return handle({ search: withParameter(search, 'next_cursor', '') })
  const page = await handle()
  if (cursor !== null) return page
  return rewriteBody(page, (body) => ({ ...body, data: [], next_cursor: emptyPage }))
}

/**
 * Returns a handler that adds the last record of each page to the next page. Not counting that record, pages have at
 * most two records.
 */
export function movedRecords(): (request: FaultyRequest) => Promise<ExchangeResult> {
  const last = new Map<string, unknown>()
  const limit = pageSizes([2])
  return async (request) => {
    const { operation, search } = request
    const page = await limit(request)
    if (!pagedOperations[operation]) return page
    const isFurther = search.has('next_cursor') || Number(search.get('page') ?? 1) > 1
    return rewriteBody(page, (body) => {
      const [name = '', records] =
        Object.entries(body).find(([, value]) => Array.isArray(value)) ?? []
      if (!Array.isArray(records)) return body
      const moved = isFurther && last.has(operation) ? [last.get(operation)] : []
      if (records.length > 0) last.set(operation, records.at(-1))
      return { ...body, [name]: [...moved, ...records] }
    })
  }
}

function withParameter(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(search)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}
