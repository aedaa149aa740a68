import { ConflictError, ConnectionError, TimeoutError } from 'health-lab-sdk'
import { base, integration, orderOf, post, stored } from './kit.ts'

/** Programs that order lab tests, each with a bug. */
export const flawedOrders = [
  integration('orders again after a 500', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const create = () => client.orders.create(orderOf(context))
      const { order } = await create().catch(create)
      db.orders.set(order.id, order.status ?? '')
    },
    check: stored,
  }),
  integration('orders again after a timeout', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const create = () => client.orders.create(orderOf(context), { timeout: 5000 })
      const { order } = await create().catch((error) => {
        if (error instanceof TimeoutError) return create()
        throw error
      })
      db.orders.set(order.id, order.status ?? '')
    },
    check: ({ db, team }) => {
      if (db.orders.size > 0 && team.orders.size !== db.orders.size) throw new Error('doubled')
    },
  }),
  integration('orders again after a lost connection', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const create = () => client.orders.create(orderOf(context))
      const { order } = await create().catch((error) => {
        if (error instanceof ConnectionError) return create()
        throw error
      })
      db.orders.set(order.id, order.status ?? '')
    },
  }),
  integration('takes a 409 for an order that exists', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      try {
        await client.orders.create(orderOf(context))
      } catch (error) {
        if (!(error instanceof ConflictError)) {
          db.people.push('ask')
          return
        }
      }
      db.jobs.set('order', 'done')
    },
    check: ({ db, team }) => {
      if (db.jobs.get('order') === 'done' && team.orders.size === 0) throw new Error('no order')
    },
  }),
  integration('stores no intent before it orders, and orders again after a crash', {
    setup: base,
    scenario: async (context) => orderOnce(context),
    restart: async (context) => orderOnce(context),
  }),
  integration('stores the order only after a second call', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const { order } = await client.orders.create(orderOf(context))
      await client.labTests.list()
      db.orders.set(order.id, order.status ?? '')
    },
    check: ({ db, team }) => {
      if (team.orders.size === 1 && db.orders.size === 0 && db.people.length === 0) {
        throw new Error('the order is lost')
      }
    },
  }),
  integration('marks the job as done before it orders', {
    setup: base,
    scenario: async (context) => {
      context.db.jobs.set('order', 'done')
      await context.client.orders.create(orderOf(context))
    },
    check: ({ db, team }) => {
      if (db.jobs.get('order') === 'done' && team.orders.size === 0) throw new Error('no order')
    },
  }),
  integration('ignores every error', {
    setup: base,
    scenario: async (context) => {
      await context.client.orders.create(orderOf(context)).catch(() => {})
      context.db.jobs.set('order', 'done')
    },
    check: ({ db, team }) => {
      if (db.jobs.get('order') === 'done' && team.orders.size === 0) throw new Error('no order')
    },
  }),
  integration('does not read the status of a response', {
    setup: (tools) => ({ ...base(tools), tools }),
    scenario: async ({ db, tools }) => {
      const response = await post(tools, '/v3/order', orderOf(tools))
      const { order } = await response.json()
      db.orders.set(order?.id ?? 'unknown', 'created')
    },
    check: (context) => {
      if (context.db.orders.has('unknown')) throw new Error('an order without an id')
    },
  }),
  integration('sends a request up to three times with a hand-written client', {
    setup: (tools) => ({ ...base(tools), tools }),
    scenario: async ({ db, tools }) => {
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const response = await post(tools, '/v3/order', orderOf(tools)).catch(() => undefined)
        if (!response?.ok) continue
        const { order } = await response.json()
        db.orders.set(order.id, 'created')
        return
      }
    },
  }),
  integration('orders all again when one of several orders fails', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const both = () =>
        Promise.all([0, 1].map((place) => client.orders.create(orderOf(context, place))))
      const created = await both().catch(both)
      for (const { order } of created) db.orders.set(order.id, order.status ?? '')
    },
  }),
  integration('does not wait for the order', {
    setup: base,
    scenario: (context) => {
      const { client, db } = context
      void client.orders.create(orderOf(context)).then(({ order }) => db.orders.set(order.id, ''))
    },
  }),
  integration('does not handle the rejection of a second order', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      const [first, second] = [0, 1].map((place) => client.orders.create(orderOf(context, place)))
      const one = await first
      const other = await second
      for (const created of [one, other]) db.orders.set(created?.order.id ?? '', '')
    },
  }),
  integration('gives up after ten seconds, and orders again while the first order is in progress', {
    setup: base,
    scenario: async (context) => {
      const { client, db, connection } = context
      const create = () => client.orders.create(orderOf(context))
      const late = connection.clock?.sleep(10_000).then(() => undefined)
      const { order } = (await Promise.race([create(), late])) ?? (await create())
      db.orders.set(order.id, order.status ?? '')
    },
  }),
  integration('marks a batch as complete after the first failure', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      try {
        for (const place of [0, 1, 2]) {
          const { order } = await client.orders.create(orderOf(context, place))
          db.orders.set(order.id, order.status ?? '')
        }
      } catch {
        db.people.push('some orders are missing')
      }
      db.jobs.set('batch', 'complete')
    },
    check: ({ db, team }) => {
      if (db.jobs.get('batch') === 'complete' && team.orders.size < 3) throw new Error('missing')
    },
  }),
  integration('continues a batch at the order that was sent last', {
    setup: base,
    scenario: (context) => orderBatch(context),
    restart: (context) => orderBatch(context),
  }),
  integration('creates a new idempotency key for each attempt', {
    setup: base,
    scenario: async (context) => {
      const { client, db } = context
      for (let attempt = 1; attempt <= 3 && db.orders.size === 0; attempt += 1) {
        const idempotencyKey = `order-${attempt}`
        await client.orders
          .create(orderOf(context), { idempotencyKey, maxRetries: 0 })
          .then(({ order }) => db.orders.set(order.id, order.status ?? ''))
          .catch(() => {})
      }
    },
  }),
  integration('takes the lack of a stored order for the lack of an order', {
    setup: base,
    scenario: async (context) => {
      context.db.jobs.set('order', 'started')
      await orderOnce(context)
    },
    restart: async (context) => {
      if (context.db.orders.size === 0) await orderOnce(context)
    },
  }),
]

async function orderOnce(context: Parameters<typeof orderOf>[0] & ReturnType<typeof base>) {
  const { client, db } = context
  if (db.orders.size > 0) return
  const { order } = await client.orders.create(orderOf(context))
  db.orders.set(order.id, order.status ?? '')
}

async function orderBatch(context: Parameters<typeof orderOf>[0] & ReturnType<typeof base>) {
  const { client, db } = context
  for (; db.cursor < 3; db.cursor += 1) {
    await client.orders.create(orderOf(context, db.cursor))
  }
}
