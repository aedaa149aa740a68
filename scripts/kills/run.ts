import { parseArgs } from 'node:util'
import { buildWorker, type KillReport, kill } from './kill.ts'
import { startServer } from './servers.ts'
import { storeKinds } from './task.ts'

/**
 * Kills processes with SIGKILL around durable writes, at statement boundaries and at random moments, and checks that
 * nothing exists twice or is missing: `npm run lab kills`, or `npm run lab kills -- --kills 20 --store redis --seed 7`.
 * With `--minutes 30`, the kills of each store stop after that time. Exits with 1 after a problem.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
  },
})

const kills = Number(values.kills)
const seed = Number(values.seed)
const isBounded = kills < 50

/** Returns a share of the kills, with one import per hundred kills. */
function planOf(shares: number) {
  const share = Math.ceil(kills / shares)
  const imports = Math.max(1, Math.ceil(share / 100))
  return { kills: share, imports, recipes: isBounded ? 500 : 5_000 }
}

await buildWorker()
const names = { postgres: 'Postgres', redis: 'Redis', pglite: 'PGlite' }
const cells = ['Store', 'Processes', 'Kills at a boundary', 'Kills at random moments', 'Writes']
const rows = [[...cells, 'Imports among them', 'Requests', 'Unresolved', 'Duplicated or missing']]
for (const kind of storeKinds) {
  if (values.store !== undefined && values.store !== kind) continue
  const server = await startServer(kind)
  if (!server) {
    console.error(`${names[kind]} is skipped: its server is not installed.`)
    continue
  }
  const { places, processes } = server
  const end = performance.now() + Number(values.minutes) * 60_000
  try {
    const reports = await Promise.all(
      places.map((place, at) =>
        kill({ ...planOf(places.length), place, processes, end, seed: seed + at }),
      ),
    )
    rows.push(rowOf([names[kind], places.length * processes], reports))
    const problems = reports.flatMap(({ problems }) => problems)
    for (const problem of problems.slice(0, 50)) console.error(`PROBLEM: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
const [head = [], ...body] = rows
for (const row of [head, head.map(() => '---'), ...body]) console.log(`| ${row.join(' | ')} |`)

function rowOf(
  [name, processes]: [name: string, processes: number],
  reports: KillReport[],
): string[] {
  const sum = (figure: (report: KillReport) => number) =>
    reports.reduce((total, report) => total + figure(report), 0)
  const figures = [
    processes,
    sum(({ kills }) => kills.boundary),
    sum(({ kills }) => kills.random),
    sum(({ writes }) => writes),
    sum(({ imports }) => imports),
    sum(({ requests }) => requests),
    sum(({ unresolved }) => unresolved),
    sum(({ problems }) => problems.length),
  ]
  return [name, ...figures.map((figure) => figure.toLocaleString('en-US'))]
}
