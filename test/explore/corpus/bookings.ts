import { InternalServerError, NotFoundError, ServiceError, TimeoutError } from 'health-lab-sdk'
import { hadNoEffect, integration, orderOf, receive, withOrder } from './kit.ts'

type Context = ReturnType<typeof withOrder>

/** Programs that book appointments, each with a bug. */
export const flawedBookings = [
  integration('books again after a 500', {
    setup: withOrder,
    scenario: async (context) => {
      const appointment = await book(context).catch((error) => {
        if (error instanceof InternalServerError) return book(context)
        throw error
      })
      context.db.appointments.set(appointment.id, appointment.status)
    },
  }),
  integration('takes a pending appointment for a confirmed one', {
    setup: withOrder,
    scenario: async (context) => {
      const { id } = await book(context)
      context.db.appointments.set(id, 'confirmed')
    },
    check: ({ db, team }) => {
      for (const [id, status] of db.appointments) {
        if (team.appointments.get(id)?.status !== status) throw new Error('another status')
      }
    },
  }),
  integration('books again after a 404', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      const find = () => client.orders.getPhlebotomyAppointment(order)
      const appointment = await book(context).catch(() =>
        find().catch((error) => {
          if (error instanceof NotFoundError) return book(context)
          throw error
        }),
      )
      db.appointments.set(appointment.id, appointment.status)
    },
  }),
  integration('takes a timeout for a failure', {
    setup: withOrder,
    scenario: async (context) => {
      const { db, order } = context
      try {
        const { id, status } = await book(context)
        db.appointments.set(id, status)
      } catch (error) {
        if (!(error instanceof TimeoutError)) throw error
        db.jobs.set(order, 'failed')
      }
    },
    check: ({ db, order, team }) => {
      const isBooked = team.appointments.list({ order_id: order }).length > 0
      if (db.jobs.get(order) === 'failed' && isBooked) throw new Error('it is booked')
    },
  }),
  integration('takes every error for a failure', {
    setup: withOrder,
    scenario: async (context) => {
      const { db, order } = context
      try {
        const { id, status } = await book(context)
        db.appointments.set(id, status)
      } catch {
        db.jobs.set(order, 'failed')
      }
    },
    check: ({ db, order, team }) => {
      const isBooked = team.appointments.list({ order_id: order }).length > 0
      if (db.jobs.get(order) === 'failed' && isBooked) throw new Error('it is booked')
    },
  }),
  integration('creates another order when a booking fails', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, team } = context
      const appointment = await book(context).catch(async () => {
        const { order } = await client.orders.create(orderOf(context))
        return client.orders.bookPhlebotomyAppointment(order.id, {
          booking_key: team.bookings.key(),
        })
      })
      db.appointments.set(appointment.id, appointment.status)
    },
  }),
  integration('takes any status but pending for confirmed', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      let appointment = await book(context)
      while (appointment.status === 'pending') {
        await context.connection.clock?.sleep(60_000)
        appointment = await client.orders.getPhlebotomyAppointment(order)
      }
      db.appointments.set(appointment.id, 'confirmed')
    },
    check: ({ db, team }) => {
      for (const [id, status] of db.appointments) {
        if (team.appointments.get(id)?.status !== status) throw new Error('another status')
      }
    },
  }),
  integration('checks a pending appointment only once', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      const { status } = await book(context)
      if (status === 'pending') await context.connection.clock?.sleep(60_000)
      const appointment = await client.orders.getPhlebotomyAppointment(order)
      const result = appointment.status === 'confirmed' ? 'booked' : 'failed'
      db.jobs.set(order, result)
    },
    check: ({ db, order, team }) => {
      const isBooked = team.appointments.list({ order_id: order, status: 'confirmed' }).length > 0
      if (db.jobs.get(order) === 'failed' && isBooked) throw new Error('it is booked')
    },
  }),
  integration('books again after a crash', {
    setup: withOrder,
    scenario: bookAndStore,
    restart: async (context) => {
      if (context.db.appointments.size === 0) await bookAndStore(context)
    },
  }),
  integration('waits forever for an appointment that is cancelled', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      let { id, status } = await book(context)
      while (status !== 'confirmed') {
        await context.connection.clock?.sleep(60_000)
        ;({ id, status } = await client.orders.getPhlebotomyAppointment(order))
      }
      db.appointments.set(id, status)
    },
  }),
  integration('stores the status of the response and never again', {
    setup: withOrder,
    scenario: bookAndStore,
    check: ({ db, team }) => {
      for (const [id, status] of db.appointments) {
        if (team.appointments.get(id)?.status !== status) throw new Error('another status')
      }
    },
  }),
  integration('drops the time zone', {
    setup: withOrder,
    scenario: async (context) => {
      const { id, start_at } = await book(context)
      context.db.appointments.set(id, (start_at ?? '').slice(0, 16))
    },
    check: ({ db }) => ({
      stored: {
        appointments: [...db.appointments].map(([id, start_at]) => ({ id, start_at })),
      },
    }),
  }),
  integration('hides a lost booking behind the next error', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      try {
        const { id, status } = await book(context)
        db.appointments.set(id, status)
      } catch (error) {
        if (hadNoEffect(error)) throw error
        const found = await client.orders.getPhlebotomyAppointment(order).catch(() => undefined)
        if (found) db.appointments.set(found.id, found.status)
        else db.jobs.set(order, 'not booked')
      }
    },
    check: ({ db, order, team }) => {
      const isBooked = team.appointments.list({ order_id: order }).length > 0
      if (db.jobs.get(order) === 'not booked' && isBooked) throw new Error('it is booked')
    },
  }),
  integration('cancels the case when the service is rate limited', {
    setup: withOrder,
    scenario: async (context) => {
      const { client, db, order } = context
      const { id } = await book(context)
      db.appointments.set(id, 'booked')
      db.jobs.set(order, 'booked')
      try {
        await client.orders.getPhlebotomyAppointment(order, { maxRetries: 0 })
      } catch (error) {
        if (error instanceof ServiceError) db.appointments.delete(id)
      }
    },
    check: ({ db, order }) => {
      if (db.jobs.get(order) === 'booked' && db.appointments.size === 0)
        throw new Error('forgotten')
    },
  }),
  integration('expects that the event comes before the response', {
    setup: (tools) => {
      const context = withOrder(tools)
      receive(tools, ({ data }) => context.db.seen.add(data.id), ['labtest.appointment.created'])
      return context
    },
    scenario: async (context) => {
      const { id, status } = await book(context)
      await context.team.webhooks.idle()
      if (!context.db.seen.has(id)) context.db.jobs.set(id, 'unknown appointment')
      context.db.appointments.set(id, status)
    },
    check: ({ db }) => {
      if (db.jobs.size > 0) throw new Error('the case was closed')
    },
  }),
]

function book({ client, order, booking_key }: Context) {
  return client.orders.bookPhlebotomyAppointment(order, { booking_key, async_confirmation: true })
}

async function bookAndStore(context: Context): Promise<void> {
  const { id, status } = await book(context)
  context.db.appointments.set(id, status)
}
