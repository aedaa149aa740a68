import { createServer } from 'node:http'
import { nodeEventHandler } from '../../src/events/index.ts'
import type { PostgresDatabase } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import type { SyncPlace } from './place.ts'

/** An event receiver in its own process. It prints its port, and may be killed at any moment. */
const { kind, path, schema, secret }: SyncPlace = JSON.parse(process.argv[2] ?? '')

async function open(): Promise<PostgresDatabase> {
  if (kind === 'pglite') {
    const { PGlite } = await import('@electric-sql/pglite')
    return PGlite.create(path)
  }
  const { Pool } = await import('pg')
  return new Pool({ host: path, user: 'postgres', database: 'postgres', max: 4 })
}

const sync = createSync({ database: await open(), schema })
const onError = (error: unknown) => {
  const { code = 'unknown' } = Object(error)
  // The proof also delivers messages with invalid signatures and old timestamps.
  if (!/^(?:signature|timestamp)_invalid$/.test(code)) process.stderr.write(`${code}\n`)
}
const receive = nodeEventHandler({ secrets: secret, ...sync.listeners, onError })
const server = createServer((request, response) => void receive(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.stdout.write(`${address?.port}\n`)
})
