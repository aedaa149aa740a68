import type { ScalingCase } from '../scaling-case.ts'
import { recipes, send, teamWithUsers } from './support.ts'

const path = '/v2/link/bulk_import'

/** Queues the imports without requests. */
function teamWithImports(size: number) {
  const { team, ids } = teamWithUsers(1, { clock: 'manual' })
  for (let at = 0; at < size; at += 1) team.state.imports.submit('oura', recipes(ids))
  return team
}

export const importCases: Record<string, ScalingCase> = {
  imports: {
    what: 'Imports: connections in one import',
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
    what: 'Imports: connections of users with added data rows',
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
    what: 'Imports: abort queued imports, oldest first',
    growth: 'lookup',
    size: 64_000,
    prepare: (size) => {
      const team = teamWithImports(size)
      const ids = team.bulkOps.list().map(({ id }) => id)
      return () => {
        for (const id of ids) team.bulkOps.abort(id)
      }
    },
  },
  manyImports: {
    what: 'Imports: run queued imports',
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const team = teamWithImports(size)
      return () => team.clock.advance('1h')
    },
  },
}
