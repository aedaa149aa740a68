import { expect, it } from 'vitest'
import {
  type BulkImportCheckpoint,
  type ConnectionRecipe,
  remainingRanges,
  ServiceClient,
} from '../../../src/index.ts'
import { fc } from '../../support/properties.ts'
import { recipe } from '../../support/samples.ts'
import { json, type StubRequest, stubFetch } from '../../support/stub-fetch.ts'

function idOf(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`
}

function recipesUpTo(count: number): ConnectionRecipe[] {
  return Array.from({ length: count }, (_, at) => ({ ...recipe, user_id: idOf(at) }))
}

function usersOf({ body }: StubRequest): string[] {
  return (body as { connections: ConnectionRecipe[] }).connections.map(({ user_id }) => user_id)
}

const accept = () => json({}, 202)

function clientOf(respond: (request: StubRequest, nth: number) => Response | Promise<Response>) {
  const { fetch, requests } = stubFetch(respond)
  const options = { apiKey: 'key', baseUrl: 'https://service.test', fetch, maxRetries: 0 }
  return { client: new ServiceClient(options), requests }
}

it('stores that a batch is sent before it is sent, and its outcome afterwards', async () => {
  const log: unknown[] = []
  const { client } = clientOf((request) => {
    log.push(usersOf(request).length)
    return accept()
  })
  const onBatch = async (checkpoint: BulkImportCheckpoint) => {
    await Promise.resolve()
    log.push(checkpoint)
  }
  await client.link.bulkImportAll('oura', recipesUpTo(3), { batchSize: 2, concurrency: 1, onBatch })
  expect(log).toEqual([
    { range: [0, 1], outcome: 'unknown' },
    2,
    { range: [0, 1], outcome: 'accepted' },
    { range: [2, 2], outcome: 'unknown' },
    1,
    { range: [2, 2], outcome: 'accepted' },
  ])
})

it('stores each outcome of a batch with its range', async () => {
  const stored: BulkImportCheckpoint[] = []
  const { client } = clientOf(() =>
    json({ user_ids_imported: [idOf(0), idOf(1), idOf(4)], user_ids_failed: [idOf(3)] }),
  )
  const onBatch = (checkpoint: BulkImportCheckpoint) => void stored.push(checkpoint)
  const only = [
    [0, 1],
    [3, 5],
  ] as const
  await client.link.bulkImportAll('oura', recipesUpTo(6), { only, onBatch })
  expect(stored).toEqual([
    { range: [0, 1], outcome: 'unknown' },
    { range: [3, 5], outcome: 'unknown' },
    { range: [0, 1], outcome: 'imported' },
    { range: [3, 3], outcome: 'failed' },
    { range: [4, 4], outcome: 'imported' },
    { range: [5, 5], outcome: 'unknown' },
  ])
})

it('reports invalid recipes, which are not sent, as failed', async () => {
  const stored: BulkImportCheckpoint[] = []
  const { client, requests } = clientOf(accept)
  const onBatch = (checkpoint: BulkImportCheckpoint) => void stored.push(checkpoint)
  const recipes = recipesUpTo(3).with(1, { ...recipe, user_id: 'no UUID' })
  const report = await client.link.bulkImportAll('oura', recipes, { onBatch })
  expect(requests.map(usersOf)).toEqual([[idOf(0), idOf(2)]])
  expect(stored.slice(1).map(({ outcome }) => outcome)).toEqual(['accepted', 'failed', 'accepted'])
  expect(report).toMatchObject({ sent: 2, failed: 1, ranges: { failed: [[1, 1]] } })
  expect(Object.keys(report.ranges)).toHaveLength(5)
})

it('is never called twice at the same time', async () => {
  let running = 0
  let most = 0
  const { client } = clientOf(accept)
  const onBatch = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
  }
  await client.link.bulkImportAll('oura', recipesUpTo(20), { batchSize: 2, onBatch })
  expect(most).toBe(1)
})

it('sends nothing that it could not store, and stops', async () => {
  const broken = new Error('disk full')
  const { client, requests } = clientOf(accept)
  const onBatch = async ({ range }: BulkImportCheckpoint) => {
    if (range[0] === 2) throw broken
  }
  const options = { batchSize: 2, concurrency: 1, onBatch }
  const report = await client.link.bulkImportAll('oura', recipesUpTo(6), options)
  expect(requests).toHaveLength(1)
  expect(report.stopped).toEqual({ reason: 'checkpoint_failed', error: broken })
  expect(report.ranges).toMatchObject({ accepted: [[0, 1]], unsent: [[2, null]] })
})

it('sends no recipe twice when the process ends at any moment and the import is resumed', async () => {
  const crash = fc.record({
    at: fc.integer({ min: 1, max: 12 }),
    isInCheckpoint: fc.boolean(),
    concurrency: fc.integer({ min: 1, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(crash, async ({ at, isInCheckpoint, concurrency }) => {
      const stored: BulkImportCheckpoint[] = []
      const sent: string[] = []
      let steps = 0
      let isAlive = true
      /** A step of the first process; the one at which it ends never returns. */
      const step = async () => {
        steps += 1
        if (steps < at) return
        isAlive = false
        await new Promise(() => {})
      }
      const { client } = clientOf(async (request) => {
        if (!isAlive) return new Promise(() => {})
        sent.push(...usersOf(request))
        if (!isInCheckpoint) await step()
        return accept()
      })
      const store = async (checkpoint: BulkImportCheckpoint) => {
        if (!isAlive) return new Promise(() => {})
        if (isInCheckpoint) await step()
        stored.push(checkpoint)
        return undefined
      }
      const first = client.link.bulkImportAll('oura', recipesUpTo(10), {
        batchSize: 2,
        concurrency,
        onBatch: store,
      })
      const idle = async () => {
        for (let turn = 0; turn < 60 && isAlive; turn += 1) await new Promise(setImmediate)
      }
      await Promise.race([first, idle()])
      isAlive = false

      const second = clientOf((request) => {
        sent.push(...usersOf(request))
        return accept()
      })
      const only = remainingRanges(stored)
      await second.client.link.bulkImportAll('oura', recipesUpTo(10), { batchSize: 2, only })
      expect(sent.length).toBe(new Set(sent).size)
    }),
    { numRuns: 40 },
  )
})

it.each<[string, BulkImportCheckpoint[], ReturnType<typeof remainingRanges>]>([
  ['nothing is stored', [], [[0, null]]],
  ['the first recipes are sent', [{ range: [0, 4], outcome: 'unknown' }], [[5, null]]],
  [
    'a batch had no effect',
    [
      { range: [0, 4], outcome: 'unknown' },
      { range: [2, 3], outcome: 'unsent' },
    ],
    [
      [2, 3],
      [5, null],
    ],
  ],
  [
    'it is sent again',
    [
      { range: [0, 4], outcome: 'unknown' },
      { range: [0, 4], outcome: 'unsent' },
      { range: [0, 1], outcome: 'accepted' },
    ],
    [[2, null]],
  ],
  [
    'there is a gap',
    [
      { range: [4, 5], outcome: 'imported' },
      { range: [0, 1], outcome: 'failed' },
    ],
    [
      [2, 3],
      [6, null],
    ],
  ],
])('returns the remaining ranges when %s', (_, checkpoints, expected) => {
  expect(remainingRanges(checkpoints)).toEqual(expected)
})

it('rejects an onBatch that is no function', async () => {
  const { client } = clientOf(accept)
  const options = { onBatch: 'store' as never }
  await expect(client.link.bulkImportAll('oura', [], options)).rejects.toThrow(
    'onBatch: expected a function',
  )
})
