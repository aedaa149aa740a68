import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { Client, Pool } from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceClient } from '../../src/index.ts'
import { adaptDatabase } from '../../src/stores/database.ts'
import { postgresStore, type SqlTransaction } from '../../src/stores/index.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { useServers } from '../support/stores.ts'
import { nightEvent, syncInto, user } from '../sync/synced-schema.ts'

const { databases } = useServers()

/** A promise that is resolved from outside. */
function signal() {
  return Promise.withResolvers<void>()
}

describe.each(databases)('a transaction of $name', ({ isThere, db }) => {
  it.skipIf(!isThere)('rejects statements after its end', async () => {
    let leaked: SqlTransaction | undefined
    await adaptDatabase(db()).transaction(async (tx) => {
      leaked = tx
    })
    await expect(leaked?.query('select 1')).rejects.toMatchObject({ code: 'transaction_ended' })
  })
})

describe.each(databases)('a listener with $name', ({ isThere, db }) => {
  it.skipIf(!isThere)('may undo a failed statement with a savepoint', async () => {
    const database = adaptDatabase(db())
    await database.query('create table undone (id text)')
    const result = await database.transaction(async (tx) => {
      await tx.query('savepoint before')
      await tx.query('select 1 / 0').catch(() => {})
      await tx.query('rollback to before')
      await tx.query(`insert into undone values ('stored')`)
      return 'done'
    })
    expect(result).toBe('done')
    expect((await database.query('select id from undone')).rows).toEqual([{ id: 'stored' }])
    await database.query('drop table undone')
  })
})

/** A message of Postgres's protocol. */
function serverMessage(type: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + content.length)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)])
}

it('survives a connection that a pool loses in the moment in which it is ready', async () => {
  const parts = [
    serverMessage('R', '\0\0\0\0'),
    serverMessage('Z', 'I'),
    serverMessage('E', 'SFATAL\0C57P01\0Mterminating connection\0\0'),
  ]
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat(parts)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new Pool({ host: '127.0.0.1', port, user: 'user', database: 'database' })
  pool.on('error', () => {})
  // Without a listener for its error, the connection would end the process.
  await expect(adaptDatabase(pool).transaction(async () => {})).rejects.toThrow('connection')
  await pool.end()
  server.close()
})

/** A pool whose `connect` only returns a promise, or also calls the callback, as wrappers of a `Pool` do. */
class WrappedPool extends EventEmitter {
  readonly totalCount = 1
  readonly log: string[] = []
  readonly #usesCallback: boolean

  constructor(usesCallback: boolean) {
    super()
    this.#usesCallback = usesCallback
  }

  query = async (text: string) => {
    this.log.push(text)
    return { rows: [] }
  }

  release = () => this.log.push(`released with ${this.listenerCount('error')} listeners`)

