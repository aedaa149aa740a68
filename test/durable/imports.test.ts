import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { type DurableImportOptions, durable } from '../../src/durable/index.ts'
import { addCheckpoints } from '../../src/durable/progress.ts'
import {
  AbortError,
  type BulkImportCheckpoint,
  type ConnectionRecipe,
  type RecipeOutcome,
  ServiceClient,
} from '../../src/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { recipe } from '../support/bodies.ts'
import { failureOf } from '../support/failure.ts'
import { Boundaries, dyingConnection, dyingStore } from '../support/programs/dying.ts'

/** A team with users to import, and durable writes of any number of processes. */
function prepare(count = 10) {
  const team = createMock().team()
  const store = memoryStore()
  const recipes = Array.from({ length: count }, () => recipe(team.users.create().user_id))
  const start = () => durable(new ServiceClient(team.connection()), { store })
  const run = (options: DurableImportOptions = {}, source: Iterable<ConnectionRecipe> = recipes) =>
    start().link.bulkImportAll('import', 'oura', source, {
      batchSize: 2,
      concurrency: 2,
      ...options,
    })
  const sent = () => team.bulkOps.list().reduce((sum, { total }) => sum + total, 0)
  return { team, store, recipes, start, run, sent }
}

it('imports everything once, and returns the same report again', async () => {
  const { team, run, sent } = prepare()
  const report = await run({ waitForCompletion: true })
  expect(report).toMatchObject({ sent: 10, imported: 10, unknown: 0, failures: [] })
  expect(report.ranges).toMatchObject({ imported: [[0, 9]], unsent: [] })
  expect(await run({ waitForCompletion: true })).toEqual(report)
  expect(sent()).toBe(10)
  expect(team.connections.size).toBe(10)
})

it('waits for slow imports longer than its hold lasts', async () => {
  const { team, start, recipes, sent } = prepare(4)
  // Longer than the service waits, but each batch alone is shorter than a hold.
  team.configure({ importTimePerConnection: '18s' })
  const options = { batchSize: 1, concurrency: 1, waitForCompletion: true }
  const report = await start().link.bulkImportAll('slow', 'oura', recipes, options)
  expect(report.imported).toBe(4)
  expect(sent()).toBe(4)
})

it('continues where a request stopped it', async () => {
  const { team, start, run, sent } = prepare()
  const fault = { on: 'link.bulkImport', when: { nth: 3 }, then: { status: 403 } } as const
  team.faults.add(fault)
  await expect(run({ concurrency: 1 })).rejects.toMatchObject({
    code: 'pending',
    cause: { status: 403, outcome: 'rejected' },
  })
  expect(await start().unresolved()).toMatchObject([{ id: 'import', state: 'interrupted' }])
  expect(sent()).toBe(4)
  expect(await run()).toMatchObject({ sent: 10, accepted: 10, ranges: { accepted: [[0, 9]] } })
  expect(sent()).toBe(10)
})

it('sends a batch later whose first checkpoint could not be stored', async () => {
  const { team, store, recipes, sent } = prepare(6)
  let saves = 0
  const failing = {
    ...store,
    save: async (...[id, hold]: Parameters<typeof store.save>) => {
      if (hold.progress !== undefined) saves += 1
      if (hold.progress !== undefined && saves === 2) throw new Error('down for a moment')
      return store.save(id, hold)
    },
  }
  const { link } = durable(new ServiceClient(team.connection()), { store: failing })
  const options = { batchSize: 2, concurrency: 2 }
  const run = () => link.bulkImportAll('import', 'oura', recipes, options)
  await expect(run()).rejects.toMatchObject({ code: 'store_failed' })
  expect(await run()).toMatchObject({ sent: 6, accepted: 6, unknown: 0 })
  expect(sent()).toBe(6)
})

it('is not complete when its source was read by an earlier call', async () => {
  const { team, run, recipes, sent } = prepare(6)
  const generator = recipes[Symbol.iterator]()
  team.faults.add({ on: 'link.bulkImport', when: { nth: 2 }, then: { status: 403 } })
  await expect(run({ concurrency: 1 }, generator)).rejects.toMatchObject({ cause: { status: 403 } })
  await expect(run({ concurrency: 1 }, generator)).rejects.toMatchObject({ code: 'input_differs' })
  expect(await run({ concurrency: 1 }, recipes.values())).toMatchObject({ accepted: 6 })
  expect(sent()).toBe(6)
})

