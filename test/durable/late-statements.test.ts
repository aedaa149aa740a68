import { expect, it } from 'vitest'
import { createMock, type Fault } from '../../mock/index.ts'
import { durable } from '../../src/durable/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { recipe } from '../support/bodies.ts'
import { prepare } from './setup.ts'

/** A store whose first save of an outcome fails, and runs only after three later saves of progress. */
function lateStore() {
  const store = memoryStore()
  let runLate: (() => Promise<boolean>) | undefined
  let later = 0
  return {
    ...store,
    async save(...[id, hold]: Parameters<typeof store.save>) {
      if (runLate === undefined && hold.progress?.includes('accepted')) {
        runLate = () => store.save(id, hold)
        throw new Error('query_timeout')
      }
      const isHeld = await store.save(id, hold)
      if (runLate && hold.progress !== undefined) later += 1
      if (runLate && later === 3) await runLate()
      return isHeld
    },
  }
}

it('imports nothing twice when a statement of the store runs late', async () => {
  const team = createMock().team()
  const recipes = Array.from({ length: 10 }, () => recipe(team.users.create().user_id))
  const { link } = durable(new ServiceClient(team.connection()), { store: lateStore() })
  const options = { batchSize: 2, concurrency: 1 }
  async function* endsEarly() {
    yield* recipes.slice(0, 4)
    throw new Error('the source failed')
  }
  await expect(link.bulkImportAll('import', 'oura', endsEarly(), options)).rejects.toThrow(
    'the source failed',
  )
  const report = await link.bulkImportAll('import', 'oura', recipes.values(), options)
  expect(report).toMatchObject({ sent: 10, accepted: 10 })
  expect(team.bulkOps.list().reduce((sum, { total }) => sum + total, 0)).toBe(10)
})

const statements = ['begin', 'save', 'end'] as const
it.each(statements)('imports nothing twice when %s of resolve runs late', async (name) => {
  const team = createMock().team()
  const recipes = Array.from({ length: 6 }, () => recipe(team.users.create().user_id))
  const store = memoryStore()
  let isResolving = false
  let runLate = async (): Promise<unknown> => undefined
  const slow = async (...args: never[]) => {
    const run = () => (store[name] as (...args: never[]) => Promise<unknown>)(...args)
    if (!isResolving) return run()
    runLate = run
    throw new Error('query_timeout')
  }
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  const writes = durable(client, { store: { ...store, [name]: slow } })
  const options = { batchSize: 2, concurrency: 1 }
  const run = () => writes.link.bulkImportAll('import', 'oura', recipes, options)
  const fail = (nth: number, then: Fault['then']) =>
    team.faults.add({ on: 'link.bulkImport', when: { nth }, then })
  fail(1, 'cut_before_response')
  fail(2, { status: 403 })
  await expect(run()).rejects.toMatchObject({ code: 'pending' })
  isResolving = true
  await writes.resolve('import', 'had-no-effect').catch(() => {})
  isResolving = false
  // The person tries again.
  await team.clock.advance('2m')
  await writes.resolve('import', 'had-no-effect')
  fail(3, { status: 403 })
  await expect(run()).rejects.toMatchObject({ code: 'pending' })
  await runLate()
  expect(await run()).toMatchObject({ accepted: 6, unknown: 0 })
  expect(team.bulkOps.list().reduce((sum, { total }) => sum + total, 0)).toBe(6)
})

it('orders nothing twice when a statement of resolve runs late', async () => {
  const { team, store, start, order } = prepare()
  let isResolving = false
  let runLate = async (): Promise<unknown> => undefined
  const end: typeof store.end = async (write) => {
    const run = () => store.end(write)
    if (!isResolving) return run()
    runLate = run
    throw new Error('query_timeout')
  }
  const writes = start({ store: { ...store, end } }, { maxRetries: 0 })
  const create = () => writes.orders.create('basket', order)
  team.faults.add({ on: 'orders.create', when: { nth: 1 }, then: 'cut_before_response' })
  team.faults.add({ on: 'orders.create', when: { nth: 2 }, then: 'lose_response' })
  await expect(create()).rejects.toMatchObject({ outcome: 'unknown' })
  isResolving = true
  const decision = writes.resolve('basket', 'had-no-effect')
  await expect(decision).rejects.toMatchObject({ code: 'store_failed' })
  isResolving = false
  await expect(create()).rejects.toMatchObject({ outcome: 'unknown' })
  await runLate()
  await create()
  expect(team.orders.list()).toHaveLength(1)
})
