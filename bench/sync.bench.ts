import { PGlite } from '@electric-sql/pglite'
import { Pool } from 'pg'
import { createMock } from '../mock/index.ts'
import type { ServiceEvent } from '../src/contract/events.ts'
import { adaptDatabase } from '../src/stores/database.ts'
import type { PostgresDatabase } from '../src/stores/index.ts'
import { rowsOfMessage } from '../src/sync/event-rows.ts'
import { createSync } from '../src/sync/index.ts'
import { list } from '../src/sync/migrations.ts'
import { columnNames } from '../src/sync/table-columns.ts'
import { hasPostgres, startPostgres } from '../test/support/postgres.ts'
import { atLeast, type Figure } from './figure.ts'

/** The most parameters of one statement of Postgres. */
const mostParameters = 65_535

/** The rows per second that sync stores in one process, compared with a batched insert of the same rows. */
export default async function (isBounded: boolean): Promise<Figure[]> {
  const messages = await livedMessages(isBounded ? 1 : 6)
  const figures = await measure(
    'PGlite',
    await PGlite.create(),
    isBounded ? messages.slice(0, 40) : messages,
  )
  if (!hasPostgres) return figures
  const { connection, stop } = await startPostgres()
  const pool = new Pool(connection)
  try {
    return [...(await measure('Postgres', pool, messages)), ...figures]
  } finally {
    await pool.end()
    await stop()
  }
}

type Message = Parameters<typeof rowsOfMessage>[0]

/** The messages of living users over two days. */
async function livedMessages(users: number): Promise<Message[]> {
  const team = createMock().team()
  for (let count = 0; count < users; count += 1) team.users.create({ living: true })
  await team.clock.advance('2d')
  const sentAt = new Date().toISOString()
  return team.events.list().map(({ id, body }) => {
    // The events of the mock have the shape of the service's.
    return { id, event: JSON.parse(JSON.stringify(body)) as ServiceEvent, sentAt }
  })
}

async function measure(
  name: string,
  database: PostgresDatabase,
  messages: readonly Message[],
): Promise<Figure[]> {
  const count = messages.reduce((sum, message) => sum + rowsOfMessage(message).rows.length, 0)
  const rates = { bare: 0, sync: 0 }
  for (const round of [1, 2, 3]) {
    const bare = await timeOf(() => insertBare(database, `bare_${round}`, messages))
    const stored = await timeOf(() => storeAll(database, `sync_${round}`, messages))
    rates.bare = Math.max(rates.bare, count / bare)
    rates.sync = Math.max(rates.sync, count / stored)
  }
  const found = (rate: number) => `${Math.round(rate).toLocaleString('en-US')} rows/s`
  return [
    {
      what: `${name}: batched \`insert … on conflict\` of the same rows`,
      found: found(rates.bare),
    },
    { what: `${name}: messages through \`sync.listeners\``, found: found(rates.sync) },
    atLeast(`${name}: the second compared with the first`, rates.sync / rates.bare, 0.7),
  ]
}

/** Returns the seconds of what the promise of a prepared function takes. */
async function timeOf(prepare: () => Promise<() => Promise<unknown>>): Promise<number> {
  const run = await prepare()
  const started = performance.now()
  await run()
  return (performance.now() - started) / 1000
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

/** Inserts the rows of each message with one statement, in a transaction, without any rule. */
async function insertBare(
  database: PostgresDatabase,
  schema: string,
  messages: readonly Message[],
) {
  await createSync({ database, schema }).migrate()
  const batches = messages.map(rowsOfMessage).filter(({ rows }) => rows.length > 0)
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
