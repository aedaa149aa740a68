import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  AuthenticationError,
  type BulkImportAllOptions,
  type BulkImportProgress,
  type BulkImportReport,
  ConnectionError,
  type ConnectionRecipe,
  RequestValidationError,
  ResponseValidationError,
  ServiceClient,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { recipe } from '../../support/samples.ts'
import { json, type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

type Responder = (request: StubRequest, nth: number) => Response | Promise<Response>

const none = { user_ids_imported: [], user_ids_failed: [] }

function clientOf(respond: Responder) {
  const { fetch, requests } = stubFetch(respond)
  const client = new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch,
    maxRetries: 0,
  })
  return { client, requests }
}

function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

function recipeAt(position: number): ConnectionRecipe {
  return { ...recipe, user_id: idOf(position) }
}

function recipesUpTo(count: number): ConnectionRecipe[] {
  return Array.from({ length: count }, (_, position) => recipeAt(position))
}

function usersOf({ body }: StubRequest): string[] {
  return (body as { connections: ConnectionRecipe[] }).connections.map(({ user_id }) => user_id)
}

/** Imports everybody at once. */
const importEverybody: Responder = (request) =>
  json({ ...none, user_ids_imported: usersOf(request) })

describe('bulkImport', () => {
  const body = { provider: 'oura', connections: [recipe] }

  it.each([
    ['200', 'completed', json({ user_ids_imported: [recipe.user_id], user_ids_failed: [] })],
    ['202', 'accepted', json({ user_ids_imported: [recipe.user_id], user_ids_failed: [] }, 202)],
  ])('returns %s as %s, with both lists', async (_, status, response) => {
    const { client } = clientOf(() => response)
    await expect(client.link.bulkImport(body)).resolves.toEqual({
      status,
      user_ids_imported: [recipe.user_id],
      user_ids_failed: [],
    })
  })

  it.each([
    ['an empty body', new Response(null, { status: 202 })],
    ['null', json(null, 202)],
    ['an empty object', json({}, 202)],
    ['null lists', json({ user_ids_imported: null, user_ids_failed: null }, 202)],
  ])('accepts a 202 with %s', async (_, response) => {
    const { client } = clientOf(() => response)
    await expect(client.link.bulkImport(body)).resolves.toEqual({ status: 'accepted', ...none })
  })

  it('rejects a 200 without its lists', async () => {
    const { client } = clientOf(() => json({}))
    const error = await failureOf(client.link.bulkImport(body), ResponseValidationError)
    expect(error.issues.map(({ path }) => path)).toEqual([
      'response.user_ids_imported',
      'response.user_ids_failed',
    ])
  })
})

