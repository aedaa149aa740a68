import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import { base, integration, type Message, patient, receive, withOrder } from './kit.ts'

type Context = ReturnType<typeof withOrder>

/** Creates a program that books, and whose receiver is the part with the bug. */
function receiver(
  name: string,
  handle: (message: Message, context: Context & ExploreTools) => unknown,
  check: (context: Context & ExploreTools) => void,
  types: readonly string[] = ['labtest.appointment.*'],
) {
  return integration(name, {
    setup: (tools: ExploreTools) => {
      const context = { ...withOrder(tools), ...tools }
      receive(tools, (message) => handle(message, context), types)
      return context
    },
    scenario: async ({ client, order, booking_key, team }) => {
      await client.orders.bookPhlebotomyAppointment(order, { booking_key })
      await team.webhooks.idle()
      const [appointment] = team.appointments.list()
      if (!appointment) return
      team.appointments.transition(appointment.id, 'in_progress')
      await team.webhooks.idle()
      team.appointments.transition(appointment.id, 'completed')
    },
    restart: () => {},
    check,
  })
}

/** Checks that the receiver counted each event once. */
function countedOnce({ db, team }: Context & ExploreTools): void {
  const events = team.events.list('labtest.appointment.*').length
  if (db.people.length !== events) throw new Error('an event was counted twice or never')
}

/** Checks that the receiver has the current statuses. */
function hasStatuses({ db, team }: Context & ExploreTools): void {
  for (const { id, status } of team.appointments.list()) {
    if (db.appointments.get(id) !== status) throw new Error('another status')
  }
}

/** Programs that receive events, each with a bug. */
export const flawedEvents = [
  receiver(
    'handles an event again when it is delivered twice',
    ({ id }, { db }) => db.people.push(id),
    countedOnce,
  ),
  receiver(
    'marks an event as handled before it handles it',
    async ({ id }, { db, client, order }) => {
      if (db.seen.has(id)) return
      db.seen.add(id)
      await client.orders.getPhlebotomyAppointment(order, { maxRetries: 0 })
      db.people.push(id)
    },
    countedOnce,
  ),
  receiver(
    'marks an event as handled only after it handled it, so that two deliveries at once both count',
    async ({ id }, { db, client, order }) => {
      if (db.seen.has(id)) return
      await client.orders.getPhlebotomyAppointment(order)
      db.people.push(id)
      db.seen.add(id)
    },
    countedOnce,
  ),
  receiver(
    'acknowledges an event before it handles it',
    ({ id }, { db, client, order }) => {
      if (db.seen.has(id)) return
      db.seen.add(id)
      client.orders
        .getPhlebotomyAppointment(order, { maxRetries: 0 })
        .then(() => db.people.push(id))
        .catch(() => {})
    },
    countedOnce,
  ),
  receiver(
    'stores the status of the event that arrives last',
    ({ data }, { db }) => db.appointments.set(data.id, data.status),
    hasStatuses,
  ),
  receiver(
    'rejects event types that it does not know',
    ({ type, data }, { db, team }) => {
      if (!type.startsWith('labtest.')) throw new Error('unknown type')
      if (!type.startsWith('labtest.appointment.')) return
      const status = team.appointments.get(data.id)?.status ?? data.status
      db.appointments.set(data.id, status)
    },
    () => {},
    ['*'],
  ),
  receiver(
    'rejects statuses that it does not know',
    ({ data }) => {
      if (
        !['pending', 'confirmed', 'in_progress', 'completed', 'cancelled'].includes(data.status)
      ) {
        throw new Error('unknown status')
      }
    },
    () => {},
  ),
  receiver(
    'takes events of the same type for duplicates',
    ({ type, user, data }, { db }) => {
      if (db.seen.has(`${type} ${user}`)) return
      db.seen.add(`${type} ${user}`)
      db.appointments.set(data.id, data.status)
    },
    hasStatuses,
  ),
  receiver(
    'acknowledges an event that it could not handle',
    async ({ data }, { db, client, order }) => {
      try {
        const { id, status } = await client.orders.getPhlebotomyAppointment(order)
        db.appointments.set(id, status)
      } catch {
        db.people.push(data.id)
      }
    },
    hasStatuses,
  ),
  receiver(
    'drops an update of an appointment that it does not know yet',
    ({ type, data }, { db }) => {
      const isKnown = db.appointments.has(data.id)
      if (type === 'labtest.appointment.created' && !isKnown)
        db.appointments.set(data.id, data.status)
      const isLater = rankOf(data.status) > rankOf(db.appointments.get(data.id))
      if (isKnown && isLater) db.appointments.set(data.id, data.status)
    },
    hasStatuses,
  ),
  receiver(
    'accepts statuses in one order only',
    ({ data }, { db }) => {
      const order = ['confirmed', 'in_progress', 'completed']
      const at = order.indexOf(db.appointments.get(data.id) ?? '')
      if (order.indexOf(data.status) === at + 1) db.appointments.set(data.id, data.status)
    },
    hasStatuses,
  ),
  receiver(
    'fails when the same event arrives again',
    ({ id }, { db }) => {
      if (db.seen.has(id)) throw new Error('duplicate')
      db.seen.add(id)
    },
    () => {},
  ),
  integration('never replaces a tentative night', {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), nights: new Map<string, number>() }
      receive(tools, ({ data }) => {
        for (const { id, total } of data.data) {
          if (!context.nights.has(id)) context.nights.set(id, total)
        }
      })
      return context
    },
    scenario: async ({ team }) => {
      await sendNights(team, [25_000, 27_000])
    },
    check: ({ nights }) => {
      if ([...nights.values()][0] !== 27_000) throw new Error('the tentative night was kept')
    },
  }),
  integration('replaces a confirmed night with a late tentative one', {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), nights: new Map<string, number>() }
      receive(tools, ({ data }) => {
        for (const { id, total } of data.data) context.nights.set(id, total)
      })
      return context
    },
    scenario: async ({ team }) => {
      await sendNights(team, [25_000, 27_000])
    },
    check: ({ nights }) => {
      if ([...nights.values()][0] !== 27_000) throw new Error('the tentative night came back')
    },
  }),
  integration('adds the steps of every event', {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), total: { steps: 0 } }
      receive(tools, ({ data }) => {
        for (const { steps } of data.data) context.total.steps += steps
      })
      return context
    },
    scenario: async ({ team }) => {
      team.trigger('daily.data.activity.created', {
        user_id: patient,
        data: { data: [{ id: 'day-1', steps: 5000 }] },
      })
      await team.webhooks.idle()
    },
    check: ({ total }) => {
      if (total.steps !== 5000) throw new Error('other steps')
    },
  }),
]

/** Sends a night, first tentative and then confirmed. */
async function sendNights(team: ExploreTools['team'], totals: readonly number[]): Promise<void> {
  for (const [index, total] of totals.entries()) {
    const type = index === 0 ? 'daily.data.sleep.created' : 'daily.data.sleep.updated'
    team.trigger(type, { user_id: patient, data: { data: [{ id: 'night-1', total }] } })
    await team.webhooks.idle()
    await team.clock.advance('1m')
  }
}

function rankOf(status = ''): number {
  return ['pending', 'confirmed', 'in_progress', 'completed'].indexOf(status)
}
