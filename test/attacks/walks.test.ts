import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { Call } from '../../src/client/call.ts'
import { listByCursor } from '../../src/client/pagination/list-pages.ts'
import type { Contract } from '../../src/client/transport/load-modules.ts'
import {
  type BulkImportAllOptions,
  type BulkImportReport,
  type ClientOptions,
  ConnectionError,
  type ConnectionRecipe,
  type DriftEvent,
  mean,
  PaginationError,
  past,
  type QueriesRequest,
  type Query,
  type QueryEachOptions,
  query,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
  sum,
  TimeoutError,
} from '../../src/index.ts'
import { ArchiveError, type ParquetArchive, tables } from '../../src/parquet/index.ts'
import { archiveOf, listOf, noise } from '../support/archives.ts'
import { failureOf } from '../support/failure.ts'
import { marker, recipe, userId } from '../support/samples.ts'
import { json, type StubRequest, stubFetch } from '../support/stub-fetch.ts'

type Responder = (request: StubRequest, nth: number) => Response | Promise<Response>

function clientOf(respond: Responder, options: ClientOptions = {}) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    maxRetries: 0,
    fetch,
    ...options,
  })
  return { client, requests }
}

function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

function positionOf(id: string): number {
  return Number(id.slice(-12))
}

function recipesUpTo(count: number): ConnectionRecipe[] {
  return Array.from({ length: count }, (_, at) => ({ ...recipe, user_id: idOf(at) }))
}

function usersOf({ body }: StubRequest): string[] {
  return (body as { connections: ConnectionRecipe[] }).connections.map(({ user_id }) => user_id)
}

const importEverybody: Responder = (request) =>
  json({ user_ids_imported: usersOf(request), user_ids_failed: [] })

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

const request = {
  timeframe: past(1, 'week', '2025-06-01'),
  queries: [query(mean('sleep', 'score'))],
} satisfies QueriesRequest<readonly ReturnType<typeof query>[]>
const oneResult = { results: [{ table: { index: [null], mean: [80] } }] }

