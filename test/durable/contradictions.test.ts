import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/durable/index.ts'
import type { WriteStore } from '../../src/stores/index.ts'
import { insuranceBody, recipe } from '../support/bodies.ts'
import { prepare } from './setup.ts'

describe('two contradictory decisions at the same time', () => {
  const insurance = { member_id: 'M-1' } as Decision
  const report = { ranges: {} } as Decision

  /** Resolves a write twice. The second call reads the write at the same time, and continues after the first. */
  async function resolveTwice(
    { store, start }: ReturnType<typeof prepare>,
    [first, second]: readonly [Decision, Decision],
  ) {
    const { promise: isFirstDone, resolve: endFirst } = Promise.withResolvers<void>()
    const read: WriteStore['read'] = async (id) => {
      const write = await store.read(id)
      await isFirstDone
      return write
    }
    const late = start({ store: { ...store, read } }).resolve('one', second)
    await start().resolve('one', first)
    endFirst()
    return late
  }

  it.each([
    ['insurance.create', 'had-no-effect', insurance],
    ['insurance.create', insurance, 'had-no-effect'],
    ['link.bulkImportAll', 'had-no-effect', report],
    ['link.bulkImportAll', report, 'had-no-effect'],
  ] as const)('keeps only the first (%s: %j, %j)', async (operation, first, second) => {
    const decisions = [first, second] as const
    const setup = prepare()
    const { team, store, start, user_id } = setup
    team.faults.add({ on: '*', then: { status: 500 } })
    const writes = start()
    if (operation === 'insurance.create') {
      await writes.insurance.create('one', user_id, insuranceBody()).catch(() => {})
    } else await writes.link.bulkImportAll('one', 'oura', [recipe(user_id)])
    expect(await start().unresolved()).toMatchObject([{ state: 'unresolved' }])
    await expect(resolveTwice(setup, decisions)).rejects.toMatchObject({
      code:
        decisions[0] === 'had-no-effect' && operation !== 'insurance.create' ? 'busy' : 'not_open',
    })
    const hadEffect = decisions[0] !== 'had-no-effect'
    const isDone = (await store.read('one'))?.state === 'done'
    expect(isDone).toBe(hadEffect)
  })

  it('ends one of two calls with an error', async () => {
    const { team, start, user_id } = prepare()
    team.faults.add({ on: 'insurance.create', then: { status: 500 } })
    await start()
      .insurance.create('one', user_id, insuranceBody())
      .catch(() => {})
    const decisions = ['had-no-effect', insurance] as const
    const ends = await Promise.allSettled(decisions.map((one) => start().resolve('one', one)))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})
