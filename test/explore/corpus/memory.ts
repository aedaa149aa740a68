import { setTimeout as pause } from 'node:timers/promises'
import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import { base, integration, type Message, patient, receive } from './kit.ts'

type Context = ReturnType<typeof base>

/** A handler of events: what a receiver does before its response. */
type Handle = (message: Message, context: Context & ExploreTools) => unknown

/** Creates a program whose receiver must count each event once. */
function counter(name: string, handle: Handle, restart = (_: Context) => {}) {
  return integration(name, {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), ...tools }
      receive(tools, (message) => handle(message, context), ['daily.data.*'])
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      for (const id of ['day-1', 'day-2']) {
        team.trigger('daily.data.activity.created', {
          user_id: patient,
          data: { data: [{ id, steps: 5000 }] },
        })
        await team.webhooks.idle()
        await team.clock.advance('10s')
      }
    },
    restart,
    check: ({ db, team }) => {
      const events = team.events.list('daily.data.*').map(({ id }) => id)
      const missing = events.filter((id) => !db.people.includes(id))
      if (missing.length > 0 || db.people.length > events.length) {
        throw new Error('an event was counted twice or never')
      }
    },
  })
}

async function store({ id }: Message, { db }: Context): Promise<void> {
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  if (!db.people.includes(id)) db.people.push(id)
}

/** Receivers that acknowledge an event first and handle it in memory, where a crash loses it. */
export const flawedMemory = [
  counter(
    'acknowledges an event, and stores it in a promise that nothing awaits',
    (message, context) => {
      void store(message, context)
    },
  ),
  counter(
    'acknowledges an event, and stores it in a task of the event loop',
    (message, context) => {
      setImmediate(() => void store(message, context))
    },
  ),
  counter('acknowledges an event, and stores it after a timer', (message, context) => {
    setTimeout(() => void store(message, context), 0)
  }),
  counter('acknowledges an event, and stores it after a promised timer', (message, context) => {
    void pause(0).then(() => store(message, context))
  }),
  counter('acknowledges an event, and stores it a second later', (message, context) => {
    void context.connection.clock?.sleep(1000).then(() => store(message, context))
  }),
  counter('acknowledges an event, and reads the user before it stores it', (message, context) => {
    void context.client.link.listProviders().then(
      () => store(message, context),
      () => {},
    )
  }),
]

/** Receivers that store an event before they acknowledge it. */
export const correctMemory = [
  counter('stores an event, and acknowledges it then', store),
  counter(
    'stores an event in a task of the event loop, and acknowledges it then',
    async (...event) => {
      await new Promise((resolve) => setImmediate(resolve))
      await store(...event)
    },
  ),
  counter(
    'writes an event to a queue that survives, and handles it later',
    async (message, context) => {
      const { db } = context
      if (!db.jobs.has(message.id)) db.jobs.set(message.id, 'waiting')
      void context.connection.clock?.sleep(1000).then(() => drain(context))
    },
    drain,
  ),
]

function drain({ db }: Context): void {
  for (const [id, state] of db.jobs) {
    if (state === 'waiting') db.people.push(id)
    db.jobs.set(id, 'done')
  }
}
