import { expect, it } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { userId } from '../../../support/bodies.ts'
import { call } from '../../../support/call.ts'

const recipe = {
  access_token: 'a',
  refresh_token: 'r',
  provider_id: 'p',
  expires_at: 2_147_483_647,
}

/** Lets the event loop take one turn. */
const turn = () => new Promise(setImmediate)

/** Returns in which order a task and a number of turns of the event loop end. */
async function orderOf(task: Promise<unknown>, turns: number): Promise<string[]> {
  const ended: string[] = []
  const done = task.then(() => ended.push('task'))
  for (let count = 0; count < turns; count += 1) {
    await turn()
    ended.push('turn')
  }
  await done
  return ended
}

it('lets other tasks run while time moves over many due events', async () => {
  const team = createMock().team({ clock: 'manual', importTimePerConnection: '1s' })
  const { user_id } = team.users.create()
  const connections = [{ ...recipe, user_id }]
  for (let count = 0; count < 500; count += 1) {
    await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  }
  expect(team.clock.pending()).toHaveLength(500)
  expect(await orderOf(team.clock.advance('1d'), 3)).toEqual([...Array(3).fill('turn'), 'task'])
  expect(team.clock.pending()).toEqual([])
})

it('lets other tasks run while a long import ends', async () => {
  const team = createMock().team({ clock: 'manual', importTimePerConnection: '1s' })
  const { user_id } = team.users.create()
  const connections = Array.from({ length: 10_000 }, () => ({ ...recipe, user_id }))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  expect(await orderOf(team.clock.advance('1d'), 3)).toEqual([...Array(3).fill('turn'), 'task'])
  expect(team.bulkOps.list()).toMatchObject([{ status: 'success', processed: 10_000 }])
})

it('lets other tasks run while the health data of a year is generated', async () => {
  const team = createMock().team()
  const path = `/v2/summary/activity/${userId}?start_date=2024-06-02&end_date=2025-06-01`
  await call(team, 'GET /v2/providers')
  expect(await orderOf(call(team, `GET ${path}`), 10)).toEqual([...Array(10).fill('turn'), 'task'])
})
