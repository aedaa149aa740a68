import { describe, expect, it } from 'vitest'
import { isLastPage } from '../../../src/client/pagination/follow-pages.ts'
import {
  type Marker,
  type MarkerPage,
  NotFoundError,
  type PageCall,
  PaginationError,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { labTestId, marker } from '../../support/samples.ts'
import { json, type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

type Responder = (request: StubRequest, nth: number) => Response

function clientOf(respond: Responder) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  return { client, requests }
}

function markersFrom(first: number, count: number): Marker[] {
  return Array.from({ length: count }, (_, at) => ({ ...marker, id: first + at }))
}

type Counters = Omit<MarkerPage, 'markers'>

/** A catalogue of so many markers; `counters` is what a page says about itself. */
function catalogue(
  total: number,
  counters: (page: number, size: number) => Counters = (page, size) => ({
    total,
    page,
    size,
    pages: Math.ceil(total / size),
  }),
): Responder {
  return ({ url }) => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const size = Number(url.searchParams.get('size') ?? 50)
    const first = (page - 1) * size
    const markers = markersFrom(first, Math.max(0, Math.min(size, total - first)))
    return json({ markers, ...counters(page, size) })
  }
}

async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

async function idsOf(listing: PageCall<MarkerPage, Marker>): Promise<number[]> {
  return (await collected(listing)).map(({ id }) => id)
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

const noCounters = () => ({})
const nullCounters = () => ({ total: null, page: null, size: null, pages: null })
const zeroCounters = () => ({ total: 0, page: 0, size: 0, pages: 0 })
const countedFromZero = (page: number, size: number) => ({ page: page - 1, size })

describe('numbered pages', () => {
  it('requests the first page once, at the call, whether it is awaited, iterated or both', async () => {
    const { client, requests } = clientOf(catalogue(3))
    const listing = client.labTests.listMarkers()
    const page = await listing
    await expect(listing.withResponse()).resolves.toMatchObject({ data: page })
    await expect(idsOf(listing)).resolves.toEqual(upTo(3))
    await expect(idsOf(listing)).resolves.toEqual(upTo(3))
    expect(requests).toHaveLength(1)
  })

  it('requests a further page only when the loop needs it', async () => {
    const { client, requests } = clientOf(catalogue(100))
    for await (const { id } of client.labTests.listMarkers({ size: 10 })) if (id === 15) break
    expect(requests.map(({ url }) => url.search)).toEqual(['?size=10', '?size=10&page=2'])
  })

  it('starts at the requested page and keeps the other parameters', async () => {
    const { client, requests } = clientOf(catalogue(25))
    const ids = await idsOf(client.labTests.listMarkers({ name: 'glucose', page: 2, size: 10 }))
    expect(ids).toEqual(upTo(25).slice(10))
    expect(requests.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      { name: 'glucose', page: '2', size: '10' },
      { name: 'glucose', page: '3', size: '10' },
    ])
  })

  it('sends the order set again with every page', async () => {
    const { client, requests } = clientOf(catalogue(3))
    const orderSet = { lab_test_ids: [labTestId] }
    await expect(
      idsOf(client.labTests.listOrderSetMarkers(orderSet, { size: 2 })),
    ).resolves.toEqual(upTo(3))
    expect(requests.map(({ body }) => body)).toEqual([orderSet, orderSet])
  })

  it('iterates page by page', async () => {
    const { client } = clientOf(catalogue(5))
    const pages = await collected(client.labTests.listTestMarkers(labTestId, { size: 2 }).pages())
    expect(pages.map(({ markers }) => markers.length)).toEqual([2, 2, 1])
  })

  it('returns one empty page without items for an empty list', async () => {
    const { client, requests } = clientOf(catalogue(0))
    const listing = client.labTests.listMarkers()
    await expect(collected(listing.pages())).resolves.toHaveLength(1)
    await expect(idsOf(listing)).resolves.toEqual([])
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['are absent', noCounters],
    ['are null', nullCounters],
    ['are all 0', zeroCounters],
    ['count pages from 0', countedFromZero],
  ])('yields every item once when the counters %s', async (_, counters) => {
    for (const total of [0, 1, 9, 10, 11, 20, 35]) {
      const { client } = clientOf(catalogue(total, counters))
      await expect(idsOf(client.labTests.listMarkers({ size: 10 }))).resolves.toEqual(upTo(total))
    }
  })

  it('uses the page size of the response, not the requested one', async () => {
    const { client } = clientOf(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      return json({ markers: markersFrom((page - 1) * 5, page <= 3 ? 5 : 0), size: 5 })
    })
    await expect(idsOf(client.labTests.listMarkers({ size: 100 }))).resolves.toEqual(upTo(15))
  })

  it.each([1, 2, 3])('starts at page %i of a service that counts pages from 0', async (page) => {
    const { client } = clientOf(
      catalogue(25, (at, size) => ({ ...countedFromZero(at, size), pages: 3 })),
    )
    const ids = await idsOf(client.labTests.listMarkers({ page, size: 10 }))
    expect(ids).toEqual(upTo(25).slice((page - 1) * 10))
  })

  it('starts at a page beyond the number of pages that the service counts', async () => {
    const { client } = clientOf(catalogue(25, (page, size) => ({ page, size, pages: 1 })))
    const ids = await idsOf(client.labTests.listMarkers({ page: 2, size: 10 }))
    expect(ids).toEqual(upTo(25).slice(10))
  })

  it('ends when an empty page has the number of an earlier one', async () => {
    const { client } = clientOf(() => json({ markers: [], page: 1, pages: 1 }))
    await expect(idsOf(client.labTests.listMarkers({ page: 2 }))).resolves.toEqual([])
  })

  it('throws when the service returns the same page again', async () => {
    const same = json({ markers: markersFrom(0, 2) })
    const { client, requests } = clientOf(() => same.clone())
    const error = await failureOf(idsOf(client.labTests.listMarkers({ size: 2 })), PaginationError)
    expect(error).toMatchObject({ code: 'page_repeated', pages: 1 })
    expect(requests).toHaveLength(2)
  })

  it('continues when every page has the number of the first one but new items', async () => {
    const { client } = clientOf((_, nth) =>
      json({ markers: markersFrom((nth - 1) * 2, [2, 2, 2, 2, 1][nth - 1] ?? 0), page: 1 }),
    )
    await expect(idsOf(client.labTests.listMarkers({ size: 2 }))).resolves.toEqual(upTo(9))
  })

  it('continues after pages without ids and numbers', async () => {
    const { client, requests } = clientOf((_, nth) =>
      json({ markers: Array.from({ length: Math.max(0, 4 - nth) }, () => ({})) }),
    )
    const list = client.labTests.listMarkers({ size: 2 }, { validation: 'off' })
    expect(await collected(list)).toHaveLength(6)
    expect(requests).toHaveLength(4)
  })

  it('throws when an unchecked page has no list, without advice that cannot help', async () => {
    const { client } = clientOf(() => json({ detail: 'maintenance' }))
    const list = client.labTests.listMarkers({}, { validation: 'report' })
    const { message } = await failureOf(collected(list), ResponseValidationError)
    expect(message).toContain('expected a page with a list of items')
    expect(message).not.toContain('do not send it again')
    expect(message).not.toContain("Set validation: 'report'")
  })

  it('throws when a later page fails, after the earlier items', async () => {
    const { client } = clientOf(({ url }, nth) =>
      nth === 1 ? catalogue(20)(stubRequest(url), nth) : json({ detail: 'gone' }, 404),
    )
    const ids: number[] = []
    const walk = async () => {
      for await (const { id } of client.labTests.listMarkers({ size: 10 })) ids.push(id)
    }
    await failureOf(walk(), NotFoundError)
    expect(ids).toEqual(upTo(10))
  })

  it('ends and yields items in order for any counters', async () => {
    const counter = fc.option(fc.nat(12), { nil: null })
    const counters = fc.record(
      { total: counter, page: counter, size: counter, pages: counter },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 7 }), counters, async (n, size, c) => {
        const { client, requests } = clientOf(catalogue(n, () => c))
        const ids: number[] = []
        const walk = async () => {
          for await (const { id } of client.labTests.listMarkers({ size })) ids.push(id)
        }
        const error = await walk().catch((thrown: unknown) => thrown)
        if (error !== undefined) expect(error).toMatchObject({ code: 'page_empty' })
        expect(ids).toEqual(upTo(ids.length))
        expect(requests.length).toBeLessThanOrEqual(Math.ceil(n / size) + 1)
      }),
      { numRuns: runsOf(300) },
    )
  })

  it('yields every item exactly once when the counters are correct or missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 20 }),
        fc.subarray(['total', 'page', 'size', 'pages'] as const),
        async (total, size, kept) => {
          const right = (page: number): Counters => {
            const all = { total, page, size, pages: Math.ceil(total / size) }
            return Object.fromEntries(kept.map((name) => [name, all[name]]))
          }
          const { client } = clientOf(catalogue(total, right))
          await expect(idsOf(client.labTests.listMarkers({ size }))).resolves.toEqual(upTo(total))
        },
      ),
      { numRuns: runsOf(300) },
    )
  })
})

