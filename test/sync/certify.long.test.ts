import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { certifySync } from '../../scripts/sync-proof/certify.ts'
import { certify } from '../../src/certify/index.ts'
import { readyOf, useCommand } from '../support/programs/command.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { secret } from '../support/signed.ts'
import { useServers } from '../support/stores.ts'

const { start } = useCommand()
const { databases } = useServers()
const [pglite, pool] = databases

it.for([pglite, pool])('passes certify with $name', async (subject, { skip }) => {
  if (!subject?.isThere) return skip()
  expect(await certifySync(subject.db())).toEqual({ failed: [], skipped: [] })
})

it.skipIf(!hasPostgres)(
  `passes certify as a command${hasPostgres ? '' : ` ${withoutPostgres}`}`,
  async () => {
    const { connection, stop } = await startPostgres()
    try {
      const database = `postgres://postgres@localhost/postgres?host=${connection.host}`
      const flags = ['--secret', secret, '--port', '0', '--json', '--probe']
      const { url } = await readyOf(start('sync', ...flags, '--database', database))
      const report = await certify({
        ...{ url: `${url}/events`, secret, timeout: 60_000, settleTime: 0 },
        team: createMock({ seed: 7, living: true }).team(),
        probe: async ({ user_id }) => (await fetch(`${url}/records?user_id=${user_id}`)).json(),
      })
      const failed = report.results.filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
      expect(report.passed).toBeGreaterThan(40)
    } finally {
      await stop()
    }
  },
)
