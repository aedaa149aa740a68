import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Pool } from 'pg'
import { createMock } from '../mock/index.ts'
import { bundleWorker } from '../scripts/bundle-worker.ts'
import type { ServiceEvent } from '../src/contract/events.ts'
import { adaptDatabase } from '../src/stores/database.ts'
import type { PostgresDatabase } from '../src/stores/index.ts'
import { rowsOfMessage } from '../src/sync/event-rows.ts'
import { createSync } from '../src/sync/index.ts'
import { list } from '../src/sync/schema/migrations.ts'
import { columnNames } from '../src/sync/schema/table-columns.ts'
import { hasPostgres, startPostgres } from '../test/support/programs/postgres.ts'
import { processMicroseconds } from './cpu-clock.ts'
import { atLeast, type Figure, megabytes } from './figure.ts'
import type { SyncTask } from './processes/sync-worker.ts'

/** The maximum number of parameters in a Postgres statement. */
const mostParameters = 65_535

/**
 * Measures how many rows per second sync stores in one process and in four. Compares one process with a batched insert
 * of the same rows.
 */
export default async function (isFull: boolean): Promise<Figure[]> {
  const lived = await livedMessages(isFull ? 6 : 1)
  const messages = isFull ? lived : lived.slice(0, 60)
  const figures = await measure('PGlite', await PGlite.create(), messages)
  if (!hasPostgres) return figures
  const { connection, stop } = await startPostgres()
  // Use one connection, because the CPU time includes its server process.
  const pool = new Pool({ ...connection, max: 1 })
  try {
    return [
      ...(await measure('Postgres', pool, messages)),
      ...figures,
      ...(await measureWorkers({ connection, messages, events: isFull ? 1_000_000 : 2_000 })),
    ]
  } finally {
    await pool.end()
    await stop()
  }
}

type Message = Parameters<typeof rowsOfMessage>[0]

function rowsOf(message: Message) {
  const { table, rows } = rowsOfMessage(message)
  return { table, rows: [...rows].filter((row) => row !== undefined) }
}

async function livedMessages(users: number): Promise<Message[]> {
  const team = createMock().team()
  for (let count = 0; count < users; count += 1) team.users.create({ living: true })
  await team.clock.advance('2d')
  const sentAt = new Date().toISOString()
  return team.events.list().map(({ id, body }) => {
    // The mock's events have the same shape as the service's.
    return { id, event: JSON.parse(JSON.stringify(body)) as ServiceEvent, sentAt }
  })
}

async function measure(
  name: string,
  database: PostgresDatabase,
  messages: readonly Message[],
): Promise<Figure[]> {
  const count = messages.reduce((sum, message) => sum + rowsOf(message).rows.length, 0)
  const pid = await serverProcess(database)
  const best = { bare: [0, 0] as Rates, sync: [0, 0] as Rates }
  for (const round of [1, 2, 3]) {
    const prepared = {
      bare: await insertBare(database, `bare_${round}`, messages),
      sync: await storeAll(database, `sync_${round}`, messages),
    }
    for (const name of ['bare', 'sync'] as const) {
      const [time, cpu] = await timesOf(prepared[name], pid)
      const [byTime, byCpu] = best[name]
      best[name] = [Math.max(byTime, count / time), Math.max(byCpu, count / cpu)]
    }
  }
  const found = (rate: number) => `${Math.round(rate).toLocaleString('en-US')} rows/s`
  return [
    {
      what: `${name}: batched \`insert … on conflict\` of the same rows`,
      found: found(best.bare[0]),
    },
    { what: `${name}: messages through \`sync.listeners\``, found: found(best.sync[0]) },
    {
      what: `${name}: speed of \`sync.listeners\` / batched insert`,
      found: (best.sync[0] / best.bare[0]).toFixed(2),
    },
    // Other programs on the machine do not affect this ratio.
    atLeast(`${name}: ratio by CPU time of client and server`, best.sync[1] / best.bare[1], 0.7),
  ]
}

/** Rows per second, and rows per second of CPU time. */
type Rates = [byTime: number, byCpu: number]

/** Returns the process id of the server's only connection, or undefined if the server runs on another machine. */
async function serverProcess(database: PostgresDatabase): Promise<number | undefined> {
  const { rows } = await adaptDatabase(database).query('select pg_backend_pid() as pid')
  const pid = Number(rows[0]?.['pid'])
  return !(database instanceof PGlite) && existsSync(`/proc/${pid}/stat`) ? pid : undefined
}

