import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ServiceClient } from '../../../src/index.ts'
import { runsOf } from '../../support/long-tests.ts'
import { json } from '../../support/stub-fetch.ts'
import {
  clientOf,
  idOf,
  importAll,
  importEverybody,
  recipeAt,
  recipesUpTo,
  usersOf,
} from './import-client.ts'

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
})
