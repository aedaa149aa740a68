import { NotFoundError, RateLimitError, ServiceError } from 'health-lab-sdk'
import { eventHandler } from 'health-lab-sdk/events'
import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import {
  base,
  hadNoEffect,
  info,
  insurance,
  integration,
  orderOf,
  patient,
  receive,
  recipeOf,
  withOrder,
  withUsers,
} from './kit.ts'

type Context = ReturnType<typeof withOrder>

/** Programs without bugs. */
export const correct = [
  integration('orders once, and asks a person when the outcome is unknown', {
    setup: base,
    scenario: orderCarefully,
    restart: ({ db }) => {
      if (db.jobs.get('order') === 'sending') db.people.push('order')
    },
    check: ({ db, team }) => {
      const isKnown = db.orders.size === team.orders.size || db.people.length > 0
      if (!isKnown) throw new Error('an order is lost')
    },
  }),
  integration('orders again with the idempotency key that it stored before', {
    setup: base,
    scenario: orderWithKey,
    restart: orderWithKey,
    check: ({ db, team }) => {
      const isOpen = db.jobs.get('order') !== 'done'
      if (!isOpen && db.orders.size !== team.orders.size) throw new Error('an order is lost')
    },
  }),
  integration('books once, and follows the appointment', {
    setup: withOrder,
    scenario: bookCarefully,
    restart: follow,
    check: isFollowed,
  }),
  integration('books, and stores what events say about the current appointment', {
    setup: (tools: ExploreTools) => {
      const context = { ...withOrder(tools), ...tools }
      receive(tools, () => refresh(context), ['labtest.appointment.*'])
      return context
    },
    scenario: async (context) => {
      const { client, order, booking_key } = context
      await client.orders
        .bookPhlebotomyAppointment(order, { booking_key, async_confirmation: true })
        .catch(() => {})
    },
    restart: () => {},
    check: ({ db, team }) => {
      const records = team.appointments.list().map(({ id, status }) => [id, status])
      const isEqual = JSON.stringify(records) === JSON.stringify([...db.appointments])
      if (!isEqual) throw new Error('another state')
    },
  }),
  integration('counts each event once, with the handler of the package', {
    setup: (tools: ExploreTools) => {
      const context = withOrder(tools)
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
      const count = (_: object, { id }: { id: string }) => context.db.people.push(id)
      const handler = eventHandler({ secrets: secret, on: {}, fallback: count })
      tools.team.webhooks.add({ secret, handler })
      return context
    },
    scenario: async ({ client, order, booking_key }) => {
      await client.orders.bookPhlebotomyAppointment(order, { booking_key }).catch(() => {})
    },
    restart: () => {},
    check: ({ db }) => ({ stored: { events: db.people } }),
  }),
  integration('imports in batches, and asks a person about a batch with an unknown outcome', {
    setup: withUsers,
    scenario: importCarefully,
    restart: async (context) => {
      if (context.db.jobs.get('batch') === 'sending') skipBatch(context)
      await importCarefully(context)
    },
    check: ({ db, team, users }) => {
      const missing = users.filter((user) => !team.connections.has(user, 'oura'))
      const unknown = missing.filter((user) => !db.people.includes(user))
      if (db.cursor >= users.length && unknown.length > 0) throw new Error('users are missing')
    },
  }),
  integration('creates an insurance once', {
    setup: base,
    scenario: async ({ client, db }) => {
      db.jobs.set('insurance', 'sending')
      try {
        const { member_id } = await client.insurance.create(patient, insurance)
        db.insurances.add(member_id)
        db.jobs.set('insurance', 'done')
      } catch (error) {
        if (hadNoEffect(error)) db.jobs.set('insurance', 'rejected')
        throw error
      }
    },
    restart: () => {},
    check: ({ db, team }) => {
      const isOpen = db.jobs.get('insurance') === 'sending'
      if (!isOpen && team.insurances.size !== db.insurances.size) throw new Error('another state')
    },
  }),
  integration('updates a profile until it is saved', {
    setup: base,
    scenario: ({ client, db }) => saveProfile(client, db),
    restart: ({ client, db }) => saveProfile(client, db),
    check: ({ db, team }) => {
      if (db.jobs.get('profile') === 'saved' && !team.users.get(patient)?.info) {
        throw new Error('not saved')
      }
    },
  }),
  integration('replaces its markers only when it has read all pages', {
    setup: (tools) => ({ ...base(tools), markers: [] as number[] }),
    scenario: async (context) => {
      const found = await context.client.labTests.listMarkers({ size: 20 }).toArray({ limit: 1000 })
      context.markers.splice(0, Number.POSITIVE_INFINITY, ...found.map(({ id }) => id))
    },
    check: ({ markers, team }) => {
      const isComplete = markers.length === team.catalogue.markers.size
      if (markers.length > 0 && !isComplete) throw new Error('markers are missing')
    },
  }),
  integration('deletes a connection, and accepts that it is gone already', {
    setup: (tools: ExploreTools) => {
      tools.team.users.create({ user_id: patient })
      tools.team.connections.create({ user_id: patient, provider: 'oura' })
      const context = base(tools)
      context.db.connections.add(`${patient}/oura`)
      return context
    },
    scenario: disconnect,
    restart: disconnect,
    check: ({ db, team }) => {
      if (db.connections.size === 0 && team.connections.size > 0) throw new Error('still connected')
    },
  }),
  integration('keeps the newest version of a night', {
    setup: (tools: ExploreTools) => {
      const context = {
        ...base(tools),
        nights: new Map<string, { total: number; version: number }>(),
      }
      receive(tools, ({ data }) => {
        for (const { id, total, version } of data.data ?? []) {
          const known = context.nights.get(id)
          if (!known || known.version < version) context.nights.set(id, { total, version })
        }
      })
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      for (const [version, total] of [25_000, 27_000].entries()) {
        const type = version === 0 ? 'daily.data.sleep.created' : 'daily.data.sleep.updated'
        team.trigger(type, {
          user_id: patient,
          data: { data: [{ id: 'night-1', total, version }] },
        })
        await team.webhooks.idle()
      }
    },
    check: ({ nights }) => {
      if (nights.get('night-1')?.total !== 27_000) throw new Error('another night')
    },
  }),
  integration('waits for an appointment with the client, and stores how it ended', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order, booking_key } = context
      await client.orders.bookPhlebotomyAppointment(order, {
        booking_key,
        async_confirmation: true,
      })
      const found = await client.orders.waitForAppointment(order)
      db.appointments.set(found.id, found.status)
    },
    check: ({ db, team }) => {
      for (const [id, status] of db.appointments) {
        if (team.appointments.get(id)?.status !== status) throw new Error('another status')
      }
    },
  }),
  integration('waits as long as a rate limit says', {
    setup: (tools) => ({ ...base(tools), providers: new Set<string>() }),
    scenario: async ({ client, providers, connection }) => {
      const list = () => client.link.listProviders({}, { maxRetries: 0 })
      const found = await list().catch(async (error) => {
        if (!(error instanceof RateLimitError)) throw error
        await connection.clock?.sleep(10_000)
        return list()
      })
      for (const { slug } of found) providers.add(slug)
    },
    check: ({ providers, team }) => {
      if (providers.size > 0 && providers.size !== team.providers.size) throw new Error('missing')
    },
  }),
]