describe('input that changes after it was read', () => {
  it('imports each recipe of a generator that reuses its object', async () => {
    const { client, requests } = clientOf(importEverybody)
    async function* source() {
      const reused = structuredClone(recipe)
      for (let at = 0; at < 7; at += 1) {
        reused.user_id = idOf(at)
        reused.oauth_scopes.splice(0, 1, `scope ${at}`)
        yield reused
      }
    }
    const report = await client.link.bulkImportAll('oura', source(), { batchSize: 3 })
    expect(requests.flatMap(usersOf)).toEqual(upTo(7).map(idOf))
    const scopes = requests.flatMap(({ body }) =>
      (body as { connections: ConnectionRecipe[] }).connections.flatMap(
        (sent) => sent.oauth_scopes,
      ),
    )
    expect(scopes).toEqual(upTo(7).map((at) => `scope ${at}`))
    expect(report.imported).toBe(7)
  })

  it('imports an array, its recipes and its options as they were when it was called', async () => {
    const { client, requests } = clientOf(importEverybody)
    const recipes = recipesUpTo(5)
    const only: [number, number | null][] = [[1, null]]
    const headers = { 'x-trace': 'before' }
    const running = client.link.bulkImportAll('oura', recipes, { batchSize: 2, only, headers })
    for (const each of recipes) each.user_id = idOf(99)
    recipes.length = 2
    only[0] = [0, 0]
    headers['x-trace'] = 'after'
    await expect(running).resolves.toMatchObject({ imported: 4 })
    expect(requests.flatMap(usersOf)).toEqual([1, 2, 3, 4].map(idOf))
    expect(requests.map((each) => each.headers.get('x-trace'))).toEqual(['before', 'before'])
  })

  it('rejects only a recipe that JSON cannot represent, and imports the others', async () => {
    const { client, requests } = clientOf(importEverybody)
    const cyclic: Record<string, unknown> = { ...recipe }
    cyclic['self'] = cyclic
    const bigint = { ...recipe, note: 1n }
    const notANumber = { ...recipe, expires_at: Number.NaN }
    const recipes = [...recipesUpTo(2), cyclic, bigint, notANumber, null]
    // A caller without types.
    const report = await client.link.bulkImportAll('oura', recipes as ConnectionRecipe[])
    expect(report).toMatchObject({ imported: 2, failed: 4, sent: 2, stopped: undefined })
    expect(report.ranges.failed).toEqual([[2, 5]])
    expect(report.failures.every(({ error }) => error instanceof RequestValidationError)).toBe(true)
    expect(requests.flatMap(usersOf)).toEqual([idOf(0), idOf(1)])
  })

  it('sends every user of queryEach the request as it was at the call', async () => {
    const { client, requests } = clientOf(() => json(oneResult))
    const changing = structuredClone({
      timeframe: request.timeframe,
      queries: [{ select: [{ arg: { sleep: 'score' }, func: 'mean' }] }] as Query[],
    })
    const original = structuredClone(changing)
    const users = [idOf(0), idOf(1), idOf(2)]
    const options: QueryEachOptions<'json'> = { concurrency: 1, headers: { 'x-trace': 'before' } }
    const answers = client.aggregate.queryEach(users, changing, options)
    options.concurrency = 0
    Object.assign(options.headers ?? {}, { 'x-trace': 'after' })
    changing.timeframe.anchor = '1999-01-01'
    changing.queries.length = 0
    users.length = 1
    await expect(listOf(answers)).resolves.toHaveLength(3)
    expect(requests.map(({ body }) => body)).toEqual([original, original, original])
    expect(requests.map((each) => each.headers.get('x-trace'))).toEqual(Array(3).fill('before'))
  })

  it('queries each user of an iterator that reuses its result object', async () => {
    const { client, requests } = clientOf(() => json(oneResult))
    const result: { done?: boolean; value: string } = { value: '' }
    let next = 0
    const users = {
      [Symbol.iterator]: () => ({
        next: () => Object.assign(result, { done: next === 4, value: idOf(next++) }),
      }),
    }
    await expect(listOf(client.aggregate.queryEach(users, request))).resolves.toHaveLength(4)
    const asked = requests.map(({ url }) => url.pathname.split('/').at(-2))
    expect(asked).toEqual(upTo(4).map(idOf))
  })

  it('requests every page with the query and the order set as they were at the call', async () => {
    const { client, requests } = clientOf(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      return json({ markers: [{ ...marker, id: page }], total: 3, page, size: 1, pages: 3 })
    })
    const paging = { size: 1 }
    const orderSet = { lab_test_ids: ['a', 'b'] }
    for await (const { id } of client.labTests.listOrderSetMarkers(orderSet, paging)) {
      if (id > 1) continue
      paging.size = 100
      orderSet.lab_test_ids.pop()
    }
    expect(requests.map(({ body }) => body)).toEqual(Array(3).fill({ lab_test_ids: ['a', 'b'] }))
    expect(requests.map(({ url }) => url.searchParams.get('size'))).toEqual(['1', '1', '1'])
  })
})

/** The outcome of every position, by a report; fails where a position has two. */
function outcomesOf({ ranges }: BulkImportReport, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = Array.from({ length: count })
  for (const [outcome, list] of Object.entries(ranges)) {
    for (const [first, last] of list) {
      for (let at = first; at <= (last ?? count - 1); at += 1) {
        expect(found[at], `position ${at}`).toBeUndefined()
        found[at] = outcome
      }
    }
  }
  return found
}

const facts = { operation: 'another.call', route: 'POST /another', attempts: [] } as const
const reasons: [string, unknown][] = [
  ['an Error', new Error('enough')],
  ['undefined', undefined],
  ['a string', 'enough'],
  [
    'a TimeoutError of a call that was not sent',
    new TimeoutError('x', { ...facts, outcome: 'not-sent' }),
  ],
  ['a ConnectionError of a rejected call', new ConnectionError({ ...facts, outcome: 'rejected' })],
  [
    'a ConnectionError of a call that succeeded',
    new ConnectionError({ ...facts, outcome: 'succeeded' }),
  ],
  [
    'a RequestValidationError that names a recipe',
    new RequestValidationError([{ path: 'body.connections[0]', expected: 'more' }], facts),
  ],
]

