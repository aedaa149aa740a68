import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { Call } from '../../../src/client/call.ts'
import { listByCursor } from '../../../src/client/pagination/list-pages.ts'
import type { Contract } from '../../../src/client/transport/load-modules.ts'
import {
  type DriftEvent,
  PaginationError,
  type QueryEachOptions,
  query,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  sum,
} from '../../../src/index.ts'
import { ArchiveError, type ParquetArchive, tables } from '../../../src/parquet/index.ts'
import { failureOf } from '../../support/failure.ts'
import { runsOf } from '../../support/long-tests.ts'
import { archiveOf, listOf, noise } from '../../support/parquet/archives.ts'
import { fc } from '../../support/properties.ts'
import { marker, recipe, userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'
import { clientOf, oneResult, type Responder, request, upTo } from './walked-client.ts'

describe('options of queryEach', () => {
  it.each<[string, unknown[]]>([
    ['concurrency', [[userId], request, { concurrency: '2' }]],
    ['concurrency', [[userId], request, { concurrency: null }]],
    ['format', [[userId], request, { format: null }]],
    ['onProgress', [[userId], request, { onProgress: {} }]],
    ['signal', [[userId], request, { signal: 'now' }]],
    ['options', [[userId], request, 5]],
    ['userIds', [undefined, request]],
    ['userIds', [userId, request]],
    ['body', [[userId], { ...request, queries: [{ select: [], note: 1n }] }]],
    ['body', [[userId], undefined]],
  ])('rejects an invalid %s before anything is sent', async (path, given) => {
    const { client, requests } = clientOf(() => json(oneResult))
    // A caller without types.
    const [users, asked, options] = given as [string[], typeof request, QueryEachOptions<'json'>]
    const walk = client.aggregate.queryEach(users, asked, options)
    const error = await failureOf(listOf(walk), RequestValidationError)
    expect(error.issues.map((issue) => issue.path.split('.')[0])).toContain(path)
    expect(requests).toHaveLength(0)
  })
})

describe('iterating by cursor', () => {
  it('lists every operation of an import, even if they look the same', async () => {
    const team = createMock().team()
    const client = new ServiceClient(team.connection())
    const { user_id } = team.users.create()
    const recipes = Array.from({ length: 5000 }, () => ({ ...recipe, user_id }))
    const report = await client.link.bulkImportAll('oura', recipes, { batchSize: 100 })
    expect(report.accepted).toBe(5000)
    await expect(listOf(client.link.listBulkOps())).resolves.toHaveLength(50)
    await expect(listOf(client.link.listBulkOps({ page_size: 1 }))).resolves.toHaveLength(50)
  })

  it('yields every item once, in order, over pages of any size, empty ones included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { maxLength: 25 }),
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 25, maxLength: 25 }),
        fc.constantFrom<unknown>(null, undefined, ''),
        fc.option(fc.nat(24), { nil: undefined }),
        async (sizes, cursors, end, from) => {
          // Operations have no id: all look alike but for a field that the client knows nothing of.
          let made = 0
          const pages = sizes.map((size) => Array.from({ length: size }, () => ({ nth: made++ })))
          const { client } = clientOf(({ url }) => {
            const cursor = url.searchParams.get('next_cursor')
            const at = cursor === null ? 0 : cursors.indexOf(cursor) + 1
            const next_cursor = at + 1 < pages.length ? cursors[at] : end
            return json({ data: pages[at] ?? [], next_cursor })
          })
          const start = from === undefined ? {} : { next_cursor: cursors[from] }
          const skipped = from === undefined ? 0 : from + 1
          const found = await listOf(client.link.listBulkOps(start))
          expect(found).toEqual(pages.slice(skipped).flat())
        },
      ),
      { numRuns: runsOf(200) },
    )
  })

  it.each<[string, Responder, number]>([
    ['a service that ignores the cursor', () => json({ data: [{}], next_cursor: 'c' }), 2],
    [
      'repeated cursors',
      ({ url }) => {
        const at = url.searchParams.get('next_cursor')
        return json({ data: [{}], next_cursor: at === 'a' ? 'b' : 'a' })
      },
      3,
    ],
    [
      'an empty page with an earlier cursor',
      ({ url }) => {
        const at = url.searchParams.get('next_cursor')
        return json({ data: at === 'b' ? [] : [{}], next_cursor: at === 'a' ? 'b' : 'a' })
      },
      3,
    ],
  ])('ends %s with an error, after the items of every page', async (_, respond, pages) => {
    const { client, requests } = clientOf(respond)
    let yielded = 0
    const walk = async () => {
      for await (const _page of client.link.listBulkOps().pages()) yielded += 1
    }
    const error = await failureOf(walk(), PaginationError)
    expect(error).toMatchObject({
      code: 'cursor_repeated',
      pages,
      operation: 'link.listBulkOps',
      route: 'GET /v2/link/bulk_op',
      outcome: 'succeeded',
      attempts: [{ status: 200 }],
    })
    expect(error.message).toContain('next_cursor')
    expect(error.toJSON()).toMatchObject({ code: 'cursor_repeated', pages })
    expect(yielded).toBe(pages)
    expect(requests).toHaveLength(pages)
  })

  it('ends when an empty page repeats its cursor', async () => {
    const { client } = clientOf(({ url }) =>
      url.searchParams.has('next_cursor')
        ? json({ data: [], next_cursor: 'end' })
        : json({ data: [{}, {}], next_cursor: 'end' }),
    )
    await expect(listOf(client.link.listBulkOps())).resolves.toHaveLength(2)
  })

  it('continues even if the caller empties the pages', async () => {
    const { client } = clientOf((_, nth) =>
      json({ data: [{ nth }], next_cursor: nth < 3 ? `c${nth}` : null }),
    )
    let found = 0
    for await (const page of client.link.listBulkOps().pages()) {
      found += page.data.splice(0).length
      delete page.next_cursor
    }
    expect(found).toBe(3)
  })

  it('stops after maxPages pages if the cursors never end, and says how to continue', async () => {
    const { client, requests } = clientOf((_, nth) => json({ data: [{}], next_cursor: `c${nth}` }))
    const listing = client.link.listBulkOps({}, { maxPages: 7 })
    const error = await failureOf(listOf(listing), PaginationError)
    expect(error).toMatchObject({ code: 'page_limit_reached', pages: 7 })
    expect(error.message).toContain('maxPages')
    expect(requests).toHaveLength(7)
  })

  it('reads at most 100,000 pages by default', async () => {
    const data = upTo(10)
    const walkOf = (pages: number) => {
      let fetched = 0
      const send = () => {
        fetched += 1
        const page = { data, next_cursor: fetched < pages ? `c${fetched}` : null }
        const response = { status: 200, headers: new Headers(), requestId: undefined, attempts: [] }
        return new Call(Promise.resolve({ data: page, response }))
      }
      const endpoint = ({ link }: Contract) => link.listBulkOps
      return listByCursor({ endpoint, input: { query: {} }, options: undefined }, send).pages()
    }
    let items = 0
    for await (const page of walkOf(100_000)) items += page.data.length
    expect(items).toBe(1_000_000)
    const drain = async () => {
      for await (const _ of walkOf(100_001));
    }
    await failureOf(drain(), PaginationError)
  })

  it.each([0, 1.5, '5', null])('rejects maxPages %j and sends nothing', async (maxPages) => {
    const { client, requests } = clientOf(() => json({ data: [] }))
    // A caller without types.
    const listing = client.link.listBulkOps({}, { maxPages: maxPages as number })
    const error = await failureOf(listing, RequestValidationError)
    expect(error).toMatchObject({
      operation: 'link.listBulkOps',
      issues: [{ path: 'maxPages', expected: 'an integer of at least 1' }],
    })
    expect(requests).toHaveLength(0)
  })

  it('reads a list with exactly maxPages pages', async () => {
    const { client } = clientOf((_, nth) =>
      json({ data: [{}], next_cursor: nth < 3 ? `c${nth}` : null }),
    )
    await expect(listOf(client.link.listBulkOps({}, { maxPages: 3 }))).resolves.toHaveLength(3)
  })
})