it('lets the id be used again when the first request is refused', async () => {
  const { team, start, run, recipes } = prepare()
  team.configure({ linkMigration: 'disabled' })
  await expect(run()).rejects.toMatchObject({ status: 403 })
  expect(await start().unresolved()).toEqual([])
  team.configure({ linkMigration: 'enabled' })
  expect(await run({}, recipes.slice(1))).toMatchObject({ sent: 9 })
})

it('leaves a batch with an unknown outcome to a person, and imports only it again', async () => {
  const { team, start, run, sent } = prepare()
  team.faults.add({ on: 'link.bulkImport', when: { nth: 2 }, then: { status: 500 } })
  const report = await run({ concurrency: 1 })
  expect(report).toMatchObject({ accepted: 8, unknown: 2, ranges: { unknown: [[2, 3]] } })
  expect(report.failures).toMatchObject([{ range: [2, 3], error: { status: 500 } }])
  expect(await run()).toEqual(report)
  expect(await start().unresolved()).toMatchObject([{ id: 'import', state: 'unresolved' }])
  await start().resolve('import', 'had-no-effect')
  expect(await run()).toMatchObject({ sent: 10, accepted: 10, unknown: 0 })
  expect(sent()).toBe(10)
  expect(await start().unresolved()).toEqual([])
})

it('stores the report of a person', async () => {
  const { team, start, run } = prepare()
  team.faults.add({ on: 'link.bulkImport', when: { nth: 2 }, then: 'lose_response' })
  const { ranges, ...report } = await run({ concurrency: 1 })
  const decision = {
    ...report,
    unknown: 0,
    accepted: 10,
    ranges: { ...ranges, accepted: [[0, 9] as const], unknown: [] },
  }
  await start().resolve('import', decision)
  expect(await run()).toEqual(decision)
})

it('rejects with an AbortError when the signal aborts, and continues at the next call', async () => {
  const { run, sent } = prepare()
  const controller = new AbortController()
  const stopped = run({ signal: controller.signal, onProgress: () => controller.abort(Number.NaN) })
  expect(await failureOf(stopped, AbortError)).toMatchObject({ outcome: 'unknown', reason: NaN })
  const { accepted, unknown } = await run()
  expect(accepted + unknown).toBe(10)
  expect(sent()).toBeLessThanOrEqual(10)
})

describe.each(Array.from({ length: 10 }, (_, at) => at + 1))(
  'a process that ends at boundary %i of resolve',
  (last) => {
    async function endInResolve() {
      const prepared = prepare()
      const { team, store, run } = prepared
      team.faults.add({ on: 'link.bulkImport', when: { nth: 2 }, then: { status: 500 } })
      await run({ concurrency: 1 })
      const boundaries = new Boundaries(last)
      const client = new ServiceClient(team.connection())
      const dying = durable(client, { store: dyingStore(store, boundaries) })
      void dying.resolve('import', 'had-no-effect')
      await boundaries.death
      await team.clock.advance('1m')
      return prepared
    }

    it('leaves an import that can be resolved again', async () => {
      const { start, run, sent } = await endInResolve()
      await start().resolve('import', 'had-no-effect')
      expect(await run()).toMatchObject({ accepted: 10, unknown: 0 })
      expect([sent(), await start().unresolved()]).toEqual([10, []])
    })

    it('leaves an import that can be continued', async () => {
      const { run, sent } = await endInResolve()
      const { accepted, unknown } = await run()
      expect([accepted + unknown, sent()]).toEqual([10, accepted])
    })
  },
)

