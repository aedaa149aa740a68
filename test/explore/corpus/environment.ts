import type { ExploreTools } from 'health-lab-sdk/mock/explore'
import { base, hadNoEffect, integration, type Message, orderOf, patient, receive } from './kit.ts'

type Context = ReturnType<typeof base>

/** Returns a program that reads all lab tests of the catalogue. */
function catalogueReader(
  name: string,
  read: (context: Context & ExploreTools) => Promise<readonly { id: string }[]>,
) {
  return integration(name, {
    setup: (tools) => ({ ...base(tools), known: [] as string[] }),
    scenario: async (context) => {
      const found = await read(context)
      context.known.splice(0, Number.POSITIVE_INFINITY, ...found.map(({ id }) => id))
    },
    check: ({ known, team }) => {
      const missing = team.catalogue.labTests.list().filter(({ id }) => !known.includes(id))
      if (known.length > 0 && missing.length > 0) throw new Error('lab tests are missing')
    },
  })
}

/** Returns a program that adds up the prices of the catalogue in cents. */
function priceReader(name: string, toCents: (price: unknown) => number) {
  return integration(name, {
    setup: (tools) => ({ ...base(tools), cents: [] as number[] }),
    scenario: async ({ client, cents }) => {
      const tests = await client.labTests.list({ lab_test_limit: 500 }).toArray({ limit: 500 })
      cents.push(...tests.map(({ price }) => toCents(price)))
    },
    check: ({ cents, team }) => {
      const expected = team.catalogue.labTests.list().map(({ price }) => Math.round(price * 100))
      if (cents.length > 0 && cents.join() !== expected.join()) throw new Error('other prices')
    },
  })
}

/** Returns a program that asks for the mean of a user's heart rate by day. */
function queryReader(name: string, use: (table: Record<string, unknown[]>) => unknown) {
  return integration(name, {
    setup: (tools) => {
      tools.team.users.create({ user_id: patient })
      tools.team.connections.create({ user_id: patient, provider: 'oura' })
      return base(tools)
    },
    scenario: async ({ client, team }) => {
      const { results } = await client.aggregate.query(patient, {
        timeframe: {
          type: 'relative',
          anchor: team.clock.now().toISOString().slice(0, 10),
          past: { value: 7, unit: 'day' },
        },
        queries: [
          {
            select: [{ arg: { activity: 'steps' }, func: 'sum' }, { group_key: '*' }],
            group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'activity' } }],
          },
        ],
      })
      for (const { table } of results) use({ ...table })
    },
  })
}

/** Returns a program that stores the connections of users. */
function connectionReceiver(
  name: string,
  handle: (type: string, key: string, context: Context) => void,
) {
  return integration(name, {
    setup: (tools: ExploreTools) => {
      const context = base(tools)
      receive(
        tools,
        ({ type, user, data }) => handle(type, `${user}/${data.provider?.slug}`, context),
        ['provider.connection.*'],
      )
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      team.connections.create({ user_id: patient, provider: 'oura' })
      await team.webhooks.idle()
    },
    restart: () => {},
    check: ({ db, team }) => {
      const { size } = team.connections
      if (db.people.length !== size) throw new Error('other connections')
    },
  })
}

/** Returns a program that stores the newest version of each sleep under a key, for two days. */
function sleepReceiver(
  name: string,
  keyOf: (sleep: { id: string; calendar_date: string }) => string,
) {
  return integration(name, {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), sleeps: new Map<string, string>(), until: 0 }
      const store = ({ data }: Message) => {
        for (const sleep of data.data ?? []) {
          const known = context.sleeps.get(keyOf(sleep)) ?? ''
          // The text begins with the time, by which it is compared.
          const version = `${sleep.updated_at} ${sleep.id}`
          if (version > known) context.sleeps.set(keyOf(sleep), version)
        }
      }
      receive(tools, store, ['daily.data.sleep.*'])
      tools.team.users.create({ user_id: patient, connections: ['oura'], living: true })
      return context
    },
    scenario: async (context) => {
      await context.team.clock.advance('2d')
      // Later sleeps may still be on their way when the check runs.
      context.until = context.team.clock.now().getTime() - 12 * 3_600_000
    },
    check: ({ sleeps, team, until }) => {
      const ids = new Set([...sleeps.values()].map((version) => version.split(' ')[1]))
      const sent = team
        .truth(patient, 'sleep')
        .filter(({ bedtime_stop }) => Date.parse(String(bedtime_stop)) < until)
      if (sent.some(({ id }) => !ids.has(String(id)))) throw new Error('a sleep is missing')
    },
  })
}

