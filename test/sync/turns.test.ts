import { expect, it } from 'vitest'
import { parseEvent } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import type { PgliteDatabase } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { heartrateEvent, user } from './synced-schema.ts'

/** Returns a database that responds in the same turn of the event loop, and the values of its statements. */
function immediate() {
  const values: unknown[] = []
  const database: PgliteDatabase = {
    async query(_, given = []) {
      values.push(...given)
      return { rows: [] }
    },
    transaction: (run) => run(database),
  }
  return { database, values }
}

/** Returns the number of turns of the event loop while a function runs. */
async function turnsOf(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await run()
  isOver = true
  return turns
}

/** Stores an event, and returns the number of turns and the values of the statements. */
async function store(event: { event_type: string; user_id?: string; data: unknown }) {
  const { database, values } = immediate()
  const { listeners } = createSync({ database })
  const tx = {
    query: async (text: string, given: unknown[] = []) => {
      const { rows } = await database.query(text, given)
      return { rows: rows as Record<string, unknown>[] }
    },
  }
  const message = { id: 'm', timestamp: new Date() }
  const parsed = parseEvent({ user_id: user, ...event })
  const turns = await turnsOf(() => listeners.transaction(tx, parsed, message))
  return { turns, values }
}

const meals = (data: object[]) => ({ event_type: 'daily.data.meal.created', data: { data } })
const mood = (text: string) => ({ event_type: 'mood.created', user_id: '', data: { text } })

it.each([
  ['empty items', heartrateEvent(Array(40_000).fill({}))],
  ['items without an id', meals(Array(40_000).fill({ name: 'Soup' }))],
  ['a long number', mood('7'.repeat(2e6))],
  ['many non-ASCII characters', { ...mood('é'.repeat(2e6)), user_id: user }],
])('lets other tasks run while it stores an event with %s', async (_, event) => {
  expect((await store(event)).turns).toBeGreaterThan(15)
})

it('stores a small event in one turn', async () => {
  expect((await store(meals([{ id: 'meal-1' }, {}]))).turns).toBe(0)
})

it('lets other tasks run while it verifies many records', async () => {
  const meals = Array.from({ length: 60_000 }, (_, at) => ({ id: `${at}`, source: {} }))
  const fetch = async () => Response.json({ meals })
  const client = new ServiceClient({ apiKey: 'sk_1', baseUrl: 'https://service.test', fetch })
  const sync = createSync({ client, database: immediate().database })
  const days = { from: '2026-01-01', to: '2026-01-10', repair: false }
  const turns = await turnsOf(() => sync.verify({ users: [user], resources: ['meal'], ...days }))
  // 30 parts are converted, and later compared.
  expect(turns).toBeGreaterThan(50)
})

it('compares at most 10,000 steps of an order', async () => {
  const early = Array(10_001).fill({ created_at: '2026-01-05 10:00' })
  const steps = [{ created_at: '2026-01-07 10:00' }, ...early, { created_at: '2026-01-06 10:00' }]
  const data = { id: 'order-1', events: steps }
  const { values } = await store({ event_type: 'labtest.order.updated', data })
  const text = values.find((value) => String(value).startsWith('[{'))
  expect(JSON.parse(String(text))).toMatchObject([
    { sync_version: '2026-01-06T10:00:00.000000Z', sync_rank: 20_001 },
  ])
})