  connect = async (onEnd?: (error: unknown, client: unknown) => void) => {
    if (this.#usesCallback) onEnd?.(undefined, this)
    return this
  }
}

it.each([
  ['only returns a promise', false],
  ['calls the callback and returns a promise', true],
])('takes one client from a pool that %s', async (_, usesCallback) => {
  const pool = new WrappedPool(usesCallback)
  await adaptDatabase(pool).transaction(async () => {})
  expect(pool.log.at(-1)).toBe('released with 0 listeners')
  expect(pool.log).toHaveLength(3)
})

it('rejects with the error of a pool that only returns a promise', async () => {
  const pool = { ...new WrappedPool(false), connect: () => Promise.reject(new Error('too many')) }
  await expect(adaptDatabase(pool).transaction(async () => {})).rejects.toThrow('too many')
})

describe.skipIf(!hasPostgres)(`with Postgres${hasPostgres ? '' : ` ${withoutPostgres}`}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let admin: Client
  beforeAll(async () => {
    server = await startPostgres()
    admin = new Client(server.connection)
    await admin.connect()
    await admin.query('create table effects (id text)')
  })
  afterAll(async () => {
    await admin.end()
    await server.stop()
  })

  const countEffects = async (id: string) =>
    (await admin.query('select id from effects where id = $1', [id])).rows.length

  /** Options of `postgres` for the server. */
  const connection = () => {
    const { host } = server.connection
    return { ...server.connection, path: `${host}/.s.PGSQL.5432`, onnotice: () => {} }
  }

  /** Makes a client give up its first `begin`, which the server runs, and its first statement after it, which is not sent. */
  function stopWaiting(client: Client, isSent: readonly boolean[]) {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    const left = [...isSent]
    const replaced = async (...args: unknown[]) => {
      const next = left.shift()
      if (next === undefined) return query(...args)
      if (next) await query(...args)
      throw new Error('Query read timeout')
    }
    Object.assign(client, { query: replaced })
  }

  it('leaves no transaction open in a pool when it does not wait for its begin', async () => {
    const pool = new Pool({ ...server.connection, max: 1 })
    pool.once('connect', (client) => stopWaiting(client, [true]))
    const database = adaptDatabase(pool)
    const failed = database.transaction(async () => {})
    await expect(failed).rejects.toThrow('Query read timeout')
    await database.query(`insert into effects values ('after begin')`)
    expect(await countEffects('after begin')).toBe(1)
    await pool.end()
  })

  it('leaves no transaction open on a client whose rollback was not sent', async () => {
    const client = new Client(server.connection)
    await client.connect()
    stopWaiting(client, [true, false])
    const database = adaptDatabase(client)
    const failed = database.transaction(async () => {})
    await expect(failed).rejects.toThrow('Query read timeout')
    await database.query(`insert into effects values ('after rollback')`)
    expect(await countEffects('after rollback')).toBe(1)
    await client.end()
  })

  it('isolates the transactions of several stores that share a client', async () => {
    const client = new Client(server.connection)
    await client.connect()
    const [one, other] = [adaptDatabase(client), adaptDatabase(client)]
    const add = (tx: SqlTransaction, id: string) =>
      tx.query('insert into effects values ($1)', [id])
    const failing = one.transaction(async (tx) => {
      await add(tx, 'of a failed transaction')
      await new Promise(setImmediate)
      throw new Error('no')
    })
    const succeeding = Promise.all([
      other.transaction((tx) => add(tx, 'of another transaction')),
      other.query(`insert into effects values ('of no transaction')`),
    ])
    await expect(failing).rejects.toThrow('no')
    await succeeding
    expect(await countEffects('of a failed transaction')).toBe(0)
    expect(await countEffects('of another transaction')).toBe(1)
    expect(await countEffects('of no transaction')).toBe(1)
    await client.end()
  })

  it('loses no event on a client that runs a backfill, too', async () => {
    const client = new Client(server.connection)
    await client.connect()
    const sleep = [{ id: 'read', user_id: user, source: {}, calendar_date: '2025-05-03' }]
    const fetch = async () => Response.json({ sleep })
    const service = new ServiceClient({ apiKey: 'sk_1', baseUrl: 'https://service.test', fetch })
    const { sync, deliver, query } = await syncInto(client, { client: service })
    // Each second attempt at an event fails.
    await query('create sequence $.attempts')
    await query(`create function $.fail() returns trigger language plpgsql as '
begin
  if new.id <> ''read'' and nextval(''$.attempts'') % 2 = 0 then raise exception ''no''; end if;
  return new;
end'`)
    await query(
      'create trigger fail before insert on $.sleep for each row execute function $.fail()',
    )
    const filling = sync.backfill({
      users: [user],
      resources: ['sleep'],
      from: '2022-01-01',
      to: '2025-06-05',
    })
    const ids = Array.from({ length: 50 }, (_, at) => `night-${at}`)
    for (const id of ids) {
      for (let status = 0; status !== 200; ) {
        status = await deliver(nightEvent({ id }), { id })
      }
    }
    await filling
    await sync.retry()
    const stored = await query(
      `select id from $.sleep where id <> 'read' union all select message_id from $.failed_messages`,
    )
    expect(stored).toHaveLength(ids.length)
    await client.end()
  })

  describe('of postgres', () => {
    const open = (options: object = {}) => postgres({ ...connection(), ...options })

    it('sends nothing of a transaction whose connection ended', async () => {
      const sql = open({ max: 1 })
      const database = adaptDatabase(sql)
      const ended = signal()
      let late: Promise<unknown> | undefined
      const running = database.transaction(async (tx) => {
        const { rows } = await tx.query('select pg_backend_pid() as pid')
        await admin.query('select pg_terminate_backend($1)', [rows[0]?.['pid']])
        late = ended.promise.then(() => tx.query(`insert into effects values ('late')`))
        await late.catch(() => {})
      })
      await expect(running).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
      // A new connection, which has the place of the one that ended.
      await database.query('select 1')
      ended.resolve()
      await expect(late).rejects.toMatchObject({ code: 'transaction_ended' })
      expect(await countEffects('late')).toBe(0)
      await sql.end()
    })

    it('does not end another transaction after its own connection ended', async () => {
      const sql = open({ max: 1 })
      const database = adaptDatabase(sql)
      const [ended, added] = [signal(), signal()]
      const lost = database.transaction(async (tx) => {
        const { rows } = await tx.query('select pg_backend_pid() as pid')
        await admin.query('select pg_terminate_backend($1)', [rows[0]?.['pid']])
        await added.promise
        ended.resolve()
      })
      await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
      const failing = database.transaction(async (tx) => {
        await tx.query(`insert into effects values ('of the next transaction')`)
        added.resolve()
        await ended.promise
        await new Promise(setImmediate)
        await tx.query('select 1')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await countEffects('of the next transaction')).toBe(0)
      await sql.end()
    })

    it('does not treat a rolled-back commit as a success', async () => {
      const sql = open({ max: 1 })
      const database = adaptDatabase(sql)
      await database.transaction(async () => {})
      await database.transaction(async (tx) => {
        await tx.query(`insert into effects values ('committed')`)
        // As with a pooler that gives each transaction another connection: the prepared commit of the driver fails.
        await tx.query('deallocate all')
      })
      expect(await countEffects('committed')).toBe(1)
      await sql.end()
    })

    it.each(['camel', 'kebab'] as const)('reads what it stored with %s case', async (form) => {
      const sql = open({ transform: postgres[form] })
      const store = postgresStore(sql, { schema: form })
      await store.migrate()
      const intent = { id: 'one', operation: 'o', input: 'i', token: 't', progress: '' }
      await store.begin({ ...intent, now: 1000, heldUntil: 2000 })
      expect(await store.read('one')).toMatchObject({ heldUntil: 2000, startedAt: 1000 })
      const { sync, deliver, query } = await syncInto(sql, { maxAttempts: 1 })
      await query('alter table $.sleep add constraint no check (total is null)')
      await deliver(nightEvent(), { id: 'parked' })
      await query('alter table $.sleep drop constraint no')
      expect(await sync.retry()).toEqual({ stored: 1, failed: 0 })
      await sql.end()
    })

    it('refuses names in another case', () => {
      const sql = open({ transform: postgres.pascal })
      expect(() => postgresStore(sql)).toThrow(
        expect.objectContaining({ code: 'argument_invalid' }),
      )
    })

    it('prints no values of a statement whose connection ended', async () => {
      const sockets: Socket[] = []
      const socket = async () => {
        const opened = connect(`${server.connection.host}/.s.PGSQL.5432`)
        sockets.push(opened)
        await once(opened, 'connect')
        return opened
      }
      const sql = open({ max: 1, debug: true, socket })
      const { deliver, errors, query } = await syncInto(sql)
      await query(`create function $.wait() returns trigger language plpgsql as '
begin perform pg_sleep(600); return new; end'`)
      await query('create trigger wait before insert on $.sleep execute function $.wait()')
      const delivering = deliver(nightEvent({ id: 'of a patient' }))
      const waiting = `select pid from pg_stat_activity where wait_event = 'PgSleep'`
      let pid: unknown
      while (pid === undefined) pid = (await admin.query(waiting)).rows[0]?.pid
      for (const opened of sockets) opened.destroy()
      expect(await delivering).toBe(500)
      await admin.query('select pg_terminate_backend($1)', [pid])
      expect(errors).toMatchObject([{ code: 'CONNECTION_CLOSED' }])
      expect(inspect(errors, { showHidden: true, depth: null })).not.toContain('of a patient')
      expect(await query('select 1 as one')).toEqual([{ one: 1 }])
      await sql.end({ timeout: 0 })
    })
  })

  it('migrates into a schema that it may not create', async () => {
    await admin.query('create role app login')
    await admin.query('create schema given authorization app')
    const pool = new Pool({ ...server.connection, user: 'app' })
    const store = postgresStore(pool, { schema: 'given' })
    await store.migrate()
    expect(await store.claim('m', 't')).toBe('claimed')
    await pool.end()
  })
})