/** Returns a program that stores summaries of activity. */
function summaryReceiver(
  name: string,
  handle: (
    records: { calendar_date: string; steps: number; id: string }[],
    db: Context['db'],
  ) => unknown,
) {
  return integration(name, {
    setup: (tools: ExploreTools) => {
      const context = base(tools)
      receive(tools, ({ data }) => handle(data.data, context.db), ['daily.data.activity.*'])
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      team.trigger('daily.data.activity.created', {
        user_id: patient,
        data: { data: [{ id: 'day-1', calendar_date: '2025-06-01', steps: 5000 }] },
      })
      await team.webhooks.idle()
    },
  })
}

/** Programs that take the environment for granted. */
export const flawedEnvironment = [
  catalogueReader(
    'reads only the first page',
    async ({ client }) => (await client.labTests.list()).data,
  ),
  catalogueReader('ends at a page with fewer records than it asked for', async ({ client }) => {
    const found = []
    for (let cursor: string | null | undefined; ; ) {
      const page = await client.labTests.list({ lab_test_limit: 10, next_cursor: cursor })
      found.push(...page.data)
      cursor = page.next_cursor
      if (page.data.length < 10) return found
    }
  }),
  catalogueReader('ends at an empty page', async ({ client }) => {
    const found = []
    for (let cursor: string | null | undefined; ; ) {
      const page = await client.labTests.list({ lab_test_limit: 10, next_cursor: cursor })
      found.push(...page.data)
      cursor = page.next_cursor
      if (page.data.length === 0 || !cursor) return found
    }
  }),
  priceReader('cuts prices off', (price) => Math.floor(Number(price) * 100)),
  priceReader('takes a price of 0 for no price', (price) => Math.round(Number(price || 1) * 100)),
  queryReader('formats each cell as a number', (table) => {
    return table['sum']?.map((steps) => Object(steps ?? '').toFixed(0))
  }),
  queryReader('reads the first row of a result', (table) => {
    const [first] = Object.values(table)[0] ?? []
    if (first === undefined) throw new TypeError('no first row')
  }),
  queryReader('takes the first column for the steps', (table) => {
    const [name] = Object.keys(table)
    if (name?.includes('group_key')) throw new TypeError('no steps')
  }),
  sleepReceiver('stores one sleep for each day', ({ calendar_date }) => calendar_date),
  connectionReceiver('stores each connection that is created', (type, key, { db }) => {
    if (type === 'provider.connection.created') db.people.push(key)
  }),
  summaryReceiver('reads the first record of an event', ([record], db) => {
    if (!record) throw new Error('no record')
    db.orders.set(record.id, String(record.steps))
  }),
  summaryReceiver('formats the steps of a record', (records, db) => {
    for (const { id, steps } of records) db.orders.set(id, steps.toFixed(0))
  }),
  summaryReceiver('rejects steps below zero', (records, db) => {
    for (const { id, steps } of records) {
      if (steps < 0) throw new RangeError('negative steps')
      db.orders.set(id, String(steps))
    }
  }),
  catalogueReader('inserts each lab test of all pages', async ({ client }) => {
    const found = await client.labTests.list({ lab_test_limit: 10 }).toArray({ limit: 1000 })
    if (new Set(found.map(({ id }) => id)).size < found.length) throw new Error('duplicate key')
    return found
  }),
  catalogueReader('takes an empty first page for an empty catalogue', async ({ client }) => {
    const list = await client.labTests.list({ lab_test_limit: 10 })
    if (list.data.length === 0) throw new Error('no lab tests')
    return client.labTests.list({ lab_test_limit: 10 }).toArray({ limit: 1000 })
  }),
  integration('starts again only on the day of the crash', {
    setup: base,
    scenario: async (context) => {
      context.db.cursor = context.team.clock.now().getTime()
      await context.client.link.listProviders()
    },
    restart: ({ db, team }) => {
      const hours = (team.clock.now().getTime() - db.cursor) / 3_600_000
      if (hours > 24) throw new Error('the job is too old')
    },
  }),
  integration('reads all lab tests with the deprecated operation', {
    setup: base,
    scenario: async ({ client }) => {
      await client.request('GET', '/v3/lab_tests')
    },
  }),
  integration('remembers handled events for a day', {
    setup: (tools: ExploreTools) => {
      const context = { ...base(tools), seen: new Map<string, number>() }
      const { clock } = tools.team
      receive(
        tools,
        ({ id }) => {
          const now = clock.now().getTime()
          const seen = context.seen.get(id) ?? Number.NEGATIVE_INFINITY
          if (now - seen < 4 * 3_600_000) return
          context.seen.set(id, now)
          context.db.people.push(id)
        },
        ['daily.data.activity.created'],
      )
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      team.trigger('daily.data.activity.created', { user_id: patient, data: { data: [] } })
      await team.webhooks.idle()
    },
    check: ({ db, team }) => {
      if (db.people.length > team.events.list('daily.*').length) throw new Error('counted twice')
    },
  }),
  integration('gives up an order that was interrupted more than an hour ago', {
    setup: (tools: ExploreTools) => ({ ...base(tools), started: { at: 0 } }),
    scenario: async (context) => {
      context.started.at = context.team.clock.now().getTime()
      await orderOnce(context)
    },
    restart: async (context) => {
      const isFresh = context.team.clock.now().getTime() - context.started.at < 3_600_000
      if (isFresh) await orderOnce(context)
    },
    check: ({ team, db }) => {
      const isKnown = db.orders.size === team.orders.size
      if (!isKnown && db.people.length === 0) throw new Error('an order is lost')
    },
  }),
]