async function orderCarefully(context: ReturnType<typeof base> & ExploreTools): Promise<void> {
  const { client, db } = context
  db.jobs.set('order', 'sending')
  try {
    const { order } = await client.orders.create(orderOf(context))
    db.orders.set(order.id, order.status ?? '')
    db.jobs.set('order', 'done')
  } catch (error) {
    db.jobs.set('order', 'failed')
    if (!hadNoEffect(error)) db.people.push('order')
  }
}

async function orderWithKey(context: ReturnType<typeof base> & ExploreTools): Promise<void> {
  const { client, db } = context
  db.jobs.set('order', 'order-1')
  for (let attempt = 1; attempt <= 3 && db.orders.size === 0; attempt += 1) {
    try {
      const { order } = await client.orders.create(orderOf(context), { idempotencyKey: 'order-1' })
      db.orders.set(order.id, order.status ?? '')
      db.jobs.set('order', 'done')
    } catch {
      await context.connection.clock?.sleep(60_000)
    }
  }
}

async function bookCarefully(context: Context & ExploreTools): Promise<void> {
  const { client, db, order, booking_key } = context
  db.jobs.set(order, 'sending')
  try {
    await client.orders.bookPhlebotomyAppointment(order, { booking_key, async_confirmation: true })
  } catch (error) {
    if (hadNoEffect(error)) {
      db.jobs.set(order, 'rejected')
      return
    }
  }
  await follow(context)
}

/** Checks until the booking is over; a 404 proves nothing. */
async function follow(context: Context & ExploreTools): Promise<void> {
  const { client, db, order, connection } = context
  if (db.jobs.get(order) !== 'sending') return
  for (let minute = 0; minute <= 17; minute += 1) {
    const found = await client.orders.getPhlebotomyAppointment(order).catch(() => undefined)
    if (found && ['confirmed', 'cancelled'].includes(found.status)) {
      db.jobs.set(order, 'done')
      db.appointments.set(found.id, found.status)
      return
    }
    await connection.clock?.sleep(60_000)
  }
  db.jobs.set(order, 'ask')
}

function isFollowed({ db, order, team }: Context & ExploreTools): void {
  if (db.jobs.get(order) === 'ask') return
  for (const { id, status } of team.appointments.list()) {
    if (db.appointments.get(id) !== status) throw new Error('another status')
  }
}

async function refresh({ client, db, order }: Context): Promise<void> {
  const { id, status } = await client.orders.getPhlebotomyAppointment(order)
  db.appointments.set(id, status)
}

type Users = ReturnType<typeof withUsers>

async function importCarefully(context: Users): Promise<void> {
  const { client, db, users } = context
  while (db.cursor < users.length) {
    const connections = users.slice(db.cursor, db.cursor + 2).map(recipeOf)
    db.jobs.set('batch', 'sending')
    try {
      await client.link.bulkImport({ provider: 'oura', connections })
      db.jobs.set('batch', 'sent')
      db.cursor += 2
    } catch (error) {
      db.jobs.set('batch', 'sent')
      if (hadNoEffect(error)) throw error
      skipBatch(context)
    }
  }
}

function skipBatch({ db, users }: Users): void {
  db.people.push(...users.slice(db.cursor, db.cursor + 2))
  db.jobs.set('batch', 'asked')
  db.cursor += 2
}

type Base = ReturnType<typeof base>

async function saveProfile(client: Base['client'], db: Base['db']): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    try {
      await client.users.updateInfo(patient, info)
      db.jobs.set('profile', 'saved')
      return
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
}

async function disconnect({ client, db }: Base): Promise<void> {
  await client.link.deleteConnection(patient, 'oura').catch((error) => {
    if (!(error instanceof NotFoundError)) throw error
  })
  db.connections.delete(`${patient}/oura`)
}
