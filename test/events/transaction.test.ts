import { expect, expectTypeOf, it } from 'vitest'
import {
  EventError,
  eventHandler,
  memoryStore,
  type TransactionalStore,
} from '../../src/events/index.ts'
import { delivery, secret } from '../support/signed.ts'

/** A store whose transaction is a list of what was written. */
function listStore(claim = 'claimed') {
  const written: string[] = []
  const store: TransactionalStore<string[]> = {
    ...memoryStore(),
    async handle(id, listener) {
      if (claim !== 'claimed') return claim
      const transaction: string[] = []
      await listener(transaction)
      written.push(...transaction, id)
      return claim
    },
  }
  return { store, written }
}

const event = { event_type: 'labtest.order.created', user_id: 'u', data: {} }

it('passes the transaction of the store to the listener', async () => {
  const { store, written } = listStore()
  const receive = eventHandler({
    secrets: secret,
    dedupe: store,
    transaction: async (tx, { event_type }) => {
      expectTypeOf(tx).toEqualTypeOf<string[]>()
      tx.push(event_type)
    },
  })
  expect((await receive(await delivery(event))).status).toBe(200)
  expect(written).toEqual(['labtest.order.created', 'msg_1'])
})

it.each([
  ['done', 200],
  ['busy', 503],
  ['other', 500],
])('responds to a message that is %s with %i', async (claim, status) => {
  const { store } = listStore(claim)
  const transaction = () => expect.unreachable()
  const receive = eventHandler({ secrets: secret, dedupe: store, transaction })
  expect((await receive(await delivery(event))).status).toBe(status)
})

it('refuses a store without transactions, and other listeners beside the transaction', () => {
  const { store: dedupe } = listStore()
  const common = { secrets: secret, transaction: () => {} }
  const other = { on: {}, fallback: () => {} }
  for (const options of [
    { ...common, dedupe: memoryStore() },
    { ...common },
    { ...common, dedupe, ...other },
    { ...common, dedupe, transaction: 'later' },
  ]) {
    // Not allowed by the types.
    expect(() => eventHandler(options as never)).toThrow(EventError)
  }
})
