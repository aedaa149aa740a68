import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import {
  type Base,
  base,
  hadNoEffect,
  integration,
  orderOf,
  patient,
  post,
  recipeOf,
  withUsers,
} from './kit.ts'

/** Programs with a bug that make several calls of one operation at the same time. */
export const flawedParallel = [
  integration('sends two equal orders at the same time, and each again after any error', {
    setup: base,
    scenario: async (context) => {
      const order = () => context.client.orders.create(orderOf(context))
      await Promise.all([1, 2].map(() => order().catch(order)))
    },
  }),
  integration('orders different tests at the same time, and the second again after any error', {
    setup: base,
    scenario: async (context) => {
      const order = (place: number) => context.client.orders.create(orderOf(context, place))
      await Promise.all([order(0), order(1).catch(() => order(1))])
    },
    check: () => {},
  }),
]

/** Programs without bugs that make several calls of one operation at the same time. */
export const correctParallel = [
  integration('imports with the documented function, in concurrent batches', {
    setup: withUsers,
    scenario: async ({ client, db, users }) => {
      const { accepted, failed, unknown, stopped } = await client.link.bulkImportAll(
        'oura',
        users.map(recipeOf),
        { batchSize: 2, concurrency: 3, waitForCompletion: true },
      )
      const isDone = accepted + failed + unknown === 0 && !stopped
      db.jobs.set('import', isDone ? 'done' : 'ask')
    },
    check: ({ db, team, users }) => {
      const isComplete = users.every((user) => team.connections.has(user, 'oura'))
      if (db.jobs.get('import') === 'done' && !isComplete) throw new Error('users are missing')
    },
  }),
  integration('books several orders at the same time', {
    setup: withOrders,
    scenario: async ({ client, db, orders, team }) => {
      const book = async (order: string) => {
        const booking_key = team.bookings.key()
        await client.orders
          .bookPhlebotomyAppointment(order, { booking_key })
          .then(({ id, status }) => db.appointments.set(id, status))
          .catch(() => db.people.push(order))
      }
      await Promise.all(orders.map(book))
    },
    check: ({ db, team }) => {
      for (const { id, order_id } of team.appointments.list()) {
        const isKnown = db.appointments.has(id) || db.people.includes(order_id)
        if (!isKnown) throw new Error('an appointment is lost')
      }
    },
  }),
  integration('sends three equal orders at the same time', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const order = () =>
        client.orders.create(orderOf(context)).then(
          (created) => void db.orders.set(created.order.id, 'created'),
          (error) => void (hadNoEffect(error) || db.people.push('order')),
        )
      await Promise.all([order(), order(), order()])
    },
    check: isEachOrderKnown,
  }),
  integration('sends equal orders at the same time, and again after a 429, without the client', {
    setup: base,
    scenario: async (context) => {
      await Promise.all([orderPatiently(context), orderPatiently(context)])
    },
    check: isEachOrderKnown,
  }),
]

function withOrders(tools: ExploreTools) {
  const { user_id } = tools.team.users.create({ user_id: patient })
  return { ...base(tools), orders: [1, 2, 3].map(() => tools.team.orders.create({ user_id }).id) }
}

async function orderPatiently(context: Base & ExploreTools): Promise<void> {
  const { connection, db } = context
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const response = await post(context, '/v3/order', orderOf(context)).catch(() => undefined)
    if (response?.status !== 429) {
      const body = response?.ok ? await response.json().catch(() => undefined) : undefined
      if (body) db.orders.set(body.order.id, 'created')
      else db.people.push('order')
      return
    }
    await connection.clock?.sleep(5_000)
  }
}

function isEachOrderKnown({ db, team }: Base & ExploreTools): void {
  const missing = team.orders.list().filter(({ id }) => !db.orders.has(id))
  if (missing.length > db.people.length) throw new Error('an order is lost')
}