function stubRequest(url: URL): StubRequest {
  return { method: 'GET', url, headers: new Headers(), body: undefined }
}

it.each<[Parameters<typeof isLastPage>[0], position: number, at: number, isLast: boolean]>([
  [{}, 20, 2, false],
  [{}, 19, 2, false],
  [{ pages: 2 }, 10, 1, false],
  [{ pages: 2 }, 20, 2, true],
  [{ pages: 2 }, 30, 3, false],
  [{ pages: 1.5 }, 20, 2, false],
  [{ pages: -1 }, 20, 2, false],
  [{ pages: 0 }, 20, 2, false],
  [{ pages: Number.NaN }, 20, 2, false],
  [{ pages: '2' as never }, 20, 2, false],
  [{ total: 20 }, 10, 1, false],
  [{ total: 20 }, 20, 2, true],
  [{ total: 21 }, 20, 2, false],
  [{ total: 21 }, 19, 2, false],
  [{ total: 19 }, 20, 2, false],
  [{ total: 19.5 }, 20, 2, false],
  [{ total: -20 }, 20, 2, false],
  [{ total: '20' as never }, 20, 2, false],
  [{ total: 20, pages: 3 }, 20, 2, false],
  [{ total: 30, pages: 2 }, 20, 2, false],
  [{ total: 20, pages: 2 }, 20, 2, true],
  [{ total: 19, pages: 2 }, 20, 2, true],
])(
  'decides for the counters %j, %i items and page %i whether it is the last one: %s',
  (told, position, at, last) => {
    expect(isLastPage(told, { at, position })).toBe(last)
  },
)

