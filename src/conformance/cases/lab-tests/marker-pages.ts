import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import type { ReadResponse } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf, type ObjectForm } from '../../shape.ts'

const loinc: ObjectForm = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  code: 'string',
  'unit?': 'string',
}

export const marker: ObjectForm = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  'description?': 'string',
  'lab_id?': 'integer',
  'provider_id?': 'string',
  'type?': 'string',
  'unit?': 'string',
  'price?': 'string',
  'expected_results?': [
    {
      id: 'integer',
      name: 'string',
      slug: 'string',
      'lab_id?': 'integer',
      'provider_id?': 'string',
      'loinc?': loinc,
    },
  ],
}

export const counter = 'count | null'
export const pageForm: ObjectForm = {
  markers: [marker],
  'total?': 'count',
  'page?': 'count',
  'size?': 'count',
  'pages?': 'count',
}
export const testPageForm: ObjectForm = {
  markers: [marker],
  total: counter,
  page: counter,
  size: counter,
  pages: counter,
}

export type PageQuery = Record<string, string | number>

export type RequestPage = (query: PageQuery) => Promise<ReadResponse>

interface MarkerPage {
  ids: number[]
  markers: unknown[]
  counters: Record<string, unknown>
}

export function readPage(response: ReadResponse): MarkerPage {
  const { json } = assertSuccess(response)
  const markers = fieldOf(json, 'markers')
  assertThat(Array.isArray(markers), `Expected ${response.operation} to return a page of markers.`)
  const counters = ['total', 'page', 'size', 'pages'].map((name) => [name, fieldOf(json, name)])
  return {
    ids: markers.map((one) => Number(fieldOf(one, 'id'))),
    markers,
    counters: Object.fromEntries(counters),
  }
}

/** Asserts that a page has the expected markers, in any order. */
export function assertIds({ ids }: MarkerPage, expected: readonly number[], page: string): void {
  assertEqual(inOrder(ids), inOrder(expected), `the markers of ${page}`)
}

/** Asserts that each counter has the expected value, or is null or missing (specification 2.5). */
export function assertCounters(
  { counters }: MarkerPage,
  expected: { total: number; page: number; size: number },
): void {
  const pages = Math.ceil(expected.total / expected.size)
  for (const [name, value] of Object.entries({ ...expected, pages })) {
    const found = counters[name]
    if (found !== null && found !== undefined) assertEqual(found, value, name)
  }
}

export function assertOnlyPage(found: MarkerPage, expected: readonly number[], page: string): void {
  assertIds(found, expected, page)
  assertCounters(found, { total: expected.length, page: 1, size: 50 })
}

/**
 * Asserts that pages of several sizes contain each of 103 markers once, and that the default is page 1 of size 50.
 * Ignores the order of markers, because the specification does not define it.
 */
export async function assertPaging(request: RequestPage, ids: readonly number[]): Promise<void> {
  const total = ids.length
  const get = async (query: { page?: number; size?: number }) => {
    const found = readPage(await request(query))
    const { page = 1, size = 50 } = query
    assertCounters(found, { total, page, size })
    const rest = Math.max(0, total - (page - 1) * size)
    const number = query.page === undefined ? 'the default page' : `page ${page}`
    const name = `${number} of ${query.size === undefined ? 'the default size' : `size ${size}`}`
    assertEqual(found.ids.length, Math.min(size, rest), `the number of markers on ${name}`)
    return found.ids
  }
  const byDefault = [await get({}), await get({ page: 2 }), await get({ page: 3 })]
  assertEqual(
    inOrder(byDefault.flat()),
    inOrder(ids),
    'the markers on all pages of the default size',
  )
  const large = [await get({ size: 100 }), await get({ page: 2, size: 100 })]
  assertEqual(inOrder(large.flat()), inOrder(ids), 'the markers on all pages of size 100')
  const halves = [await get({ page: 1, size: 25 }), await get({ page: 2, size: 25 })]
  assertEqual(
    inOrder(halves.flat()),
    inOrder(byDefault[0] ?? []),
    'the markers on two pages of size 25',
  )
  const small: number[][] = []
  for (let page = 1; page <= 11; page += 1) small.push(await get({ page, size: 10 }))
  assertEqual(inOrder(small.flat()), inOrder(ids), 'the markers on all pages of size 10')
  const single = [1, 2, 102, 103].map((page) => get({ page, size: 1 }))
  const few = (await Promise.all(single)).flat()
  assertEqual(new Set(few).size, 4, 'the number of different markers on four pages of size 1')
  assertThat(
    few.slice(2).every((id) => byDefault[2]?.includes(id)),
    'Expected pages 102 and 103 of size 1 to contain markers from page 3 of size 50.',
  )
  await assertNoFurtherPage(request, 104)
  await assertNoFurtherPage(request, 100_000)
}

/** Asserts that a page after the last one is empty or rejected. The specification does not define which. */
async function assertNoFurtherPage(request: RequestPage, page: number): Promise<void> {
  const response = await request({ page, size: 1 })
  if (response.status >= 400 && response.status < 500) return
  assertIds(readPage(response), [], 'a page after the last one')
}

/** Checks the assumption that `page` and `size` are query parameters. The specification states this only in 4.5. */
export async function presumePaging(service: TestedService, request: RequestPage): Promise<void> {
  const pages = [await request({ page: 1, size: 1 }), await request({ page: 2, size: 1 })]
  const [first, second] = pages.map((page) => readPage(page).ids)
  const turns = first?.length === 1 && String(first) !== String(second)
  service.presume(turns, 'page and size are query parameters')
}

export async function assertPageBounds(request: RequestPage): Promise<void> {
  for (const page of [0, -1, 1.5, 'one']) {
    assertRejected(await request({ page }), `the page number ${page}`)
  }
  for (const size of [0, 101, -1, 1.5, 'ten']) {
    assertRejected(await request({ size }), `the page size ${size}`)
  }
  for (const query of [{ page: 1 }, { size: 1 }, { size: 100 }, { page: 1, size: 99 }]) {
    assertSuccess(await request(query))
  }
}

function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}
