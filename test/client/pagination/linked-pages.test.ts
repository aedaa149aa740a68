import { expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  type BulkOp,
  type BulkOpPage,
  type LinkedPage,
  PaginationError,
  ServiceClient,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { json, type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

function clientOf(respond: (request: StubRequest, nth: number) => Response) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch,
    maxRetries: 0,
  })
  return { client, requests }
}

/** Responds with pages that have these cursors and one item each. */
function pagesWith(...cursors: (string | null)[]) {
  return clientOf((_, nth) => {
    const next_cursor = cursors[nth - 1] ?? null
    return json({ data: [{ type: `op-${nth}` }], next_cursor })
  })
}

it('goes from page to page', async () => {
  const { client, requests } = pagesWith('a', 'b', null)
  let page: LinkedPage<BulkOpPage> = await client.link.listBulkOps({ page_size: 1 })
  const types = [page.data[0]?.type]
  while (page.hasNextPage()) {
    page = await page.nextPage()
    types.push(page.data[0]?.type)
  }
  expect(types).toEqual(['op-1', 'op-2', 'op-3'])
  expect(requests.map(({ url }) => url.search)).toEqual([
    '?page_size=1',
    '?page_size=1&next_cursor=a',
    '?page_size=1&next_cursor=b',
  ])
})

it('goes from one numbered page of the mock to the next', async () => {
  const client = new ServiceClient(createMock().team().connection())
  const first = await client.labTests.listMarkers({ size: 2 })
  const second = await first.nextPage()
  expect([first.hasNextPage(), first.page, second.page]).toEqual([true, 1, 2])
})

it('returns the same next page twice, even if the page was changed', async () => {
  const { client, requests } = pagesWith('a', null)
  const { data: page } = await client.link.listBulkOps().withResponse()
  page.next_cursor = 'changed'
  expect(await page.nextPage()).toBe(await page.nextPage())
  expect(requests).toHaveLength(2)
})

it('requests the next page again after a failure', async () => {
  const { client } = clientOf((_, nth) =>
    nth === 2 ? json({}, 400) : json({ data: [], next_cursor: nth === 1 ? 'a' : null }),
  )
  const page = await client.link.listBulkOps()
  await failureOf(page.nextPage())
  expect((await page.nextPage()).hasNextPage()).toBe(false)
})

it.each<[string, number, (string | null)[], number]>([
  ['last_page', 1, [null], 10],
  ['cursor_repeated', 2, ['a', 'a', null], 10],
  ['page_limit_reached', 2, ['a', 'b', 'c', null], 2],
])('rejects with %s', async (code, pages, cursors, maxPages) => {
  const { client } = pagesWith(...cursors)
  let page = await client.link.listBulkOps({}, { maxPages })
  for (let read = 1; read < pages; read += 1) page = await page.nextPage()
  expect(page.hasNextPage()).toBe(code !== 'last_page')
  const error = await failureOf(page.nextPage())
  expect(error).toBeInstanceOf(PaginationError)
  expect(error).toMatchObject({ code, pages })
})

it('rejects when the service ignores the page number', async () => {
  const markers = [{ id: 1 }]
  const { client } = clientOf(() => json({ markers, total: 2 }))
  const page = await client.labTests.listMarkers({ size: 1 }, { validation: 'off' })
  expect(await failureOf(page.nextPage())).toMatchObject({ code: 'page_repeated', pages: 1 })
})

it('shows only the fields of the response', async () => {
  const { client } = pagesWith(null)
  const page = await client.link.listBulkOps()
  expect(JSON.stringify(page)).toBe('{"data":[{"type":"op-1"}],"next_cursor":null}')
  expect(structuredClone(page)).toStrictEqual({ data: [{ type: 'op-1' }], next_cursor: null })
})

it.each([null, 5, 'text'])('returns an unchecked page that is %s', async (body) => {
  const { client } = clientOf(() => json(body))
  expect(await client.link.listBulkOps({}, { validation: 'off' })).toBe(body)
})

it('returns the items of all pages up to a limit', async () => {
  const { client, requests } = pagesWith('a', 'b', 'c', null)
  const ops = await client.link.listBulkOps().toArray({ limit: 2 })
  expect(ops.map(({ type }) => type)).toEqual(['op-1', 'op-2'])
  expect(requests).toHaveLength(2)
  expect(await pagesWith('a', null).client.link.listBulkOps().toArray({ limit: 9 })).toHaveLength(2)
})

it.each<[string, object | undefined]>([
  ['limit: expected an integer of at least 1', undefined],
  ['limit: expected an integer of at least 1', {}],
  ['limit: expected an integer of at least 1', { limit: 0 }],
  ["Unknown option 'limt'. Did you mean limit?", { limt: 5 }],
])('rejects toArray with %s', async (message, options) => {
  const { client } = clientOf(() => json({}, 400))
  const list = client.link.listBulkOps().toArray(options as { limit: number })
  await expect(list).rejects.toThrow(message)
})

it('leaves no rejection of the first page unhandled when toArray rejects its options', async () => {
  const unhandled: unknown[] = []
  const add = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', add)
  onTestFinished(() => void process.off('unhandledRejection', add))
  const { client } = clientOf(() => json({}, 400))
  await expect(client.link.listBulkOps().toArray({ limit: 0 })).rejects.toThrow('limit')
  // Node reports rejections after the microtasks of a turn.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})

it('types pages and items', async () => {
  const list = pagesWith(null).client.link.listBulkOps()
  expectTypeOf(list.toArray).returns.resolves.toEqualTypeOf<BulkOp[]>()
  expectTypeOf(await list).toEqualTypeOf<LinkedPage<BulkOpPage>>()
  expectTypeOf(await list).toExtend<BulkOpPage>()
})