type Counter = 'total' | 'page' | 'size' | 'pages'

/** A catalogue whose pages have these counters; `perPage` is how many the service grants. */
function catalogue(total: number, counters: readonly Counter[], perPage = 100): Responder {
  return ({ url }) => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const size = Math.min(perPage, Number(url.searchParams.get('size') ?? 50))
    const first = (page - 1) * size
    const markers = upTo(total)
      .slice(first, first + size)
      .map((id) => ({ ...marker, id }))
    const told = { total, page, size, pages: Math.ceil(total / size) }
    return json({ markers, ...Object.fromEntries(counters.map((name) => [name, told[name]])) })
  }
}

async function idsOf(markers: AsyncIterable<{ id: number }>): Promise<number[]> {
  return (await listOf(markers)).map(({ id }) => id)
}

describe('iterating by page number', () => {
  it('yields every item once, with any page size and any counters of the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 4 }),
        fc.subarray<Counter>(['total', 'page', 'size', 'pages'], { minLength: 1 }),
        async (total, size, granted, page, counters) => {
          const { client } = clientOf(catalogue(total, counters, granted))
          const found = await idsOf(client.labTests.listMarkers({ size, page }))
          const first = Math.min(total, (page - 1) * Math.min(size, granted))
          expect(found).toEqual(upTo(total).slice(first))
        },
      ),
      { numRuns: runsOf(250) },
    )
  })

  it('continues after a short page when the counters show more pages', async () => {
    const pages = [3, 1, 3, 2]
    const starts = [0, 3, 4, 7]
    const { client } = clientOf(({ url }) => {
      const at = Number(url.searchParams.get('page') ?? 1) - 1
      const markers = upTo(pages[at] ?? 0).map((nth) => ({
        ...marker,
        id: (starts[at] ?? 0) + nth,
      }))
      return json({ markers, total: 9, size: 3, pages: 4 })
    })
    await expect(idsOf(client.labTests.listMarkers({ size: 3 }))).resolves.toEqual(upTo(9))
  })

  const some = [0, 1].map((id) => ({ ...marker, id }))
  const others = [2, 3].map((id) => ({ ...marker, id }))
  it.each<[string, Responder, number[]]>([
    ['ignores the page number', () => json({ markers: some }), [0, 1]],
    [
      'ignores the page number and counts on',
      () => json({ markers: some, total: 9, page: 1, size: 2, pages: 5 }),
      [0, 1],
    ],
    [
      'ignores the page number at a total that fits twice',
      () => json({ markers: some, total: 4, page: 1, size: 2 }),
      [0, 1],
    ],
    [
      'alternates between two pages',
      (_, nth) => json({ markers: nth % 2 === 1 ? some : others }),
      [0, 1, 2, 3],
    ],
  ])('ends with an error when the service %s', async (_, respond, expected) => {
    const { client, requests } = clientOf(respond)
    const ids: number[] = []
    const walk = async () => {
      for await (const { id } of client.labTests.listMarkers({ size: 2 })) ids.push(id)
    }
    const error = await failureOf(walk(), PaginationError)
    expect(error).toMatchObject({ code: 'page_repeated', pages: expected.length / 2 })
    expect(ids).toEqual(expected)
    expect(requests).toHaveLength(expected.length / 2 + 1)
  })

  it('stops an endless list after maxPages pages', async () => {
    const { client, requests } = clientOf((_, nth) =>
      json({ markers: [{ ...marker, id: nth }], size: 1, page: nth }),
    )
    const listing = client.labTests.listMarkers({ size: 1 }, { maxPages: 9 })
    await expect(failureOf(listOf(listing), PaginationError)).resolves.toMatchObject({
      code: 'page_limit_reached',
      pages: 9,
    })
    expect(requests).toHaveLength(9)
  })
})

