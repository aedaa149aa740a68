import { setTimeout as sleep } from 'node:timers/promises'
import { createMock } from '../../mock/index.ts'
import { certify } from '../../src/certify/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { adaptDatabase } from '../../src/stores/database.ts'
import type { PostgresDatabase } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { secret } from '../../test/support/signed.ts'
import { syncedRows } from '../../test/support/synced.ts'

/** The old and the new secret of a rotation. */
const secrets = [secret, 'whsec_c2VjcmV0LW9mLWEtcm90YXRpb24tMzItYnl0ZXMhISE=']

/** Returns the failed and the skipped cases. */
export async function certifySync(subject: PostgresDatabase) {
  const schema = `certified_${process.pid}`
  const sync = createSync({ database: subject, schema })
  await sync.migrate()
  const simulated = { failures: 0, delay: 0 }
  const receive = eventHandler({
    secrets,
    ...sync.listeners,
    async transaction(tx, event, message) {
      await sync.listeners.transaction(tx, event, message)
      const { delay } = simulated
      simulated.delay = 0
      if (delay > 0) await sleep(delay)
      if (simulated.failures === 0) return
      simulated.failures -= 1
      throw new Error('The database is down.')
    },
  })
  const database = adaptDatabase(subject)
  const report = await certify({
    ...{ handler: receive, secret: secrets, timeout: 5000, settleTime: 0 },
    team: createMock({ seed: 7, living: true }).team(),
    probe: async ({ user_id }) => {
      const rows = await syncedRows(subject, schema, user_id)
      const records = rows.map((row) => ({ ...row, provider: Object(row['source']).provider }))
      const handled = await database.query(`select id from "${schema}".messages where token = ''`)
      return { records, handled: handled.rows.map(({ id }) => String(id)) }
    },
    simulate: {
      failure: () => {
        simulated.failures += 1
      },
      delay: (milliseconds) => {
        simulated.delay = milliseconds
      },
    },
  })
  const idsOf = (wanted: string) =>
    report.results
      .filter(({ outcome }) => outcome === wanted)
      .map(({ id, reason }) => `${id}: ${reason}`)
  return { failed: idsOf('failed'), skipped: idsOf('skipped') }
}