describe('numbered pages of a service that contradicts itself', () => {
  /** A service that returns these numbers of items and counters, page by page. */
  function serviceOf(...pages: [items: number, counters: Counters][]) {
    return clientOf(({ url }) => {
      const at = Number(url.searchParams.get('page') ?? 1) - 1
      const [items, counters] = pages[at] ?? [0, pages.at(-1)?.[1]]
      return json({ markers: markersFrom(at * 100, items), ...counters })
    })
  }

  it.each<[string, [items: number, counters: Counters][]]>([
    [
      'its total shows more',
      [
        [10, { total: 30 }],
        [0, { total: 30 }],
      ],
    ],
    [
      'an earlier total shows more',
      [
        [10, { total: 30 }],
        [0, { total: null }],
      ],
    ],
    [
      'an earlier total shows more, and its own is 0',
      [
        [10, { total: 30 }],
        [0, { total: 0 }],
      ],
    ],
    [
      'its pages show more',
      [
        [10, { pages: 3 }],
        [0, { pages: 3 }],
      ],
    ],
    [
      'earlier pages show more',
      [
        [10, { pages: 3 }],
        [0, { pages: null }],
      ],
    ],
    ['the first page is empty', [[0, { total: 5 }]]],
  ])('throws at an empty page when %s', async (_, pages) => {
    const { client } = serviceOf(...pages)
    const found: number[] = []
    const walk = async () => {
      for await (const { id } of client.labTests.listMarkers({ size: 10 })) found.push(id)
    }
    const error = await failureOf(walk(), PaginationError)
    expect(error).toMatchObject({ code: 'page_empty', pages: pages.length, outcome: 'succeeded' })
    expect(found).toHaveLength(pages.length === 1 ? 0 : 10)
  })

  it.each<[string, [items: number, counters: Counters][]]>([
    ['an empty list that counts as one page', [[0, { total: 0, page: 1, size: 10, pages: 1 }]]],
    ['an empty list whose only counter is one page', [[0, { pages: 1 }]]],
    [
      'full pages, after which the last one is empty',
      [
        [10, { pages: 2 }],
        [0, { pages: 2 }],
      ],
    ],
    [
      'an empty page after as many items as the total',
      [
        [10, { total: 10, pages: 2 }],
        [0, { total: 10, pages: 2 }],
      ],
    ],
  ])('ends at %s', async (_, pages) => {
    const { client } = serviceOf(...pages)
    const first = await client.labTests.listMarkers({ size: 10 })
    expect(first.hasNextPage()).toBe(pages.length > 1)
    const ids = await idsOf(client.labTests.listMarkers({ size: 10 }))
    expect(ids).toHaveLength((pages.length - 1) * 10)
  })

  it.each([
    ['smaller', { size: 100 }, 10],
    ['larger', { size: 10 }, 100],
  ])(
    'throws at an empty first page before the total, if its size is %s than requested',
    async (_, query, size) => {
      const { client } = clientOf(() => json({ markers: [], total: 30, size }))
      const walk = idsOf(client.labTests.listMarkers({ ...query, page: 2 }))
      await expect(failureOf(walk, PaginationError)).resolves.toMatchObject({ code: 'page_empty' })
    },
  )

  it('yields every item when the service limits the page size and has no counters', async () => {
    const { client } = clientOf(({ url }) => {
      const first = (Number(url.searchParams.get('page') ?? 1) - 1) * 20
      return json({ markers: markersFrom(first, first < 100 ? 20 : 0), ...nullCounters() })
    })
    await expect(idsOf(client.labTests.listMarkers({ size: 100 }))).resolves.toEqual(upTo(100))
  })

  it('yields every item when the service limits the page size but repeats the requested one', async () => {
    for (const page of [1, 2, 3, 5, 6]) {
      const { client } = clientOf(({ url }) => {
        const at = Number(url.searchParams.get('page') ?? 1)
        const markers = markersFrom((at - 1) * 20, at <= 5 ? 20 : 0)
        return json({ markers, total: 100, size: 50, page: at })
      })
      const ids = await idsOf(client.labTests.listMarkers({ size: 50, page }))
      expect(ids).toEqual(upTo(100).slice((page - 1) * 20))
    }
  })

  it('throws when the service returns its first page for a number that is too large', async () => {
    const { client } = clientOf(({ url }) => {
      const wanted = Number(url.searchParams.get('page') ?? 1)
      const page = wanted <= 2 ? wanted : 1
      const markers = markersFrom((page - 1) * 5, page === 1 ? 5 : 4)
      return json({ markers, total: 9, page, size: 5, pages: 2 })
    })
    const listing = client.labTests.listMarkers({ size: 5, page: 2 })
    const found: number[] = []
    const walk = async () => {
      for await (const { id } of listing) found.push(id)
    }
    const error = await failureOf(walk(), PaginationError)
    expect(error).toMatchObject({ code: 'page_repeated', pages: 1 })
    expect(found).toEqual([5, 6, 7, 8])
  })

  it('throws when the service returns a page again with the requested number', async () => {
    const { client } = clientOf(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      return json({ markers: markersFrom(0, 2), total: 6, page, size: 2, pages: 3 })
    })
    const error = await failureOf(idsOf(client.labTests.listMarkers({ size: 2 })), PaginationError)
    expect(error).toMatchObject({ code: 'page_repeated', pages: 1 })
  })

  it('throws when an item is deleted during the iteration, because another one moved', async () => {
    const markers = markersFrom(0, 6)
    const { client } = clientOf(({ url }, nth) => {
      if (nth === 2) markers.shift()
      const first = (Number(url.searchParams.get('page') ?? 1) - 1) * 2
      return json({ markers: markers.slice(first, first + 2), total: markers.length })
    })
    const error = await failureOf(idsOf(client.labTests.listMarkers({ size: 2 })), PaginationError)
    expect(error).toMatchObject({ code: 'list_changed', pages: 2 })
  })

  it('continues when the list grows during the iteration', async () => {
    const markers = markersFrom(0, 5)
    const { client } = clientOf(({ url }, nth) => {
      if (nth === 3) markers.push({ ...marker, id: 5 }, { ...marker, id: 6 })
      const first = (Number(url.searchParams.get('page') ?? 1) - 1) * 2
      return json({ markers: markers.slice(first, first + 2), total: markers.length })
    })
    await expect(idsOf(client.labTests.listMarkers({ size: 2 }))).resolves.toEqual(upTo(7))
  })
})