it('is not done if the signal aborts while the checkpoint before the only batch is stored', async () => {
  const { team, store, recipes, run, sent } = prepare()
  const controller = new AbortController()
  const aborting = {
    ...store,
    save: async (...[id, hold]: Parameters<typeof store.save>) => {
      if (hold.progress !== undefined) controller.abort()
      return store.save(id, hold)
    },
  }
  const { link } = durable(new ServiceClient(team.connection()), { store: aborting })
  const { signal } = controller
  const stopped = link.bulkImportAll('import', 'oura', recipes, { batchSize: 10, signal })
  await failureOf(stopped, AbortError)
  expect(sent()).toBe(0)
  const { accepted, unknown } = await run()
  expect({ accepted, unknown, sent: sent() }).toEqual({ accepted: 10, unknown: 0, sent: 10 })
})

it('sends nothing after another process has taken over', async () => {
  const { team, store, recipes, run, sent } = prepare()
  const connection = team.connection()
  let count = 0
  const sleeping = Promise.withResolvers<void>()
  const waking = Promise.withResolvers<void>()
  // The process sleeps before its second request, longer than its hold lasts.
  const sleepy = durable(
    new ServiceClient({
      ...connection,
      clock: {
        now: connection.clock.now,
        sleep: connection.clock.sleep,
        startTimer: () => () => {},
      },
    }),
    {
      store: {
        ...store,
        save: async (...args: Parameters<typeof store.save>) => {
          count += 1
          if (count === 3) {
            sleeping.resolve()
            await waking.promise
          }
          return store.save(...args)
        },
      },
    },
  )
  const first = sleepy.link.bulkImportAll('import', 'oura', recipes, {
    batchSize: 2,
    concurrency: 1,
  })
  await sleeping.promise
  const report = await run()
  waking.resolve()
  await expect(first).rejects.toMatchObject({ code: 'busy' })
  expect(report).toMatchObject({ accepted: 10 })
  expect(sent()).toBe(10)
})

it('reads any source, and compares the users of an array, but not their tokens', async () => {
  const { team, store, recipes, run, sent } = prepare()
  const boundaries = new Boundaries(12)
  const dying = durable(new ServiceClient(dyingConnection(team.connection(), boundaries)), {
    store: dyingStore(store, boundaries),
  })
  dying.link.bulkImportAll('import', 'oura', recipes, { batchSize: 2, concurrency: 1 })
  await boundaries.death
  const others = recipes.toReversed()
  await expect(run({}, others)).rejects.toMatchObject({ code: 'input_differs' })
  const newer = recipes.map((one) => ({ ...one, access_token: 'newer' }))
  const { accepted, unknown } = await run({}, newer)
  expect([accepted + unknown, sent()]).toEqual([10, 10])
})

it('imports from a generator once', async () => {
  const { recipes, run, sent } = prepare()
  function* read() {
    yield* recipes
  }
  expect(await run({}, read())).toMatchObject({ accepted: 10 })
  expect(await run({}, read())).toMatchObject({ accepted: 10 })
  expect(sent()).toBe(10)
})

it('joins checkpoints, and lets newer ones replace older ones', () => {
  const all = [
    [{ range: [0, 9], outcome: 'unknown' }],
    [{ range: [20, 29], outcome: 'unknown' }],
    [{ range: [0, 4], outcome: 'accepted' }],
    [{ range: [10, 19], outcome: 'unknown' }],
    [
      { range: [18, 20], outcome: 'accepted' },
      { range: [22, 23], outcome: 'unsent' },
    ],
  ] as const
  const joined = all.reduce<ReturnType<typeof addCheckpoints>>(addCheckpoints, [])
  expect(joined).toEqual([
    { range: [0, 4], outcome: 'accepted' },
    { range: [5, 17], outcome: 'unknown' },
    { range: [18, 20], outcome: 'accepted' },
    { range: [21, 21], outcome: 'unknown' },
    { range: [22, 23], outcome: 'unsent' },
    { range: [24, 29], outcome: 'unknown' },
  ])
})

