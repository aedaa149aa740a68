import { idempotencyKeyOf, NotFoundError, ServiceError } from 'health-lab-sdk'
import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import {
  base,
  info,
  integration,
  orderOf,
  patient,
  receive,
  recipeOf,
  withOrder,
  withUsers,
} from './kit.ts'

/** Programs that fail when something happens later, or in another order, than they expect. */
export const flawedLate = [
  integration('gives a pending booking up before the service does', {
    setup: withOrder,
    scenario: async ({ client, connection, db, order }) => {
      const booking = { booking_key: 'bk_confirm_after_5m', async_confirmation: true }
      let { status } = await client.orders.bookPhlebotomyAppointment(order, booking)
      for (let checks = 0; checks < 8 && status === 'pending'; checks += 1) {
        await connection.clock?.sleep(60_000)
        ;({ status } = await client.orders.getPhlebotomyAppointment(order))
      }
      db.jobs.set(order, status === 'pending' ? 'failed' : 'booked')
    },
    check: ({ db, order, team }) => {
      const isBooked = team.appointments.list({ order_id: order, status: 'confirmed' }).length > 0
      if (db.jobs.get(order) === 'failed' && isBooked) throw new Error('it is booked')
    },
  }),
  integration('books again after a 404, with another booking key', {
    setup: withOrder,
    scenario: async ({ client, db, order, team }) => {
      const book = () =>
        client.orders.bookPhlebotomyAppointment(order, { booking_key: team.bookings.key() })
      const find = () =>
        client.orders.getPhlebotomyAppointment(order).catch((error) => {
          if (!(error instanceof NotFoundError)) throw error
        })
      const appointment = await book().catch(async (error) => {
        if (error instanceof ServiceError && error.outcome === 'rejected') throw error
        return (await find()) ?? book()
      })
      db.appointments.set(appointment.id, appointment.status)
    },
  }),
  integration('stores connections of an import whose response is 202', {
    setup: withUsers,
    scenario: async ({ client, db, users }) => {
      const connections = users.map(recipeOf)
      const body = { provider: 'oura', connections, wait_for_completion: true } as const
      await client.link.bulkImport(body)
      for (const user of users) db.connections.add(`${user}/oura`)
    },
    check: ({ db }) => ({
      stored: db.connections.size > 0 ? { connections: [...db.connections] } : {},
    }),
  }),
  integration('acknowledges events that it keeps in memory', {
    setup: (tools: ExploreTools) => withQueue(tools),
    scenario: createOrder,
    restart: ({ queue }) => {
      queue.length = 0
    },
    check: isEachOrderHandled,
  }),
  integration('replaces a confirmed night with a version that arrives hours later', {
    setup: (tools: ExploreTools) => {
      const nights = new Map<string, string>()
      receive(tools, ({ data }) => {
        for (const { id, state } of data.data ?? []) nights.set(id, state)
      })
      return { nights }
    },
    scenario: async ({ team }) => {
      const { id, values } = team.data.create({
        user_id: team.users.create().user_id,
        resource: 'sleep',
        values: { state: 'tentative', score: 60 },
      })
      await team.clock.advance('2h')
      team.data.update(id, { values: { ...values, state: 'confirmed', score: 71 } })
    },
    check: ({ nights }) => {
      if ([...nights.values()].includes('tentative')) throw new Error('an older version')
    },
  }),
  integration('sends two versions of a profile at the same time', {
    setup: base,
    scenario: async ({ client, db }) => {
      const phones = ['+16025550111', '+16025550122']
      await Promise.all(
        phones.map((phone_number) => client.users.updateInfo(patient, { ...info, phone_number })),
      )
      db.jobs.set('phone', phones[1] ?? '')
    },
    check: ({ db, team }) => {
      const phone = db.jobs.get('phone')
      if (phone && team.users.get(patient)?.info?.phone_number !== phone)
        throw new Error('another phone number')
    },
  }),
  integration('waits for an order in the background, even if it failed', {
    setup: base,
    scenario: async (context) => {
      const { client, connection, db } = context
      void client.orders
        .create(orderOf(context))
        .then(({ order }) => db.orders.set(order.id, 'created'))
        .catch(() => {})
      while (db.orders.size === 0) await connection.clock?.sleep(1_000)
    },
  }),
  integration('saves the part of a document that arrived', {
    setup: withOrder,
    scenario: async ({ connection, db, order }) => {
      const path = `/v3/order/${order}/requisition/pdf`
      const headers = { 'x-service-api-key': connection.apiKey }
      const response = await connection.fetch(`${connection.baseUrl}${path}`, { headers })
      if (!response.ok) throw new Error(`status ${response.status}`)
      const chunks: Uint8Array[] = []
      try {
        for await (const chunk of response.body ?? []) chunks.push(chunk)
      } catch {}
      db.jobs.set('document', Buffer.concat(chunks).toString('latin1'))
    },
    check: ({ db }) => {
      if (!/%%EOF\s*$/.test(db.jobs.get('document') ?? '%%EOF')) throw new Error('it is cut')
    },
  }),
]

/** Programs without bugs whose work continues in the background. */
export const correctLate = [
  integration('polls for the end of an import every ten seconds, for up to an hour', {
    setup: withUsers,
    scenario: async ({ client, connection, db, users }) => {
      const started = await client.link
        .bulkImport({ provider: 'oura', connections: users.map(recipeOf) })
        .catch(() => undefined)
      for (let check = 0; started && check < 360; check += 1) {
        const page = await client.link.listBulkOps().catch(() => undefined)
        const status = [...(page?.data ?? [])][0]?.status ?? 'in_progress'
        db.jobs.set('import', status)
        if (status !== 'in_progress') return
        await connection.clock?.sleep(10_000)
      }
    },
    check: ({ db, team }) => {
      const [op] = team.bulkOps.list()
      if (db.jobs.has('import') && op && db.jobs.get('import') !== op.status) {
        throw new Error('another status')
      }
    },
  }),
  integration('stores events in a queue, and handles them in the background', {
    setup: (tools: ExploreTools) => withQueue(tools),
    scenario: createOrder,
    restart: ({ drain }) => drain(),
    check: isEachOrderHandled,
  }),
]

/** As {@link base}, with a receiver that queues events. */
function withQueue(tools: ExploreTools) {
  const context = { ...base(tools), queue: [] as string[] }
  const drain = async () => {
    while (context.queue.length > 0) {
      await tools.connection.clock?.sleep(500)
      const id = context.queue.shift()
      if (id !== undefined) context.db.orders.set(id, 'handled')
    }
  }
  const add = ({ data }: { data: { id: string } }) => {
    context.queue.push(data.id)
    // A second event is handled by the first loop.
    if (context.queue.length === 1) void drain().catch(() => {})
  }
  receive(tools, add, ['labtest.order.created'])
  return { ...context, drain }
}

type Queued = ReturnType<typeof withQueue> & Pick<ExploreTools, 'team'>

async function createOrder(context: Queued): Promise<void> {
  const idempotencyKey = idempotencyKeyOf('basket-17')
  await context.client.orders.create(orderOf(context), { idempotencyKey }).catch(() => {})
}

function isEachOrderHandled({ db, team }: Queued): void {
  const isHandled = team.orders.list().every(({ id }) => db.orders.has(id))
  if (!isHandled) throw new Error('an event is lost')
}
