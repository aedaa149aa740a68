import { parseArgs } from 'node:util'
import { hasPostgres } from '../../test/support/programs/postgres.ts'
import { placeKinds } from './place.ts'
import { prove } from './prove.ts'

/**
 * Simulates users while receivers are killed, and compares the tables with `team.truth`: `npm run lab sync-proof`, or
 * `npm run lab sync-proof -- --users 5 --days 3 --kills 20 --store postgres`. Exits with 1 after a difference.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '200' },
    days: { type: 'string', default: '30' },
    kills: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
  },
})

for (const kind of placeKinds) {
  if (values.store !== undefined && values.store !== kind) continue
  if (kind === 'postgres' && !hasPostgres) {
    console.error('postgres is skipped: its server is not installed.')
    continue
  }
  const started = performance.now()
  const report = await prove({
    kind,
    ...{ users: Number(values.users), days: Number(values.days), kills: Number(values.kills) },
    // Only one process can use a PGlite folder.
    workers: kind === 'pglite' ? 1 : Number(values.workers),
    seed: Number(values.seed),
    onDay: (day, kills) => console.error(`${kind}: day ${day}, ${kills} kills`),
  })
  const { deliveries, kills, rows, differences } = report
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(
    `${kind}: ${deliveries} deliveries, ${kills} kills, ${rows} rows, ${differences.length} differences, ${seconds} s`,
  )
  for (const [text, all] of Map.groupBy(differences, String))
    console.error(`${all.length} x ${text}`)
  if (differences.length > 0) process.exitCode = 1
}
