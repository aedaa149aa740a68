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

const transactions = (statements: string[]) => statements.filter((text) => text === 'begin').length

it('adds two statements and no explicit transaction to a write', async () => {
  const { store, statements } = await countingDatabase()
  const team = createMock().team()
  const writes = durable(new ServiceClient(team.connection()), { store })
  const order = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
  const count = async (run: () => Promise<unknown>) => {
    statements.length = 0
    await run()
    expect(transactions(statements)).toBe(0)
    return statements.length
  }
  expect(await count(() => writes.orders.create('o', order))).toBe(2)
  expect(await count(() => writes.orders.create('o', order))).toBe(1)
  const booking = { booking_key: team.bookings.key(), async_confirmation: true }
  const { id } = team.orders.create()
  expect(await count(() => writes.orders.bookAndWait('b', id, booking))).toBe(2)
  const { user_id } = team.users.create()
  expect(await count(() => writes.insurance.create('i', user_id, insuranceBody()))).toBe(2)
})

it('handles an event with the statements of a hand-written insert', async () => {
  const { client, store, statements } = await countingDatabase()
  const effect = 'insert into effects values ($1)'
  const receive = eventHandler({
    secrets: secret,
    dedupe: store,
    transaction: (tx, _, { id }) => tx.query(effect, [id]),
  })
  const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }
  const events = Array.from({ length: 10 }, (_, at) => `m${at}`)
  for (const id of events) {
    expect((await receive(await delivery(event, { id }))).status).toBe(200)
  }
  const ours = statements.length
  statements.length = 0
  for (const id of events) {
    await client.query('begin')
    await client.query('insert into seen values ($1) on conflict do nothing returning id', [id])
    await client.query(effect, [id])
    await client.query('commit')
  }
  expect(ours / statements.length).toBeLessThanOrEqual(1.2)
})