async function orderOnce(context: Context & ExploreTools): Promise<void> {
  const { client, db } = context
  try {
    const { order } = await client.orders.create(orderOf(context), { idempotencyKey: 'order-1' })
    db.orders.set(order.id, 'created')
  } catch (error) {
    if (!hadNoEffect(error)) db.people.push('order')
  }
}

/** Programs that expect what the service may do. */
export const correctEnvironment = [
  sleepReceiver('stores each sleep by its id', ({ id }) => id),
  catalogueReader('reads all pages with the client', ({ client }) =>
    client.labTests.list({ lab_test_limit: 10 }).toArray({ limit: 1000 }),
  ),
  catalogueReader('reads all pages by their cursors', async ({ client }) => {
    const found = []
    for (let cursor: string | null | undefined; ; ) {
      const page = await client.labTests.list({ lab_test_limit: 10, next_cursor: cursor })
      found.push(...page.data)
      cursor = page.next_cursor
      if (!cursor) return found
    }
  }),
  priceReader('rounds prices to cents', (price) => Math.round(Number(price) * 100)),
  queryReader('reads cells by the names of their columns, and accepts empty ones', (table) => {
    const values = Object.values(table).flat()
    return values.filter((value) => typeof value === 'number').map((value) => value.toFixed(0))
  }),
  connectionReceiver('stores each connection once', (type, key, { db }) => {
    if (type !== 'provider.connection.created') return
    if (!db.people.includes(key)) db.people.push(key)
  }),
  summaryReceiver('stores records with and without steps', (records, db) => {
    for (const { id, steps } of records ?? []) db.orders.set(id, String(steps ?? 'unknown'))
  }),
]
