import { createMock } from '../../../mock/index.ts'
import type { ScalingCase } from '../scaling-case.ts'
import { recipes, send, teamWithUsers } from './support.ts'

const path = '/v2/link/bulk_import'

/** Returns a team with queued imports. */
async function teamWithImports(size: number) {
  const team = createMock({ journalLimit: 10, clock: 'manual' }).team()
  const [{ user_id }] = [team.users.create({ info: null })]
  const body = { provider: 'oura', connections: recipes([user_id]), wait_for_completion: false }
  for (let at = 0; at < size; at += 1) await send(team, 'POST', path, body)
  return team
}

export const importCases: Record<string, ScalingCase> = {
  imports: {
    what: 'Imports: connections of one import',
    growth: 'linear',
    size: 64_000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size)
      const body = { provider: 'oura', connections: recipes(ids), wait_for_completion: false }
      return async () => {
        await send(team, 'POST', path, body)
        await team.clock.runToNext()
        return team
      }
    },
  },
  importsWithRows: {
    what: 'Imports: connections of users with added rows',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size)
      for (const user_id of ids) team.data.create({ user_id, resource: 'sleep' })
      const body = { provider: 'oura', connections: recipes(ids), wait_for_completion: false }
      return async () => {
        await send(team, 'POST', path, body)
        await team.clock.runToNext()
      }
    },
  },
  abortedImports: {
    what: 'Imports: abort queued imports, the oldest first',
    growth: 'linear',
    size: 4000,
    prepare: async (size) => {
      const team = await teamWithImports(size)
      const ids = team.bulkOps.list().map(({ id }) => id)
      return () => {
        for (const id of ids) team.bulkOps.abort(id)
      }
    },
  },
  manyImports: {
    what: 'Imports: run queued imports',
    growth: 'linear',
    size: 4000,
    prepare: async (size) => {
      const team = await teamWithImports(size)
      return () => team.clock.advance('1h')
    },
  },
}