it('adds checkpoints as if each recipe had its own outcome', () => {
  const outcomes = ['imported', 'failed', 'accepted', 'unknown', 'unsent'] as const
  const size = 30
  /** Ranges in ascending order; a recipe without an outcome is in none of them. */
  const rangesOf = (list: (RecipeOutcome | null)[]) =>
    list.flatMap((outcome, at): BulkImportCheckpoint[] =>
      outcome ? [{ range: [at, at], outcome }] : [],
    )
  const listSchema = fc.array(fc.option(fc.constantFrom(...outcomes)), { maxLength: size })
  fc.assert(
    fc.property(fc.array(listSchema, { maxLength: 6 }), (lists) => {
      const latest = lists.reduce<(RecipeOutcome | null)[]>(
        (before, list) => Array.from({ length: size }, (_, at) => list[at] ?? before[at] ?? null),
        [],
      )
      // Ranges are joined first, so that added ranges replace parts of several others.
      const batches = lists.map((list) => addCheckpoints([], rangesOf(list)))
      const found = batches.reduce<ReturnType<typeof addCheckpoints>>(addCheckpoints, [])
      expect(found).toEqual(addCheckpoints([], rangesOf(latest)))
    }),
  )
})

it('stores the outcomes of a batch in one statement', async () => {
  const { team, store, recipes } = prepare(12)
  let saves = 0
  const counting = {
    ...store,
    save: async (...[id, hold]: Parameters<typeof store.save>) => {
      if (hold.progress !== undefined) saves += 1
      return store.save(id, hold)
    },
  }
  const ids = recipes.map(({ user_id }) => user_id)
  const user_ids_imported = ids.filter((_, at) => at % 2 === 0)
  const user_ids_failed = ids.filter((_, at) => at % 2 === 1)
  const fetch = async () => Response.json({ user_ids_imported, user_ids_failed })
  const { link } = durable(new ServiceClient({ ...team.connection(), fetch }), { store: counting })
  const report = await link.bulkImportAll('import', 'oura', recipes, { waitForCompletion: true })
  expect(report).toMatchObject({ imported: 6, failed: 6 })
  expect(saves).toBe(2)
})

it('keeps the outcomes of a batch if the store fails for a moment', async () => {
  const { team, store, recipes, sent } = prepare(4)
  let failures = 0
  const failing = {
    ...store,
    save: async (...[id, hold]: Parameters<typeof store.save>) => {
      if (hold.progress?.includes('accepted') && failures < 3) {
        failures += 1
        throw new Error('down for a moment')
      }
      return store.save(id, hold)
    },
  }
  const { link, unresolved } = durable(new ServiceClient(team.connection()), { store: failing })
  expect(await link.bulkImportAll('import', 'oura', recipes)).toMatchObject({ accepted: 4 })
  expect([failures, await unresolved(), sent()]).toEqual([3, [], 4])
})

it.each([
  ['cannot be read', 'not-sent'],
  ['is refused', 'rejected'],
] as const)('is pending if the key %s after other batches', async (problem, outcome) => {
  const { team, store, recipes, sent } = prepare()
  let reads = 0
  const apiKey = () => {
    reads += 1
    if (reads <= 2) return team.apiKey
    if (problem === 'is refused') return 'another-key'
    throw new Error('vault down')
  }
  const { link } = durable(new ServiceClient({ ...team.connection(), apiKey }), {
    store,
    key: 'k'.repeat(20),
  })
  const options = { batchSize: 2, concurrency: 1 }
  await expect(link.bulkImportAll('import', 'oura', recipes, options)).rejects.toMatchObject({
    code: 'pending',
    cause: { outcome },
  })
  expect(sent()).toBe(4)
})

it.each([
  ['an invalid id', (ids: string[]) => ({ user_ids_imported: [], user_ids_failed: [...ids, 7] })],
  ['a missing list', (ids: string[]) => ({ user_ids_failed: ids })],
])('does not treat connections as accepted after a 200 with %s', async (_, bodyOf) => {
  const { team, store, recipes, start } = prepare(4)
  const fetch = async () => Response.json(bodyOf(recipes.map(({ user_id }) => user_id)))
  const { link } = durable(new ServiceClient({ ...team.connection(), fetch }), { store })
  const report = await link.bulkImportAll('import', 'oura', recipes, { waitForCompletion: true })
  expect(report).toMatchObject({ accepted: 0, unknown: 4 })
  expect(await start().unresolved()).toMatchObject([{ id: 'import', state: 'unresolved' }])
})