/** Includes this process and the server. */
function cpuSeconds(pid: number | undefined): number {
  const own = processMicroseconds() / 1e6
  if (pid === undefined) return own
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // These fields are in hundredths of a second.
  return own + (Number(fields[11]) + Number(fields[12])) / 100
}

async function timesOf(run: () => Promise<unknown>, pid: number | undefined): Promise<Rates> {
  const [started, before] = [performance.now(), cpuSeconds(pid)]
  await run()
  return [(performance.now() - started) / 1000, cpuSeconds(pid) - before]
}

async function measureWorkers(plan: {
  connection: SyncTask['connection']
  messages: readonly Message[]
  events: number
}): Promise<Figure[]> {
  const { connection, messages, events } = plan
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'))
  const file = join(folder, 'messages.json')
  writeFileSync(file, JSON.stringify(messages))
  // Bundle the worker as in a deployment, because Node needs more memory to read TypeScript.
  const program = join(folder, 'worker.js')
  await bundleWorker('bench/processes/sync-worker.ts', program)
  const seconds = async (workers: number) => {
    const schema = `workers_${workers}`
    await migrateSchema(connection, schema)
    const task = { connection, schema, file, parts: workers, events: 0 }
    return (
      await runWorkers(
        program,
        Array.from({ length: workers }, (_, part) => ({ ...task, part })),
      )
    ).seconds
  }
  const [one, four] = [await seconds(1), await seconds(4)]
  await migrateSchema(connection, 'many')
  // Use few messages, to keep their memory out of the measurement.
  writeFileSync(file, JSON.stringify(messages.slice(0, 50)))
  const many = await runWorkers(program, [
    { connection, schema: 'many', file, part: 0, parts: 1, events },
  ])
  rmSync(folder, { recursive: true })
  return [
    atLeast('Postgres: four worker processes compared with one', one / four, 1.6),
    megabytes(`Resident memory for ${events.toLocaleString('en-US')} events`, many.megabytes, 150),
  ]
}

async function migrateSchema(connection: object, schema: string): Promise<void> {
  const pool = new Pool(connection)
  await createSync({ database: pool, schema }).migrate()
  await pool.end()
}

/** Limits the young objects of V8 to 24 MB (three spaces). Without this, they take up to 120 MB more. */
const execArgv = ['--max-semi-space-size=8']

/** Returns the time until the last worker ends, and the maximum memory. */
async function runWorkers(program: string, tasks: readonly SyncTask[]) {
  const children = tasks.map(
    (task): ChildProcess => fork(program, [JSON.stringify(task)], { execArgv }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const started = performance.now()
  const ended = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('start')
  const sizes = (await Promise.all(ended)).map(([size]) => Number(size))
  return { seconds: (performance.now() - started) / 1000, megabytes: Math.max(...sizes) }
}

async function storeAll(database: PostgresDatabase, schema: string, messages: readonly Message[]) {
  const { migrate, listeners } = createSync({ database, schema })
  await migrate()
  return async () => {
    for (const { id, event, sentAt } of messages) {
      const message = { id, timestamp: new Date(sentAt) }
      await listeners.dedupe.handle(id, (tx) => listeners.transaction(tx, event, message))
    }
  }
}

/** Inserts the rows of each message with one statement in a transaction, without sync's rules. */
async function insertBare(
  database: PostgresDatabase,
  schema: string,
  messages: readonly Message[],
) {
  await createSync({ database, schema }).migrate()
  const batches = messages.map(rowsOf).filter(({ rows }) => rows.length > 0)
  return async () => {
    const adapted = adaptDatabase(database)
    for (const { table, rows } of batches) {
      const names = columnNames(table)
      const size = Math.floor(mostParameters / names.length)
      const unique = [
        ...new Map(rows.map((row) => [table.key.map((key) => row[key]).join(), row])).values(),
      ]
      const changes = names.map((name) => `"${name}" = excluded."${name}"`)
      await adapted.transaction(async (tx) => {
        for (let start = 0; start < unique.length; start += size) {
          const part = unique.slice(start, start + size)
          const values = part.flatMap((row) => names.map((name) => toParameter(row[name])))
          const places = part.map(
            (_, at) =>
              `(${names.map((_, column) => `$${at * names.length + column + 1}`).join(', ')})`,
          )
          await tx.query(
            `insert into "${schema}".${table.name} (${list(names)}) values ${places.join(', ')}
on conflict (${list(table.key)}) do update set ${changes.join(', ')}`,
            values,
          )
        }
      })
    }
  }
}

function toParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
