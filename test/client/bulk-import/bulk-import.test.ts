import { describe, expect, it } from 'vitest'
import {
  type BulkImportProgress,
  type ConnectionRecipe,
  RequestValidationError,
  ResponseValidationError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { recipe } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'
import {
  clientOf,
  idOf,
  importAll,
  importEverybody,
  none,
  outcomes,
  type Responder,
  recipeAt,
  recipesUpTo,
  usersOf,
} from './import-client.ts'

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

describe('bulkImportAll', () => {
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
