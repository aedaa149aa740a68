import { parseArgs } from 'node:util'
import { type KillReport, kill } from './kill.ts'
import { startServer } from './servers.ts'
import { storeKinds } from './task.ts'

/**
 * Kills processes with SIGKILL around durable writes, at statement boundaries and at random moments, and checks that nothing
 * exists twice or is missing: `npm run lab kills`, or `npm run lab kills -- --kills 20 --store redis --seed 7`. Exits with 1
 * after a problem.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
  },
})

const kills = Number(values.kills)
const isBounded = kills < 50
const plan = {
  kills,
  seed: Number(values.seed),
  imports: Math.max(1, Math.ceil(kills / 100)),
  recipes: isBounded ? 500 : 5_000,
}

const names = { postgres: 'Postgres', redis: 'Redis', pglite: 'PGlite' }
const cells = ['Store', 'Processes', 'Kills at a boundary', 'Kills at random moments', 'Writes']
const rows = [[...cells, 'Of them imports', 'Requests', 'Unresolved', 'Twice or missing']]
for (const kind of storeKinds) {
  if (values.store !== undefined && values.store !== kind) continue
  const server = await startServer(kind)
  if (!server) {
    console.error(`${names[kind]} is skipped: its server is not installed.`)
    continue
  }
  try {
    const report = await kill(server, plan)
    rows.push(rowOf(names[kind], report))
    for (const problem of report.problems.slice(0, 50)) console.error(`PROBLEM: ${problem}`)
    if (report.problems.length > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
const [head = [], ...body] = rows
for (const row of [head, head.map(() => '---'), ...body]) console.log(`| ${row.join(' | ')} |`)

function rowOf(name: string, report: KillReport): string[] {
  const { processes, kills, writes, requests, unresolved, problems } = report
  const all = [...writes.values()].reduce((sum, count) => sum + count, 0)
  const figures = [processes, kills.boundary, kills.random, all, writes.get('import') ?? 0]
  return [
    name,
    ...[...figures, requests, unresolved, problems.length].map((figure) =>
      figure.toLocaleString('en-US'),
    ),
  ]
}
