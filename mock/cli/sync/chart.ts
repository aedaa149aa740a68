import { adaptDatabase, type PostgresDatabase, type SqlRow } from '../../../src/stores/database.ts'
import type { Sync } from '../../../src/sync/sync.ts'
import { CommandFailure } from '../options.ts'
import type { SyncFlags } from './flags.ts'

/** Fills the tables with a generated user's data: a new connection's history, and three days of live events. */
export async function fillDemo(sync: Sync): Promise<void> {
  const { Mock } = await import('../../mock.ts')
  const { eventHandler } = await import('../../../src/events/handler.ts')
  const secret = 'whsec_c3luYyBvZiBhIGdlbmVyYXRlZCB1c2Vy'
  const team = new Mock({ seed: 1 }).team()
  team.webhooks.add({ secret, handler: eventHandler({ secrets: secret, ...sync.listeners }) })
  team.users.create({ living: true })
  await team.clock.advance('3d')
  const { messages, rows } = sync.counts()
  process.stderr.write(
    `Stored ${rows.toLocaleString('en-US')} rows from ${messages} events of a generated user.\n`,
  )
}

const barWidth = 40

/** Returns a bar chart of rows with a label in the first column and a value in the second. */
export function formatChart(rows: readonly SqlRow[]): string {
  const points = rows.map((row) => {
    const [label, value] = Object.values(row)
    return { label: String(label), value: Number(value) }
  })
  // Use `reduce`, because a query may return more rows than `Math.max` accepts as arguments.
  const labelWidth = points.reduce((width, { label }) => Math.max(width, label.length), 0)
  const values = points.map(({ value }) => value).filter(Number.isFinite)
  const most = values.reduce((max, value) => Math.max(max, value), 0)
  return points
    .map(({ label, value }) => {
      const length = most > 0 && value > 0 ? Math.round((value / most) * barWidth) : 0
      return `${label.padEnd(labelWidth)} ${'█'.repeat(length).padEnd(barWidth)} ${value}\n`
    })
    .join('')
}

/**
 * Returns a chart of a query's result. The default query returns the mean hours of sleep on the latest nights.
 *
 * @throws {CommandFailure} when Postgres rejects the query.
 */
export async function readChart(
  database: PostgresDatabase,
  { chart, schema }: SyncFlags,
): Promise<string> {
  const nights = `select to_char(calendar_date, 'YYYY-MM-DD') as night, round((avg(total) / 3600)::numeric, 1)::float8 as hours
from "${schema}".best_sleep where calendar_date is not null group by 1 order by 1 desc limit 14`
  const isOwn = typeof chart === 'string'
  const { rows } = await adaptDatabase(database)
    .query(isOwn ? chart : `select * from (${nights}) as latest order by 1`)
    .catch((error: unknown) => {
      throw new CommandFailure(`Postgres rejected the --chart query: ${Object(error).message}.`)
    })
  if (rows.length === 0) return 'The query returned no rows.\n'
  return `${isOwn ? '' : 'Mean hours of sleep by night\n'}${formatChart(rows)}`
}
