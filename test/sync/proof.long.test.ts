import { expect, it } from 'vitest'
import { prove } from '../../scripts/sync-proof/prove.ts'
import { hasPostgres, withoutPostgres } from '../support/programs/postgres.ts'

const plan = { users: 1, days: 1, kills: 2, seed: 5 }

it.skipIf(!hasPostgres)(
  `equals the truth after kills of two workers${hasPostgres ? '' : ` ${withoutPostgres}`}`,
  async () => {
    const { kills, rows, differences } = await prove({ ...plan, kind: 'postgres', workers: 2 })
    expect(differences).toEqual([])
    expect([kills, rows > 3_000]).toEqual([2, true])
  },
)

it('equals the truth after kills of a worker with PGlite', async () => {
  const { kills, rows, differences } = await prove({ ...plan, kind: 'pglite', workers: 1 })
  expect(differences).toEqual([])
  expect([kills, rows > 3_000]).toEqual([2, true])
})
