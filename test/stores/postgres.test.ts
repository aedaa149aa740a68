import type { PGlite } from '@electric-sql/pglite'
import { Client, Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { durable } from '../../src/durable/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import {
  type PostgresDatabase,
  type PostgresStore,
  postgresStore,
  redisStore,
  type SqlTransaction,
} from '../../src/stores/index.ts'
import { orderBody } from '../support/bodies.ts'
import { hasPostgres, startPostgres } from '../support/programs/postgres.ts'
import { delivery, secret } from '../support/signed.ts'
import { useServers } from '../support/stores.ts'

const { databases, makePostgres } = useServers()
const pglite = () => databases.find(({ name }) => name === 'PGlite')?.db() as PGlite
const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }

/** A receiver whose listener writes into the transaction. */
function receiver(store: PostgresStore, listener: (tx: SqlTransaction) => unknown) {
  const errors: unknown[] = []
  const receive = eventHandler({
    secrets: secret,
    dedupe: store,
    transaction: (tx, { event_type }, { id }) => {
      expect([event_type, typeof id]).toEqual(['labtest.order.created', 'string'])
      return listener(tx)
    },
    onError: (error) => errors.push(error),
  })
  const deliver = async (id: string) => {
    const response = await receive(await delivery(event, { id }))
    return `${response.status} ${await response.text()}`
  }
  return { deliver, errors }
}

describe.each(databases)('postgresStore with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  /** A store, and a table of the user. */
  async function prepare() {
    const store = await makePostgres(db())
    const schema = /create schema if not exists ("\w+")/.exec(store.sql)?.[1]
    const table = `${schema}.effects`
    await store.handle('setup', (tx) => tx.query(`create table ${table} (id text)`))
    const add = (tx: SqlTransaction) => tx.query(`insert into ${table} values ($1)`, ['effect'])
    const count = async () => {
      let rows: unknown
      await store.handle(crypto.randomUUID(), async (tx) => {
        rows = (await tx.query(`select count(*)::int as count from ${table}`)).rows[0]?.['count']
      })
      return rows
    }
    return { store, add, count }
  }

  test('stores a handled message and its effects together', async () => {
    const { store, add, count } = await prepare()
    const { deliver } = receiver(store, add)
    expect(await deliver('m')).toBe('200 Handled')
    expect(await deliver('m')).toBe('200 Already handled')
    expect(await count()).toBe(1)
  })

  test('stores neither when the listener fails', async () => {
    const { store, add, count } = await prepare()
    const failure = new Error('no')
    const failing = receiver(store, async (tx) => {
      await add(tx)
      throw failure
    })
    expect(await failing.deliver('m')).toBe('500 Not handled')
    expect(failing.errors).toEqual([failure])
    expect(await count()).toBe(0)
    expect(await receiver(store, add).deliver('m')).toBe('200 Handled')
    expect(await count()).toBe(1)
  })

  test('stores neither when the listener ignores that a statement failed', async () => {
    const { store, add, count } = await prepare()
    const failing = receiver(store, async (tx) => {
      await add(tx)
      await tx.query('select 1 / 0').catch(() => {})
    })
    expect(await failing.deliver('m')).toBe('500 Not handled')
    expect(failing.errors).toHaveLength(1)
    expect(await count()).toBe(0)
    expect(await receiver(store, add).deliver('m')).toBe('200 Handled')
    expect(await count()).toBe(1)
  })

  test('stores neither when a statement of the listener fails', async () => {
    const { store, add, count } = await prepare()
    const failing = receiver(store, async (tx) => {
      await add(tx)
      await tx.query('select * from missing')
    })
    expect(await failing.deliver('m')).toBe('500 Not handled')
    expect(await count()).toBe(0)
  })

  test('handles a message once in several processes at the same time', async () => {
    const { store, add, count } = await prepare()
    const receivers = Array.from({ length: 5 }, () => receiver(store, add))
    const responses = await Promise.all(receivers.map(({ deliver }) => deliver('m')))
    expect(responses.toSorted()).toEqual([...Array(4).fill('200 Already handled'), '200 Handled'])
    expect(await count()).toBe(1)
  })

  test('does not handle a message in a transaction while it is claimed', async () => {
    const { store, add } = await prepare()
    await store.claim('m', 'token')
    expect(await receiver(store, add).deliver('m')).toBe('503 Already in progress')
  })

  test('takes over a claim that has expired', async () => {
    const { store } = await prepare()
    const schema = /create schema if not exists ("\w+")/.exec(store.sql)?.[1]
    expect(await store.claim('m', 'a')).toBe('claimed')
    await store.handle('expiry', (tx) =>
      tx.query(`update ${schema}.messages set expires_at = 'epoch' where id = 'm'`),
    )
    expect(await store.claim('m', 'b')).toBe('claimed')
    expect(await store.finish('m', 'a')).toBe(false)
    await store.release('m', 'b')
    expect(await store.handle('m', () => {})).toBe('claimed')
    expect(await store.claim('m', 'c')).toBe('done')
  })

  test('migrates once, whoever starts it, and continues with the SQL of a migration tool', async () => {
    const [first, second] = ['a', 'b'].map((name) => name + crypto.randomUUID().slice(0, 8))
    const store = postgresStore(db(), { schema: first })
    await Promise.all([store.migrate(), store.migrate(), store.migrate()])
    expect(await store.claim('m', 'a')).toBe('claimed')
    const other = postgresStore(db(), { schema: second })
    await store.handle('sql', async (tx) => {
      for (const statement of other.sql.split(';\n').filter(Boolean)) await tx.query(statement)
    })
    await other.migrate()
    expect(await other.claim('m', 'a')).toBe('claimed')
  })

  test('says what to do when the tables do not exist', async () => {
    const store = postgresStore(db(), { schema: 'nowhere' })
    await expect(store.claim('m', 'a')).rejects.toMatchObject({
      code: 'not_migrated',
      message: expect.stringContaining('Call migrate()'),
    })
  })

  test('deletes old entries in steps, but nothing without an outcome', async () => {
    const { store } = await prepare()
    const ids = Array.from({ length: 7 }, (_, at) => `id ${at}`)
    for (const id of ids) {
      await store.handle(id, () => {})
      const { attempt } = await store.begin({
        ...{ id, operation: 'o', input: 'i', token: id, now: 0, heldUntil: 1, progress: '' },
      })
      if (id !== 'id 6') await store.end({ id, attempt, state: 'done', outcome: '{}', now: 5 })
    }
    const day = 86_400_000
    expect(await store.prune({ now: day })).toBe(0)
    // 7 messages, that of the table, and 6 writes.
    expect(await store.prune({ limit: 3, now: Date.now() + 8 * day })).toBe(14)
    expect(await store.read('id 6')).toMatchObject({ state: 'pending' })
  })
})

