import { describe, expect, it } from 'vitest'
import {
  type BulkImportAllOptions,
  ConnectionError,
  type ConnectionRecipe,
  type Query,
  type QueryEachOptions,
  RequestValidationError,
  TimeoutError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { runsOf } from '../../support/long-tests.ts'
import { listOf } from '../../support/parquet/archives.ts'
import { fc } from '../../support/properties.ts'
import { marker, recipe } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'
import { clientOf, oneResult, type Responder, request, upTo } from '../pagination/walked-client.ts'
import { idOf, importEverybody, outcomes, recipesUpTo, usersOf } from './import-client.ts'

function positionOf(id: string): number {
  return Number(id.slice(-12))
}

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
    const responses = client.aggregate.queryEach(users, changing, options)
    options.concurrency = 0
    Object.assign(options.headers ?? {}, { 'x-trace': 'after' })
    changing.timeframe.anchor = '1999-01-01'
    changing.queries.length = 0
    users.length = 1
    await expect(listOf(responses)).resolves.toHaveLength(3)
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

  it('never resends a recipe that may have been imported', async () => {
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
          const responses: Record<Event, Responder> = {
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
            responses[events[(nth - 1) % events.length] ?? 'import'](seen, nth),
          )
          const report = await first.client.link.bulkImportAll('oura', sourceOf(true), {
            ...size,
            signal: controller.signal,
          })
          const found = outcomes(report, count)
          expect(found).not.toContain(undefined)
          for (const [at, outcome] of found.entries()) {
            if (outcome === 'unsent') expect(effects[at], `position ${at}`).toBe(0)
            if (outcome === 'imported' || outcome === 'accepted') expect(effects[at]).toBe(1)
          }
          const counted = (outcome: string) => found.filter((each) => each === outcome).length
          expect(report).toMatchObject({
            imported: counted('imported'),
            failed: counted('failed'),
            accepted: counted('accepted'),
            unknown: counted('unknown'),
          })

          const second = clientOf((seen, nth) => responses.import(seen, nth))
          const { unsent } = report.ranges
          const resumed = await second.client.link.bulkImportAll('oura', sourceOf(false), {
            ...size,
            only: unsent,
          })
          expect(resumed.stopped).toBeUndefined()
          expect(Math.max(0, ...effects)).toBeLessThanOrEqual(1)
          for (const [at, outcome] of outcomes(resumed, count).entries()) {
            const isDue = found[at] === 'unsent'
            expect(outcome).toBe(!isDue ? undefined : invalid.includes(at) ? 'failed' : 'imported')
          }
        },
      ),
      { numRuns: runsOf(150) },
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
