import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { durable } from '../../src/durable/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/index.ts'
import { insuranceBody, orderBody } from '../support/bodies.ts'
import { delivery, secret } from '../support/signed.ts'

/** A database that counts statements, with `begin` and `commit`; a Client of pg has these functions. */
async function countingDatabase() {
  const db = await PGlite.create()
  const statements: string[] = []
  const client = {
    connect: async () => {},
    query: (text: string, values?: unknown[]) => {
      statements.push(text)
      return db.query<Record<string, unknown>>(text, values)
    },
  }
  const store = postgresStore(client)
  await store.migrate()
  await client.query('create table effects (id text); ')
  await client.query('create table seen (id text primary key)')
  statements.length = 0
  return { client, store, statements }
}

it('adds two statements and no explicit transaction to a write', async () => {
  const { store, statements } = await countingDatabase()
  const team = createMock().team()
  const writes = durable(new ServiceClient(team.connection()), { store })
  const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
  const booking = { booking_key: team.bookings.key(), async_confirmation: true }
  const { id } = team.orders.create()
  const { user_id } = team.users.create()
  const calls: [name: string, write: () => Promise<unknown>][] = [
    ['orders.create', () => writes.orders.create('o', order)],
    ['orders.create again', () => writes.orders.create('o', order)],
    ['orders.bookAndWait', () => writes.orders.bookAndWait('b', id, booking)],
    ['insurance.create', () => writes.insurance.create('i', user_id, insuranceBody())],
  ]
  const table: unknown[] = []
  for (const [name, write] of calls) {
    statements.length = 0
    await write()
    table.push([
      name,
      statements.length,
      statements.filter((text) => text.startsWith('begin')).length,
    ])
  }
  expect(table).toEqual([
    ['orders.create', 2, 0],
    ['orders.create again', 1, 0],
    ['orders.bookAndWait', 2, 0],
    ['insurance.create', 2, 0],
  ])
})

it('handles an event, and its duplicate, with the statements of a hand-written insert', async () => {
  const { client, store, statements } = await countingDatabase()
  const effect = 'insert into effects values ($1)'
  const receive = eventHandler({
    secrets: secret,
    dedupe: store,
    transaction: (tx, _, { id }) => tx.query(effect, [id]),
  })
  const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }
  const byHand = async (id: string) => {
    await client.query('begin')
    const insert = 'insert into seen values ($1) on conflict do nothing returning id'
    const { rows } = await client.query(insert, [id])
    if (rows.length > 0) await client.query(effect, [id])
    await client.query('commit')
  }
  const count = async (handle: () => Promise<unknown>) => {
    statements.length = 0
    await handle()
    return statements.length
  }
  const table: unknown[] = []
  for (const name of ['new', 'duplicate']) {
    const message = await delivery(event, { id: 'm' })
    table.push([name, await count(() => receive(message)), await count(() => byHand('m'))])
  }
  expect(table).toEqual([
    ['new', 4, 4],
    ['duplicate', 3, 3],
  ])
})