it.skipIf(!hasPostgres)('does not delete an old id that is used again meanwhile', async () => {
  const pool = databases.find(({ name }) => name === 'pg Pool')
  if (!pool) throw new Error('No pool is open.')
  const store = await makePostgres(pool.db())
  const intent = { id: 'one', operation: 'o', input: 'i', now: 0, heldUntil: 1, progress: '' }
  await store.begin({ ...intent, token: 'a' })
  await store.end({ id: 'one', attempt: 'a', state: 'cleared', outcome: '', now: 5 })
  const table = `${/create schema if not exists ("\w+")/.exec(store.sql)?.[1]}.writes`
  await store.handle('m', async (tx) => {
    await tx.query(`update ${table} set state = 'pending' where id = 'one'`)
    // It does not wait for the row, which it would delete after the transaction.
    expect(await store.prune()).toBe(0)
  })
  expect(await store.read('one')).toMatchObject({ state: 'pending' })
})

it('refuses a limit that deletes nothing', async () => {
  const store = postgresStore(pglite())
  await expect(store.prune({ limit: 0 })).rejects.toMatchObject({ code: 'argument_invalid' })
})

it('prunes messages if outcomes are kept for longer than Postgres can count back', async () => {
  const db = pglite()
  const store = postgresStore(db, { keepWrites: Number.MAX_SAFE_INTEGER })
  await store.migrate()
  await store.handle('m', () => {})
  const intent = { id: 'one', operation: 'o', input: 'i', now: 0, heldUntil: 1, progress: '' }
  await store.begin({ ...intent, token: 'a' })
  await store.end({ id: 'one', attempt: 'a', state: 'done', outcome: '{}', now: 5 })
  expect(await store.prune({ now: Date.now() + 8 * 86_400_000 })).toBe(1)
  expect(await store.read('one')).toMatchObject({ state: 'done' })
})

it('rejects a transaction whose failed statement was ignored with an old version of PGlite', async () => {
  const db = pglite()
  // Versions up to at least 0.5.12 resolve when the commit rolls back.
  const old: PostgresDatabase = {
    query: (text, values) => db.query(text, values),
    async transaction(run) {
      await db.query('begin')
      try {
        const result = await run({ query: (text, values) => db.query(text, values) })
        await db.query('commit')
        return result
      } catch (error) {
        await db.query('rollback')
        throw error
      }
    },
  }
  const store = await makePostgres(old)
  const ignoring = store.handle('m', (tx) => tx.query('select 1 / 0').catch(() => {}))
  await expect(ignoring).rejects.toMatchObject({ code: 'rolled_back' })
  expect(await store.claim('m', 'a')).toBe('claimed')
})