describe('an import that is aborted', () => {
  it.each(reasons)(
    'reports the running batches as unknown when the reason is %s',
    async (_, reason) => {
      const controller = new AbortController()
      const { client, requests } = clientOf((seen, nth) => {
        if (nth === 1) return importEverybody(seen, nth)
        if (nth === 3) controller.abort(reason)
        return new Promise(() => {})
      })
      const { signal } = controller
      const options = { batchSize: 2, concurrency: 2 }
      const report = await client.link.bulkImportAll('oura', recipesUpTo(10), {
        ...options,
        signal,
      })
      expect(requests).toHaveLength(3)
      expect(report.ranges).toEqual({
        imported: [[0, 1]],
        failed: [],
        accepted: [],
        unknown: [[2, 5]],
        unsent: [[6, null]],
      })
      expect(report.stopped?.error).toBe(signal.reason)
    },
  )

  it('reports recipes as unsent that the source did not yield before it threw', async () => {
    const { client, requests } = clientOf(importEverybody)
    const broken = new ConnectionError({ ...facts, outcome: 'succeeded' })
    function* source() {
      yield* recipesUpTo(3)
      throw broken
    }
    const report = await client.link.bulkImportAll('oura', source(), { batchSize: 2 })
    expect(requests.flatMap(usersOf)).toEqual([idOf(0), idOf(1)])
    expect(report.stopped?.error).toBe(broken)
    expect(report.ranges).toMatchObject({ imported: [[0, 1]], unsent: [[2, null]], unknown: [] })
  })

  it.each([
    ['an error of the client', new ConnectionError({ ...facts, outcome: 'not-sent' })],
    ['a validation error', new RequestValidationError([{ path: 'body', expected: 'x' }], facts)],
    ['null', null],
    ['a string', 'ECONNREFUSED'],
  ])('does not trust %s that a custom fetch throws', async (_, thrown) => {
    const { client } = clientOf(() => Promise.reject(thrown))
    const report = await client.link.bulkImportAll('oura', recipesUpTo(3))
    expect(report.ranges).toMatchObject({ unknown: [[0, 2]], unsent: [] })
  })

  it('reports recipes as unknown when an unchecked response has no lists', async () => {
    const { client } = clientOf(() => json({ user_ids_imported: 5, user_ids_failed: 'x' }), {
      validation: 'off',
    })
    const report = await client.link.bulkImportAll('oura', recipesUpTo(3))
    expect(report).toMatchObject({ unknown: 3, stopped: undefined })
  })

  it('never sends a recipe again that may have been imported', async () => {
    type Event = 'import' | 'accept' | 'silence' | 'reject' | 'break' | 'cut' | 'refused' | 'abort'
    const shape = fc.record({
      count: fc.nat(25),
      batchSize: fc.integer({ min: 1, max: 6 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      invalid: fc.array(fc.nat(24), { maxLength: 3 }),
      throwsAt: fc.option(fc.nat(24)),
      isAsync: fc.boolean(),
      reason: fc.constantFrom(...reasons.map(([, reason]) => reason)),
      events: fc.array(
        fc.constantFrom<Event>(
          ...([
            'import',
            'accept',
            'silence',
            'reject',
            'break',
            'cut',
            'refused',
            'abort',
          ] as const),
        ),
        { minLength: 1, maxLength: 10 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(
        shape,
        async ({ count, events, invalid, throwsAt, isAsync, reason, ...size }) => {
          const controller = new AbortController()
          /** How often the service did something, or may have, with the recipe at a position. */
          const effects = Array<number>(count).fill(0)
          const act = (users: string[]) => {
            for (const user of users) {
              const position = positionOf(user)
              effects[position] = (effects[position] ?? 0) + 1
            }
          }
          const rejection = () => json({ detail: 'no' }, 401)
          const answers: Record<Event, Responder> = {
            import: (seen, nth) => {
              act(usersOf(seen))
              return importEverybody(seen, nth)
            },
            accept: (seen) => {
              act(usersOf(seen))
              return new Response(null, { status: 202 })
            },
            silence: (seen) => {
              act(usersOf(seen))
              return json({ user_ids_imported: [], user_ids_failed: [] })
            },
            break: (seen) => {
              act(usersOf(seen))
              return json({ detail: 'broken' }, 500)
            },
            cut: (seen) => {
              act(usersOf(seen))
              throw new TypeError('terminated')
            },
            reject: rejection,
            refused: () => {
              throw new TypeError('x', {
                cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
              })
            },
            abort: (seen) => {
              act(usersOf(seen))
              controller.abort(reason)
              return new Promise(() => {})
            },
          }
          function* recipes(fails: boolean) {
            const reused = structuredClone(recipe)
            for (let at = 0; at < count; at += 1) {
              if (fails && at === throwsAt) throw reason
              reused.user_id = invalid.includes(at) ? `nobody ${at}` : idOf(at)
              yield reused
            }
          }
          async function* slowly(source: Iterable<ConnectionRecipe>) {
            yield* source
          }
          const sourceOf = (fails: boolean) => (isAsync ? slowly(recipes(fails)) : recipes(fails))

          const first = clientOf((seen, nth) =>
            answers[events[(nth - 1) % events.length] ?? 'import'](seen, nth),
          )
          const report = await first.client.link.bulkImportAll('oura', sourceOf(true), {
            ...size,
            signal: controller.signal,
          })
          const outcomes = outcomesOf(report, count)
          expect(outcomes).not.toContain(undefined)
          for (const [at, outcome] of outcomes.entries()) {
            if (outcome === 'unsent') expect(effects[at], `position ${at}`).toBe(0)
            if (outcome === 'imported' || outcome === 'accepted') expect(effects[at]).toBe(1)
          }
          const counted = (outcome: string) => outcomes.filter((each) => each === outcome).length
          expect(report).toMatchObject({
            imported: counted('imported'),
            failed: counted('failed'),
            accepted: counted('accepted'),
            unknown: counted('unknown'),
          })

          const second = clientOf((seen, nth) => answers.import(seen, nth))
          const { unsent } = report.ranges
          const resumed = await second.client.link.bulkImportAll('oura', sourceOf(false), {
            ...size,
            only: unsent,
          })
          expect(resumed.stopped).toBeUndefined()
          expect(Math.max(0, ...effects)).toBeLessThanOrEqual(1)
          for (const [at, outcome] of outcomesOf(resumed, count).entries()) {
            const isDue = outcomes[at] === 'unsent'
            expect(outcome).toBe(!isDue ? undefined : invalid.includes(at) ? 'failed' : 'imported')
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('options of an import', () => {
  const wrong: [string, unknown][] = [
    ['only', [['0', '3']]],
    ['only', null],
    ['only', 5],
    ['only', 'all'],
    ['only', [null]],
    ['only', [0, 3]],
    ['only', [[0]]],
    ['only', [[0, 3, 5]]],
    ['only', [[-1, 3]]],
    ['only', [[3, 2]]],
    ['only', [[0.5, 2]]],
    ['only', [[0, undefined]]],
    ['only', [[null, 3]]],
    ['only', [[0, Number.POSITIVE_INFINITY]]],
    ['batchSize', '10'],
    ['batchSize', null],
    ['batchSize', Number.POSITIVE_INFINITY],
    ['concurrency', Number.NaN],
    ['waitForCompletion', 'yes'],
    ['onProgress', 'console.log'],
    ['signal', { aborted: false }],
    ['timeout', '5'],
    ['validation', 'loose'],
  ]

  it.each(wrong)(
    'rejects %s: %j, says what is expected, and sends nothing',
    async (name, value) => {
      const { client, requests } = clientOf(importEverybody)
      // A caller without types.
      const options = { [name]: value } as BulkImportAllOptions
      const error = await failureOf(
        client.link.bulkImportAll('oura', recipesUpTo(4), options),
        RequestValidationError,
      )
      expect(error).toMatchObject({ operation: 'link.bulkImportAll', outcome: 'not-sent' })
      expect(error.issues).toEqual([{ path: name, expected: expect.stringMatching(/\w/) }])
      expect(requests).toHaveLength(0)
    },
  )

  it.each([
    ['options', ['oura', [], null]],
    ['options', ['oura', [], 5]],
    ['recipes', ['oura', undefined]],
    ['recipes', ['oura', 'text']],
    ['recipes', ['oura', recipe]],
    ['provider', [undefined, []]],
  ])('rejects invalid %s: %j', async (path, given) => {
    const { client } = clientOf(importEverybody)
    // A caller without types.
    const [provider, recipes, options] = given as [string, ConnectionRecipe[], object]
    const error = await failureOf(
      client.link.bulkImportAll(provider, recipes, options),
      RequestValidationError,
    )
    expect(error.issues.map((issue) => issue.path)).toEqual([path])
  })

  const unreadableRanges = new Proxy<[number, number]>([0, 1], {
    get() {
      throw new RangeError('of a proxy')
    },
  })
  const readableOnce = () => {
    let reads = 0
    return new Proxy<[number, number]>([0, 1], {
      get(target, key, receiver) {
        if (key === '0' && ++reads > 1) throw new RangeError('of a proxy')
        return Reflect.get(target, key, receiver)
      },
    })
  }

  it.each<[string, unknown]>([
    ['a range', [unreadableRanges]],
    ['the list', unreadableRanges],
    ['a BigInt', [[0n, 1]]],
  ])('rejects an unreadable option "only": %s', async (_, only) => {
    const { client, requests } = clientOf(importEverybody)
    // A caller without types.
    const options = { only } as BulkImportAllOptions
    const error = await failureOf(
      client.link.bulkImportAll('oura', recipesUpTo(4), options),
      RequestValidationError,
    )
    expect(error.issues.map((issue) => issue.path)).toEqual(['only'])
    expect(requests).toHaveLength(0)
  })

  it('reads the ranges of the option "only" once', async () => {
    const { client } = clientOf(importEverybody)
    const options = { only: [readableOnce()] }
    const report = await client.link.bulkImportAll('oura', recipesUpTo(4), options)
    expect(report.imported).toBe(2)
  })

  it('accepts every range of a report', async () => {
    const { client } = clientOf(importEverybody)
    for (const only of [
      [],
      [[0, null]],
      [[0, 0]],
      [
        [2, 3],
        [1, 1],
      ],
      undefined,
    ]) {
      const options = { only } as BulkImportAllOptions
      const report = await client.link.bulkImportAll('oura', recipesUpTo(4), options)
      expect(report.stopped).toBeUndefined()
    }
  })
})

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
      { numRuns: 200 },
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

  it('stops at endless new cursors after maxPages pages, and says how to continue', async () => {
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
          // A service that returns smaller pages than requested must say so.
          fc.pre(granted >= size || counters.some((name) => name !== 'page'))
          const { client } = clientOf(catalogue(total, counters, granted))
          const found = await idsOf(client.labTests.listMarkers({ size, page }))
          const first = Math.min(total, (page - 1) * Math.min(size, granted))
          expect(found).toEqual(upTo(total).slice(first))
        },
      ),
      { numRuns: 250 },
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

  it('yields equal items whose page numbers the service confirms', async () => {
    const { client } = clientOf(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      return json({ markers: [marker, marker], total: 6, page, size: 2, pages: 3 })
    })
    await expect(listOf(client.labTests.listMarkers({ size: 2 }))).resolves.toHaveLength(6)
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
