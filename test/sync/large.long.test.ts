import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMock, explainDifference } from '../../mock/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { dateTrunc, mean, past, query, ServiceClient } from '../../src/index.ts'
import { tables } from '../../src/parquet/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { secret } from '../support/signed.ts'
import { syncedRows } from '../support/synced.ts'

/** The blocks of SQL of the page, in order. */
const [partitions = '', dropMonth = '', publication = '', subscription = ''] = readFileSync(
  'docs/guides/sync-large.md',
  'utf8',
)
  .split('```sql\n')
  .slice(1)
  .map((part) => part.split('```')[0] ?? '')

describe.skipIf(!hasPostgres)(
  `the page about large installations${hasPostgres ? '' : ` ${withoutPostgres}`}`,
  () => {
    let source: Awaited<ReturnType<typeof startPostgres>>
    let pool: Pool
    beforeAll(async () => {
      source = await startPostgres(['wal_level=logical'])
      pool = new Pool(source.connection)
    })
    afterAll(async () => {
      await pool.end()
      await source.stop()
    })

    it('partitions the samples and replicates the records to a warehouse', async () => {
      const sync = createSync({ database: pool })
      await sync.migrate()
      const team = createMock({ seed: 3 }).team()
      const handler = eventHandler({ secrets: secret, ...sync.listeners })
      team.webhooks.add({ secret, handler, duplicates: 0.1 })
      const { user_id } = team.users.create({ living: true })
      await team.clock.advance('12h')
      const before = (await syncedRows(pool, 'health')).length
      await pool.query(partitions)
      await sync.migrate()
      expect((await syncedRows(pool, 'health')).length).toBe(before)
      await team.clock.advance('12h')
      const rows = await syncedRows(pool, 'health')
      expect(explainDifference(team, rows)?.message).toBeUndefined()
      const counts = await pool.query(
        `select tableoid::regclass::text as name from health.samples group by 1 order by 1`,
      )
      expect(counts.rows.map(({ name }) => name)).toContain('health.samples_2025_06')
      const { rows: viewed } = await pool.query(
        'select count(*)::int > 0 as some from health.samples_heartrate',
      )
      expect(viewed).toEqual([{ some: true }])

      const warehouse = await startPostgres()
      const other = new Pool(warehouse.connection)
      try {
        await createSync({ database: other }).migrate()
        await pool.query(publication)
        await other.query(subscription.replace('db.example.com', source.connection.host))
        const count =
          'select (select count(*)::int from health.samples) as samples, (select count(*)::int from health.sleep) as nights'
        const isCurrent = async () => {
          const [here, there] = await Promise.all([pool.query(count), other.query(count)])
          expect(there.rows).toEqual(here.rows)
        }
        await vi.waitFor(isCurrent, { timeout: 120_000 })
        await pool.query(dropMonth)
        const { left } = await sync.forget(user_id)
        expect(left).toBe(0)
        await vi.waitFor(
          async () => {
            const { rows } = await other.query('select count(*)::int as count from health.sleep')
            expect(rows).toEqual([{ count: 0 }])
          },
          { timeout: 120_000 },
        )
        await other.query('drop subscription health_records')
      } finally {
        await other.end()
        await warehouse.stop()
      }
    })

    it('copies a Parquet result with psql', async () => {
      const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
      const client = new ServiceClient(team.connection())
      const { user_id } = team.users.create({ living: true })
      const request = {
        timeframe: past(4, 'week', '2025-06-01'),
        queries: [query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 1, 'day'))],
      }
      let lines = ''
      for await (const table of tables(await client.aggregate.queryParquet(user_id, request))) {
        for await (const { index, mean } of table.rows()) {
          lines += `${user_id},${index},${mean ?? ''}\n`
        }
      }
      await pool.query(
        'create table sleep_scores (user_id uuid, night timestamp, score float8, primary key (user_id, night))',
      )
      for (let round = 0; round < 2; round += 1) await psql(source.connection.host, lines)
      const { rows } = await pool.query('select count(*)::int as count from sleep_scores')
      expect(rows).toEqual([{ count: lines.split('\n').length - 1 }])
      expect(rows[0]?.count).toBeGreaterThan(3)
    })
  },
)

async function psql(host: string, lines: string): Promise<void> {
  const page = readFileSync('docs/guides/sync-large.md', 'utf8')
  const commands = [...page.matchAll(/-c '([^']*)'/g)].flatMap(([, command = '']) => [
    '-c',
    command,
  ])
  const child = spawn('psql', ['-h', host, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', ...commands])
  child.stdin.end(lines)
  const closed = new Promise((resolve) => child.once('close', resolve))
  const failure = await text(child.stderr)
  expect([await closed, failure]).toEqual([0, ''])
}