describe('pages with cursors', () => {
  it('ends when an empty page has the cursor it was requested with', async () => {
    const { client, requests } = clientOf(() => json({ data: [], next_cursor: 'more' }))
    await expect(collected(client.link.listBulkOps())).resolves.toEqual([])
    expect(requests).toHaveLength(2)
  })

  const op = (pending: number) => ({ type: 'import', status: 'in_progress', pending })

  it('follows the cursors to the end', async () => {
    const { client, requests } = clientOf((_, nth) =>
      json({ data: [op(nth)], next_cursor: nth < 3 ? `c ${nth}` : null }),
    )
    const found = await collected(client.link.listBulkOps({ page_size: 1 }))
    expect(found.map(({ pending }) => pending)).toEqual([1, 2, 3])
    expect(requests.map(({ url }) => url.search)).toEqual([
      '?page_size=1',
      '?page_size=1&next_cursor=c+1',
      '?page_size=1&next_cursor=c+2',
    ])
  })

  it('starts at the given cursor', async () => {
    const { client, requests } = clientOf(() => json({ data: [] }))
    await client.labTests.list({ next_cursor: 'here' })
    expect(requests[0]?.url.search).toBe('?next_cursor=here')
  })

  it('starts at the first page if the given cursor is null', async () => {
    const { client, requests } = clientOf(() => json({ data: [op(1)] }))
    await expect(collected(client.link.listBulkOps({ next_cursor: null }))).resolves.toHaveLength(1)
    expect(requests.map(({ url }) => url.search)).toEqual([''])
  })

  it('throws when the first page has the given cursor', async () => {
    const { client, requests } = clientOf(() => json({ data: [op(1)], next_cursor: 'here' }))
    const walk = collected(client.link.listBulkOps({ next_cursor: 'here' }, { maxPages: 3 }))
    const error = await failureOf(walk, PaginationError)
    expect(error).toMatchObject({ code: 'cursor_repeated', pages: 1 })
    expect(requests).toHaveLength(1)
  })

  it('rejects a query that JSON represents as a string', async () => {
    const { client, requests } = clientOf(() => json({ data: [] }))
    // A caller without types.
    const listing = client.link.listBulkOps(new Date(0) as object)
    const { issues } = await failureOf(listing, RequestValidationError)
    expect(issues).toMatchObject([{ path: 'query' }])
    expect(requests).toHaveLength(0)
  })

  it.each([64, 65, 1000])('follows cursors of %i characters', async (length) => {
    const cursors = ['a', 'b', 'c'].map((character) => character.padStart(length, '-'))
    const { client } = clientOf((_, nth) =>
      json({ data: [op(nth)], next_cursor: cursors[nth - 1] }),
    )
    await expect(collected(client.link.listBulkOps())).resolves.toHaveLength(4)
  })

  it.each([
    ['the cursor is absent', {}],
    ['the cursor is null', { next_cursor: null }],
    ['the cursor is empty', { next_cursor: '' }],
  ])('ends when %s', async (_, rest) => {
    const { client, requests } = clientOf(() => json({ data: [op(1)], ...rest }))
    const found = await collected(client.link.listBulkOps())
    expect(found).toHaveLength(1)
    expect(requests).toHaveLength(1)
  })

  it.each<[string, Responder, string]>([
    [
      'cursors form a circle',
      (_, nth) => json({ data: [op(nth)], next_cursor: `c${nth % 3}` }),
      'cursor_repeated',
    ],
    [
      'long cursors form a circle',
      (_, nth) => json({ data: [op(nth)], next_cursor: `${nth % 3}`.padStart(1000, 'c') }),
      'cursor_repeated',
    ],
    [
      'the same page returns with a new cursor',
      (_, nth) => json({ data: [op(1)], next_cursor: `c${nth}` }),
      'page_limit_reached',
    ],
    [
      'pages are empty and never end',
      (_, nth) => json({ data: [], next_cursor: `c${nth}` }),
      'page_limit_reached',
    ],
  ])('throws when %s', async (_, respond, code) => {
    const { client, requests } = clientOf(respond)
    const walk = collected(client.link.listBulkOps({}, { maxPages: 4 }))
    const error = await failureOf(walk, PaginationError)
    expect(error).toMatchObject({ code, pages: 4 })
    expect(error.message).toMatch(
      / stopped after 4 pages: .*\. \(GET \/v2\/link\/bulk_op, 1 attempt\)$/,
    )
    expect(requests).toHaveLength(4)
  })
})