/** The outcome of every position, read back from a report; fails where a position has two. */
function outcomes({ ranges }: BulkImportReport, count: number): (string | undefined)[] {
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

function importAll(
  client: ServiceClient,
  recipes: Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>,
  options: BulkImportAllOptions = {},
) {
  return client.link.bulkImportAll('oura', recipes, { batchSize: 2, ...options })
}

describe('bulkImportAll', () => {
  it.each([
    ['an array', () => recipesUpTo(5)],
    ['a set', () => new Set(recipesUpTo(5))],
    ['a generator', () => recipesUpTo(5).values()],
    [
      'an async generator',
      async function* () {
        yield* recipesUpTo(5)
      },
    ],
    ['a stream', () => Readable.from(recipesUpTo(5))],
  ])('sends %s in batches', async (_, source) => {
    const { client, requests } = clientOf(importEverybody)
    const { signal } = new AbortController()
    for (const options of [{}, { signal }]) {
      requests.length = 0
      const report = await importAll(client, source(), { ...options, waitForCompletion: true })
      expect(requests.map(usersOf)).toEqual([[idOf(0), idOf(1)], [idOf(2), idOf(3)], [idOf(4)]])
      expect(requests[0]?.body).toMatchObject({ provider: 'oura', wait_for_completion: true })
      expect(report).toMatchObject({ sent: 5, imported: 5, stopped: undefined, failures: [] })
      expect(report.ranges).toEqual({
        imported: [[0, 4]],
        failed: [],
        accepted: [],
        unknown: [],
        unsent: [],
      })
    }
  })

  it('sends nothing for an empty source', async () => {
    const { client, requests } = clientOf(importEverybody)
    const report = await importAll(client, [])
    expect(requests).toHaveLength(0)
    expect(report).toMatchObject({ sent: 0, ranges: { unsent: [] }, stopped: undefined })
  })

  it('distinguishes imported, failed, accepted and unmentioned recipes', async () => {
    const { client } = clientOf((_, nth) =>
      nth === 1
        ? json({ user_ids_imported: [idOf(0).toUpperCase()], user_ids_failed: [idOf(1)] })
        : nth === 2
          ? new Response(null, { status: 202 })
          : json(none),
    )
    const report = await importAll(client, recipesUpTo(6), { concurrency: 1 })
    expect(report).toMatchObject({ sent: 6, imported: 1, failed: 1, accepted: 2, unknown: 2 })
    expect(outcomes(report, 6)).toEqual([
      'imported',
      'failed',
      'accepted',
      'accepted',
      'unknown',
      'unknown',
    ])
  })

  it('records a user in both lists as unknown, because either recipe may have failed', async () => {
    const [twice, once] = [recipeAt(0), recipeAt(1)]
    const { client } = clientOf(() =>
      json({
        user_ids_imported: [twice.user_id, once.user_id],
        user_ids_failed: [twice.user_id],
      }),
    )
    const report = await importAll(client, [twice, once, twice], { batchSize: 3 })
    expect(outcomes(report, 3)).toEqual(['unknown', 'imported', 'unknown'])
  })

  it('records recipes once when an unchecked list contains values without a string form', async () => {
    const { client } = clientOf((request) =>
      json({ user_ids_imported: usersOf(request), user_ids_failed: [{ toString: 1 }, null] }),
    )
    const report = await importAll(client, recipesUpTo(2), { validation: 'off' })
    expect(report).toMatchObject({
      sent: 2,
      imported: 2,
      failed: 0,
      unknown: 0,
      stopped: undefined,
    })
  })

  it('records a recipe without a user as unknown, and the others of its batch as the response says', async () => {
    const { client } = clientOf(() => json({ ...none, user_ids_imported: [idOf(0), idOf(2)] }))
    const recipes = [recipeAt(0), {} as ConnectionRecipe, recipeAt(2)]
    const report = await client.link.bulkImportAll('oura', recipes)
    expect(report).toMatchObject({ imported: 2, unknown: 1, stopped: undefined })
  })

  it('records an invalid recipe as failed and sends the others', async () => {
    const { client, requests } = clientOf(importEverybody)
    const recipes = recipesUpTo(6).with(3, { ...recipe, user_id: 'nobody' })
    const report = await importAll(client, recipes, { batchSize: 5 })
    expect(requests.map((request) => usersOf(request).length).toSorted()).toEqual([1, 4])
    expect(report).toMatchObject({ sent: 5, imported: 5, failed: 1, stopped: undefined })
    expect(report.ranges.failed).toEqual([[3, 3]])
    expect(report.failures).toMatchObject([{ range: [3, 3] }])
    expect(report.failures[0]?.error).toBeInstanceOf(RequestValidationError)
  })

  it('finds all invalid recipes of a large batch, and sends the others once', async () => {
    const { client, requests } = clientOf(importEverybody)
    const quarter = runsOf(50_000)
    const count = 4 * quarter
    const isValid = (at: number) => at % quarter === 0
    const recipes = Array.from({ length: count }, (_, at) =>
      isValid(at) ? recipeAt(at) : { ...recipeAt(at), user_id: 'none' },
    )
    const report = await client.link.bulkImportAll('oura', recipes, { batchSize: count })
    expect(report).toMatchObject({ sent: 4, imported: 4, failed: count - 4, stopped: undefined })
    expect(requests.map(usersOf)).toEqual([[0, 1, 2, 3].map((part) => idOf(part * quarter))])
  })

  it('runs at most `concurrency` batches at a time and reads no further ahead', async () => {
    let read = 0
    let underWay = 0
    const seen: { read: number; underWay: number }[] = []
    function* source() {
      for (const next of recipesUpTo(60)) {
        read += 1
        yield next
      }
    }
    const { client, requests } = clientOf(async (request, nth) => {
      underWay += 1
      await new Promise(setImmediate)
      seen.push({ read: read - nth * 3, underWay })
      underWay -= 1
      return importEverybody(request, nth)
    })
    await importAll(client, source(), { batchSize: 3, concurrency: 4 })
    expect(requests).toHaveLength(20)
    expect(Math.max(...seen.map((each) => each.underWay))).toBe(4)
    expect(Math.max(...seen.map((each) => each.read))).toBeLessThanOrEqual(4 * 3)
  })

  it('holds a bounded number of recipes in memory', async () => {
    const [count, batchSize] = [runsOf(200_000), runsOf(5000)]
    let read = 0
    let responded = 0
    let greatest = 0
    function* source() {
      for (; read < count; read += 1) {
        greatest = Math.max(greatest, read - responded)
        yield recipeAt(read)
      }
    }
    const fetch = async (request: Request) => {
      const { connections } = (await request.json()) as { connections: unknown[] }
      responded += connections.length
      return new Response(null, { status: 202 })
    }
    const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
    const report = await client.link.bulkImportAll('oura', source(), { batchSize })
    expect(report).toMatchObject({ sent: count, accepted: count })
    expect(report.ranges.accepted).toEqual([[0, count - 1]])
    expect(greatest).toBeLessThanOrEqual(4 * batchSize)
  })

  it('reports progress after every batch', async () => {
    const { client } = clientOf(importEverybody)
    const told: BulkImportProgress[] = []
    await importAll(client, recipesUpTo(5), {
      concurrency: 1,
      onProgress: (progress) => void told.push(progress),
    })
    expect(told.map(({ sent, imported }) => [sent, imported])).toEqual([
      [2, 2],
      [4, 4],
      [5, 5],
    ])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('the bar broke')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('the bar broke'))],
  ])('loses nothing when onProgress %s', async (_, onProgress) => {
    const { client } = clientOf(importEverybody)
    for (const concurrency of [1, 9]) {
      const report = await importAll(client, recipesUpTo(5), { concurrency, onProgress })
      expect(report).toMatchObject({ imported: 5, stopped: undefined })
    }
  })

  it('returns the report when the source throws', async () => {
    const broken = new Error('the file ends here')
    async function* source() {
      yield* recipesUpTo(3)
      throw broken
    }
    const { client } = clientOf(importEverybody)
    const report = await importAll(client, source())
    expect(report.stopped?.error).toBe(broken)
    expect(report.ranges).toMatchObject({ imported: [[0, 1]], unsent: [[2, null]] })
  })

  it('closes the source when it ends early', async () => {
    let isClosed = false
    function* source() {
      try {
        for (let position = 0; ; position += 1) yield recipeAt(position)
      } finally {
        isClosed = true
      }
    }
    const { client } = clientOf(() => json({ detail: 'no' }, 401))
    await importAll(client, source())
    expect(isClosed).toBe(true)
  })

  it('closes an async source when it ends early, after at most one more recipe', async () => {
    let isClosed = false
    let position = 0
    async function* source() {
      try {
        for (; ; position += 1) {
          await new Promise(setImmediate)
          yield recipeAt(position)
        }
      } finally {
        isClosed = true
      }
    }
    const { client } = clientOf(() => json({ detail: 'no' }, 401))
    await importAll(client, source(), { batchSize: 50 })
    const last = position
    await expect.poll(() => isClosed).toBe(true)
    expect(position - last).toBeLessThanOrEqual(1)
  })

  it.each([
    [401, AuthenticationError],
    [403, undefined],
    [400, undefined],
  ])('stops at %i, which would also fail the next batch', async (status, Kind) => {
    const { client, requests } = clientOf((request, nth) =>
      nth === 2 ? json({ detail: 'no' }, status) : importEverybody(request, nth),
    )
    const report = await importAll(client, recipesUpTo(10), { concurrency: 1 })
    expect(requests).toHaveLength(2)
    if (Kind) expect(report.stopped?.error).toBeInstanceOf(Kind)
    expect(report.stopped?.error).toMatchObject({ status })
    expect(report.ranges).toMatchObject({ imported: [[0, 1]], unsent: [[2, null]] })
  })

  it('marks a batch unknown after 500 and continues', async () => {
    const { client } = clientOf((request, nth) =>
      nth === 2 ? json({ detail: 'broken' }, 500) : importEverybody(request, nth),
    )
    const report = await importAll(client, recipesUpTo(6), { concurrency: 1 })
    expect(report.stopped).toBeUndefined()
    expect(report.ranges).toMatchObject({
      imported: [
        [0, 1],
        [4, 5],
      ],
      unknown: [[2, 3]],
    })
    expect(report.failures).toMatchObject([{ range: [2, 3], error: { status: 500 } }])
  })

  it('marks a batch failed after 422 and continues', async () => {
    const { client } = clientOf((request, nth) =>
      nth === 1 ? json({ detail: [] }, 422) : importEverybody(request, nth),
    )
    const report = await importAll(client, recipesUpTo(4), { concurrency: 1 })
    expect(report.ranges).toMatchObject({ failed: [[0, 1]], imported: [[2, 3]] })
  })

  it('marks everything unsent when the connection is refused', async () => {
    const { client } = clientOf(() => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
      })
    })
    const report = await importAll(client, recipesUpTo(9))
    expect(report.stopped?.error).toBeInstanceOf(ConnectionError)
    expect(report.sent).toBe(0)
    expect(new Set(outcomes(report, 9))).toEqual(new Set(['unsent']))
  })

  it.each([
    [202, 'accepted'],
    [200, 'unknown'],
  ] as const)('counts a batch whose %i has an invalid body as %s', async (status, outcome) => {
    const { client } = clientOf(() => Response.json({ user_ids_imported: 'all' }, { status }))
    const report = await importAll(client, recipesUpTo(2))
    expect(report.ranges[outcome]).toEqual([[0, 1]])
  })

  it.each([
    ['batchSize', { batchSize: 0 }],
    ['concurrency', { concurrency: 1.5 }],
    ['timeout', { timeout: -1 }],
  ])('rejects %s out of range', async (name, options) => {
    const { client, requests } = clientOf(importEverybody)
    const error = await failureOf(
      importAll(client, recipesUpTo(3), options),
      RequestValidationError,
    )
    expect(error.message).toContain(`${name}: expected`)
    expect(requests).toHaveLength(0)
  })

  it('does not wait for a slow source after a request failed', async () => {
    const { client } = clientOf(() => json({ detail: 'no' }, 401))
    async function* source() {
      yield* recipesUpTo(3)
      await new Promise(() => {})
    }
    const report = await importAll(client, source(), {})
    expect(report.stopped?.reason).toBe('request_failed')
    expect(report.ranges.unsent).toEqual([[0, null]])
  })

  describe('abort', () => {
    const reason = new Error('enough')

    it('sends nothing when the signal is already aborted', async () => {
      const { client, requests } = clientOf(importEverybody)
      const report = await importAll(client, recipesUpTo(3), { signal: AbortSignal.abort(reason) })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges.unsent).toEqual([[0, null]])
      expect(requests).toHaveLength(0)
    })

    it('ends the running batches, whose outcome is unknown', async () => {
      const controller = new AbortController()
      const { client } = clientOf((request, nth) => {
        if (nth < 3) return importEverybody(request, nth)
        controller.abort(reason)
        return new Promise(() => {})
      })
      const { signal } = controller
      const report = await importAll(client, recipesUpTo(10), { signal, concurrency: 1 })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges).toMatchObject({
        imported: [[0, 3]],
        unknown: [[4, 5]],
        unsent: [[6, null]],
      })
    })

    it('does not wait for a slow source', async () => {
      const controller = new AbortController()
      async function* source() {
        yield* recipesUpTo(3)
        controller.abort(reason)
        await new Promise(() => {})
      }
      const { client } = clientOf(importEverybody)
      const report = await importAll(client, source(), { signal: controller.signal })
      expect(report.stopped?.error).toBe(reason)
      expect(report.ranges.unsent).toEqual([[2, null]])
    })
  })

  describe('with `only`', () => {
    it('sends the recipes at these positions, in any order given, and no others', async () => {
      const { client, requests } = clientOf(importEverybody)
      const report = await importAll(client, recipesUpTo(10), {
        only: [
          [8, null],
          [1, 2],
          [2, 4],
          [6, 6],
        ],
      })
      expect(requests.flatMap(usersOf)).toEqual([1, 2, 3, 4, 6, 8, 9].map(idOf))
      expect(report.ranges.imported).toEqual([
        [1, 4],
        [6, 6],
        [8, 9],
      ])
    })

    it('never reports a recipe as unsent that was not selected', async () => {
      const { client } = clientOf(() => json({ detail: 'no' }, 401))
      const report = await importAll(client, recipesUpTo(10), {
        concurrency: 1,
        only: [
          [0, 2],
          [5, 7],
        ],
      })
      expect(report.ranges.unsent).toEqual([
        [0, 2],
        [5, 7],
      ])
    })

    it('sends the unsent recipes of an earlier run', async () => {
      const recipes = recipesUpTo(9)
      const { client, requests } = clientOf((request, nth) =>
        nth === 3 ? json({ detail: 'no' }, 401) : importEverybody(request, nth),
      )
      const first = await importAll(client, recipes, { concurrency: 1 })
      const second = await importAll(client, recipes, { only: first.ranges.unsent })
      expect(second.stopped).toBeUndefined()
      const sent = requests.filter((_, at) => at !== 2).flatMap(usersOf)
      expect(sent).toEqual(recipes.map(({ user_id }) => user_id))
    })
  })

  it('has every position in exactly one list, whatever happens to the batches', async () => {
    const event = fc.constantFrom<Responder>(
      importEverybody,
      () => new Response(null, { status: 202 }),
      () => json(none),
      () => json({ any: 'thing' }),
      () => json({ detail: 'no' }, 422),
      () => json({ detail: 'broken' }, 500),
      () => json({ detail: 'no' }, 401),
      () => {
        throw new TypeError('fetch failed')
      },
    )
    const shape = fc.record({
      count: fc.nat(30),
      batchSize: fc.integer({ min: 1, max: 7 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
      invalid: fc.array(fc.nat(29), { maxLength: 4 }),
      throwsAt: fc.option(fc.nat(29)),
    })
    await fc.assert(
      fc.asyncProperty(shape, async ({ count, events, invalid, throwsAt, ...options }) => {
        function* source() {
          for (let position = 0; position < count; position += 1) {
            if (position === throwsAt) throw new Error('the file ends here')
            const isInvalid = invalid.includes(position)
            yield isInvalid ? { ...recipe, user_id: 'nobody' } : recipeAt(position)
          }
        }
        const { client, requests } = clientOf((request, nth) => {
          const respond = events[nth % events.length] ?? importEverybody
          return respond(request, nth)
        })
        const report = await importAll(client, source(), options)
        const found = outcomes(report, count)
        expect(found).not.toContain(undefined)
        const counted = (outcome: string) => found.filter((each) => each === outcome).length
        expect(counted('imported')).toBe(report.imported)
        expect(counted('failed')).toBe(report.failed)
        expect(counted('accepted')).toBe(report.accepted)
        expect(counted('unknown')).toBe(report.unknown)
        const users = requests.flatMap(usersOf)
        expect(new Set(users).size).toBe(users.length)
        expect(report.sent).toBeLessThanOrEqual(users.length)
      }),
      { numRuns: runsOf(300) },
    )
  })
})