it.each([
  ['claimFor', -1],
  ['keepMessages', 1.5],
  ['keepWrites', Number.POSITIVE_INFINITY],
])('refuses a %s of %d', (name, value) => {
  const invalid = expect.objectContaining({
    code: 'argument_invalid',
    message: expect.stringContaining(`${name} of `),
  })
  expect(() => postgresStore(pglite(), { [name]: value })).toThrow(invalid)
  expect(() => redisStore({ call: async () => null }, { [name]: value })).toThrow(invalid)
})

it.skipIf(!hasPostgres)(
  'stores outcomes in a database whose encoding lacks characters',
  async () => {
    const shared = databases.find(({ name }) => name === 'pg Pool')?.db() as Pool
    const admin = new Pool(shared.options)
    onTestFinished(() => admin.end())
    await admin.query(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    const pool = new Pool({ ...shared.options, database: 'latin' })
    onTestFinished(() => pool.end())
    const store = await makePostgres(pool)
    const team = createMock().team()
    const connection = team.connection()
    const fetch = async (request: Request) => {
      const created: unknown = await (await connection.fetch(request)).json()
      return Response.json({ ...Object(created), message: 'zamówienie złożone' })
    }
    const writes = durable(new ServiceClient({ ...connection, fetch }), { store })
    const { user_id } = team.users.create()
    const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '', { user_id })
    const created = await writes.orders.create('one', order)
    expect(created.message).toBe('zamówienie złożone')
    expect(await writes.orders.create('one', order)).toEqual(created)
    expect(team.journal.count).toBe(1)
  },
)

it('refuses a schema that is not a name, and other objects', () => {
  const invalid = expect.objectContaining({ code: 'argument_invalid' })
  expect(() => postgresStore(pglite(), { schema: 'a"; drop' })).toThrow(invalid)
  expect(() => postgresStore({} as never)).toThrow(invalid)
})

it('fails a delivery and a write when it cannot be reached, before anything is sent', async () => {
  const store = postgresStore(new Pool({ host: '/nowhere' }))
  const { deliver, errors } = receiver(store, () => {})
  expect(await deliver('m')).toBe('500 Not handled')
  expect(errors).toMatchObject([{ code: 'ENOENT' }])
  const team = createMock().team()
  const writes = durable(new ServiceClient(team.connection()), { store })
  await expect(writes.orders.create('one', orderBody('t'))).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining('sent nothing'),
    cause: { code: 'ENOENT' },
  })
  expect(team.journal.count).toBe(0)
})

it.skipIf(!hasPostgres)(
  'shares writes and messages where the default isolation is higher',
  async () => {
    const { connection, stop } = await startPostgres(['default_transaction_isolation=serializable'])
    onTestFinished(stop)
    const pool = new Pool(connection)
    onTestFinished(() => pool.end())
    const store = await makePostgres(pool)
    const tokens = Array.from({ length: 20 }, (_, at) => `token ${at}`)
    const input = { id: 'one', operation: 'orders.create', input: 'hash', progress: '' }
    const begin = (token: string) => store.begin({ ...input, token, now: 1000, heldUntil: 2000 })
    const found = await Promise.all(tokens.map(begin))
    expect(new Set(found.map(({ holder }) => holder)).size).toBe(1)
    const claims = await Promise.all(tokens.map((token) => store.claim('m', token)))
    expect(claims.toSorted()).toEqual([...Array(19).fill('busy'), 'claimed'])
  },
)

it.skipIf(!hasPostgres)(
  "rejects with the serialization failure inside the user's own transaction",
  async () => {
    const { connection, stop } = await startPostgres()
    onTestFinished(stop)
    const client = new Client(connection)
    await client.connect()
    const pool = new Pool(connection)
    onTestFinished(() => client.end())
    onTestFinished(() => pool.end())
    const store = await makePostgres(pool)
    const schema = /create schema if not exists "(\w+)"/.exec(store.sql)?.[1]
    await client.query('begin isolation level repeatable read')
    await client.query('select 1')
    await store.claim('m', 'a')
    await expect(postgresStore(client, { schema }).finish('m', 'a')).rejects.toMatchObject({
      code: '40001',
    })
  },
)
