import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ServiceClient } from '../../../src/client/client.ts'
import { environment } from '../../../src/contract/wire.ts'
import { nodeEventHandler } from '../../../src/events/node.ts'
import { keysOf } from '../../../src/shared/narrow.ts'
import type { SyncCounts } from '../../../src/sync/store-message.ts'
import { createSync, type Sync } from '../../../src/sync/sync.ts'
import { closeServer } from '../../server/listen.ts'
import { readHead } from '../../server/socket.ts'
import { CommandFailure } from '../options.ts'
import { stopSignal } from '../serving/signals.ts'
import { fill, usersOfFile } from './backfill.ts'
import { fillDemo, readChart } from './chart.ts'
import type { SyncFlags } from './flags.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { readStored } from './probe.ts'

const eventsPath = '/events'

/**
 * How long to wait for in-flight requests at shutdown, in milliseconds. A client may never finish one.
 */
const gracePeriod = 5000

/** The time limit for shutdown, in milliseconds. Postgres may never respond. */
const longestStop = 10_000

/**
 * Prints the SQL or a chart if a flag requests it. Without such a flag, serves until a signal arrives, and then lets
 * in-flight requests finish.
 *
 * @throws {CommandFailure} when a flag is missing or invalid, the database cannot be opened, or the server cannot
 *   listen.
 */
export async function syncUntilStopped(flags: SyncFlags): Promise<void> {
  if (flags.sql) return printSql(flags)
  if (flags.demo || flags.chart !== undefined) return printChart(flags)
  const secrets = [flags.secret ?? []].flat().filter((secret) => secret !== '')
  if (secrets.length === 0) {
    throw new CommandFailure(
      `Expected the endpoint secret. Pass --secret, or set ${environment.webhookSecret}.`,
      2,
    )
  }
  const users = usersOfFile(flags)
  // If a signal arrives during startup, the server stops right after it has started.
  const stopped = stopSignal()
  if (flags.database !== undefined) void stopped.then(limitStop)
  const opened = await openDatabase(flags.database, flags.folder).catch(cannotOpen)
  try {
    const client = users ? new ServiceClient() : undefined
    const sync = createSync({ ...flags, client, database: opened.database })
    await sync.migrate().catch(cannotOpen)
    const server = createServer(routes(sync, { secrets, flags, opened }))
    const url = await listen(server, flags)
    process.stdout.write(flags.json ? `${JSON.stringify({ url })}\n` : greeting(url, flags))
    const filling = new AbortController()
    const { from = '' } = flags
    const filled = users && fill(sync, { users, from, signal: filling.signal })
    await stopped
    filling.abort()
    await filled
    await closeServer(server, gracePeriod)
  } finally {
    await opened.close()
  }
  process.exit()
}

/** Ends the process if it does not stop in time. Postgres rolls back uncommitted changes. */
function limitStop(): void {
  const end = () => {
    process.stderr.write('The command did not stop in time. Postgres may not be responding.\n')
    process.exit(1)
  }
  setTimeout(end, longestStop).unref()
}

async function printChart(flags: SyncFlags): Promise<void> {
  const opened = await openDatabase(flags.database, flags.folder).catch(cannotOpen)
  try {
    const sync = createSync({ ...flags, database: opened.database })
    await sync.migrate().catch(cannotOpen)
    if (flags.demo) await fillDemo(sync)
    process.stdout.write(await readChart(opened.database, flags))
  } finally {
    await opened.close()
  }
}

async function printSql({ schema }: SyncFlags): Promise<void> {
  const never = () => Promise.reject(new TypeError('Expected no query.'))
  const { migrations } = createSync({ database: { query: never, connect: never }, schema })
  process.stdout.write(migrations.map(({ name, sql }) => `-- ${name}\n${sql}`).join('\n'))
}

/**
 * Throws an error that says why a database cannot be used. Prefers the driver's error code to its message, because the
 * messages of errors with a code may quote the URL and its password.
 */
function cannotOpen(error: unknown): never {
  if (error instanceof CommandFailure) throw error
  const { code, message } = Object(error)
  const isOurs = Object(error).name === 'SyncError'
  throw new CommandFailure(
    `The database cannot be used: ${isOurs ? message : `${code ?? message ?? 'unknown error'}.`}`,
  )
}

interface Served {
  secrets: readonly string[]
  flags: SyncFlags
  opened: OpenDatabase
}

function routes(sync: Sync, { secrets, flags, opened }: Served) {
  const receive = nodeEventHandler({
    secrets,
    ...sync.listeners,
    // The name and code of an error contain no health data.
    onError: (error) => process.stderr.write(`${describe(error)}\n`),
  })
  return async (request: IncomingMessage, response: ServerResponse) => {
    const { method, path, search } = readHead(request)
    if (path === eventsPath) return receive(request, response)
    if (method !== 'GET') return send(response, 404, 'Not found')
    if (path === '/metrics') return send(response, 200, formatMetrics(sync.counts()))
    try {
      if (path === '/health') {
        await readStored(opened.database, flags.schema, { limit: 0 })
        return send(response, 200, 'ok')
      }
      if (path === '/records' && flags.probe) {
        const user_id = search.get('user_id') ?? ''
        const stored = await readStored(opened.database, flags.schema, { user_id })
        return send(response, 200, JSON.stringify(stored), 'application/json')
      }
    } catch (error) {
      process.stderr.write(`${describe(error)}\n`)
      return send(response, 503, 'The database cannot be reached')
    }
    return send(response, 404, 'Not found')
  }
}

function describe(error: unknown): string {
  const { name, code } = Object(error)
  return `${name ?? 'Error'}: ${code ?? 'unknown'}`
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

function listen(server: Server, { port, host }: SyncFlags): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) => reject(new CommandFailure(message)))
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}

function greeting(url: string, { database, folder, schema }: SyncFlags): string {
  const place = database === undefined ? `PGlite in ${folder}` : 'Postgres'
  return `Receiving events at ${url}${eventsPath}, storing them in ${place}, schema ${schema}.
Health ${url}/health, metrics ${url}/metrics. Stop with Ctrl+C.
`
}

const meanings: Record<keyof SyncCounts, string> = {
  messages: 'Messages stored.',
  rows: 'Rows sent to the database.',
  failures: 'Failed attempts to store a message.',
  parked: 'Messages parked for a retry.',
  unknown: 'Events stored unchanged.',
}

export function formatMetrics(counts: SyncCounts): string {
  return keysOf(meanings)
    .map((name) => {
      const metric = `health_lab_sync_${name}_total`
      return `# HELP ${metric} ${meanings[name]}\n# TYPE ${metric} counter\n${metric} ${counts[name]}\n`
    })
    .join('')
}