const twoQueries = { ...request, queries: [...request.queries, query(sum('activity', 'steps'))] }

const table = { table: { index: ['2025-06-01T00:00:00'], mean: [80] } }

describe('aggregate results that break the specification', () => {
  const broken: [string, object, string][] = [
    [
      'columns of unequal length',
      { results: [table, { table: { index: ['a', 'b'], sum: [1] } }] },
      'response.results[1].table',
    ],
    ['fewer results than queries', { results: [table] }, 'response.results'],
    ['no results', { results: [] }, 'response.results'],
    ['more results than queries', { results: [table, table, table] }, 'response.results'],
  ]

  it.each(broken)('throws for %s when validation is strict', async (_, body, path) => {
    const { client } = clientOf(() => json(body))
    const error = await failureOf(
      client.aggregate.query(userId, twoQueries),
      ResponseValidationError,
    )
    expect(error.issues).toEqual([{ path, expected: expect.any(String) }])
    expect(error.message).toMatch(/columns of equal length|one result for each query \(2\)/)
    const [each] = await listOf(client.aggregate.queryEach([userId], twoQueries))
    expect(each?.error).toBeInstanceOf(ResponseValidationError)
  })

  it.each(broken)('reports %s and returns the response in report mode', async (_, body) => {
    const drifts: DriftEvent[] = []
    const hooks = { drift: (event: DriftEvent) => void drifts.push(event) }
    const { client } = clientOf(() => json(body), { validation: 'report', hooks })
    await expect(client.aggregate.query(userId, twoQueries)).resolves.toEqual(body)
    expect(drifts).toMatchObject([{ kind: 'invalid', operation: 'aggregate.query' }])
  })

  it.each(broken)('ignores %s when validation is off', async (_, body) => {
    const { client } = clientOf(() => json(body), { validation: 'off' })
    await expect(client.aggregate.query(userId, twoQueries)).resolves.toEqual(body)
  })

  it('tolerates added fields beside tables and results', async () => {
    const added = { ...table, took: 3 }
    const body = { results: [added, added], next: null }
    const { client } = clientOf(() => json(body))
    await expect(client.aggregate.query(userId, twoQueries)).resolves.toEqual(body)
  })

  const files = (count: number) =>
    archiveOf(...upTo(count).map((at) => ({ name: `${at}.parquet`, body: noise(600) })))

  async function namesOf(archive: ParquetArchive): Promise<string[]> {
    return (await listOf(archive.files())).map(({ name }) => name)
  }

  it.each([0, 1, 3])(
    'throws for %i Parquet files of 2 queries when validation is strict',
    async (count) => {
      const bytes = await files(count)
      const { client } = clientOf(() => new Response(bytes))
      const walk = namesOf(await client.aggregate.queryParquet(userId, twoQueries))
      const error = await failureOf(walk, ArchiveError)
      expect(error).toMatchObject({ code: 'archive_unexpected', outcome: 'succeeded' })
      expect(error.message).toContain('one file for each query (2)')
    },
  )

  it('reports a wrong number of Parquet files in report mode and ignores it when off', async () => {
    const bytes = await files(1)
    const drifts: DriftEvent[] = []
    const hooks = { drift: (event: DriftEvent) => void drifts.push(event) }
    const { client } = clientOf(() => new Response(bytes), { validation: 'report', hooks })
    const reported = await client.aggregate.queryParquet(userId, twoQueries)
    await expect(namesOf(reported)).resolves.toEqual(['0.parquet'])
    expect(drifts).toMatchObject([{ kind: 'invalid', operation: 'aggregate.queryParquet' }])
    const off = await client.aggregate.queryParquet(userId, twoQueries, { validation: 'off' })
    await expect(namesOf(off)).resolves.toEqual(['0.parquet'])
    expect(drifts).toHaveLength(1)
  })

  it('reads the Parquet files of the mock, one for each query', async () => {
    const client = new ServiceClient(createMock().team().connection())
    const found = await listOf(tables(await client.aggregate.queryParquet(userId, twoQueries)))
    expect(found.map((each) => each.query)).toEqual([0, 1])
  })
})
