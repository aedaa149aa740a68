import type { PGlite } from '@electric-sql/pglite'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import type { PgliteDatabase, PgliteTransaction } from '../../src/stores/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { delivery, secret } from '../support/signed.ts'
import { sharedPglite } from '../support/stores.ts'
import { heartrateEvent, mealEvent, syncInto, user } from './synced-schema.ts'

let pglite: PGlite
beforeAll(async () => {
  pglite = await sharedPglite()
})

/** A statement that inserts rows. */
interface Insert {
  table: string | undefined
  /** The length of its longest value. */
  length: number
  /** The number of turns of the event loop before it. */
  turns: number
}

/** Returns PGlite and the statements that insert rows in its transactions. */
function watched() {
  const inserts: Insert[] = []
  let turns = 0
  const watch = (tx: PgliteTransaction): PgliteTransaction => ({
    query(text, values = []) {
      const table = /^insert into "\w+"\.(\w+)/.exec(text)?.[1]
      if (table) {
        const length = Math.max(...values.map((value) => String(value).length))
        inserts.push({ table, length, turns })
      }
      return tx.query(text, values)
    },
  })
  const database: PgliteDatabase = {
    query: (text, values) => pglite.query(text, values),
    transaction: (run) => pglite.transaction((tx) => run(watch(tx))),
  }
  /** Counts turns while a function runs. */
  const counting = async <T>(run: () => Promise<T>): Promise<T> => {
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    return run().finally(() => {
      isOver = true
    })
  }
  const mealInserts = () => inserts.filter(({ table }) => table === 'meals')
  return { database, counting, mealInserts }
}

describe('a message with many records', () => {
  it('is stored in statements of limited size, between which other tasks run', async () => {
    const { database, counting, mealInserts } = watched()
    const { deliver, query, sync } = await syncInto(database)
    const long = 'p'.repeat(500)
    const event = mealEvent(7000, undefined, { provider: long, type: long, app_id: long })
    expect(await counting(() => deliver(event))).toBe(200)
    const statements = mealInserts()
    expect(Math.max(...statements.map(({ length }) => length))).toBeLessThan(5e6)
    expect(new Set(statements.map(({ turns }) => turns)).size).toBe(4)
    expect(await query('select count(*)::int from $.meals')).toEqual([{ count: 7000 }])
    expect(sync.counts()).toMatchObject({ messages: 1, rows: 7000, unknown: 0 })
  })

  it('is stored in one statement if it has no more than 2,000', async () => {
    const { database, mealInserts } = watched()
    const { deliver } = await syncInto(database)
    await deliver(mealEvent(2000))
    expect(mealInserts()).toHaveLength(1)
  })

  it('stores the newest version of a record in any order', async () => {
    const { deliver, query } = await syncInto(pglite)
    const updated = new Map([
      [1, '2026-01-02'],
      [3, '2026-01-01'],
      [2500, '2026-01-01'],
    ])
    const version = (at: number) =>
      updated.has(at)
        ? { id: 'same', name: `${at}`, updated_at: `${updated.get(at)}T00:00:00Z` }
        : {}
    await deliver(mealEvent(3000, version))
    expect(await query(`select name from $.meals where id = 'same'`)).toEqual([{ name: '1' }])
  })

  it('is also stored whole if one of its last records has no id', async () => {
    const { deliver, query, sync } = await syncInto(pglite)
    await deliver(mealEvent(2500, (at) => (at === 2400 ? { id: null } : {})))
    expect(await query('select reason from $.unknown_events')).toEqual([{ reason: 'content' }])
    expect(sync.counts()).toMatchObject({ rows: 2499, unknown: 1 })
  })

  it('is also stored whole if distant samples have the same time and source', async () => {
    const { deliver, query } = await syncInto(pglite)
    const sampleAt = (at: number) => ({ timestamp: new Date(at * 1000).toJSON(), value: at })
    const samples = Array.from({ length: 2500 }, (_, at) => sampleAt(at + 1))
    await deliver(heartrateEvent(samples))
    await deliver(heartrateEvent([...samples, sampleAt(1)]), { id: 'repeats' })
    expect(await query('select message_id, reason from $.unknown_events')).toEqual([
      { message_id: 'repeats', reason: 'content' },
    ])
  })

  it('stores at most 1,000 new names of fields, and the others with later messages', async () => {
    const { deliver, query, findings } = await syncInto(pglite)
    const names = Array.from({ length: 1500 }, (_, at) => [`field_${at}`, at])
    const event = mealEvent(1, () => Object.fromEntries(names))
    await deliver(event)
    expect(await query('select count(*)::int from $.findings')).toEqual([{ count: 1000 }])
    await deliver(event)
    expect(await query('select count(*)::int from $.findings')).toEqual([{ count: 1500 }])
    expect(findings).toHaveLength(1500)
  })
})

/** Receives messages whose records cannot be turned into rows, as if their text was too long. */
async function receiveUnstorable(failIn: 'rows' | 'listener') {
  const errors: unknown[] = []
  const { schema, query } = await syncInto(pglite)
  const sync = createSync({ database: pglite, schema, maxAttempts: 2 })
  const toJSON = (key: string) => {
    if (key === 'record') throw new RangeError('Invalid string length')
    return { id: 'meal-0' }
  }
  const transaction: typeof sync.listeners.transaction = async (tx, event, message) => {
    const data = { data: [{ id: 'meal-0', toJSON }] }
    const stored = failIn === 'rows' ? { ...event, data } : event
    await sync.listeners.transaction(tx, stored as typeof event, message)
    throw new TypeError('fetch failed')
  }
  const receive = eventHandler({
    ...{ secrets: secret, ...sync.listeners, transaction },
    onError: (error) => errors.push(error),
  })
  const body = { user_id: user, ...mealEvent(1) }
  const statuses: number[] = []
  for (const _ of [1, 2, 3]) statuses.push((await receive(await delivery(body))).status)
  return { sync, query, transaction, errors, statuses }
}

describe('a message that cannot be turned into rows', () => {
  it('is parked after its last attempt', async () => {
    const { sync, query, transaction, errors, statuses } = await receiveUnstorable('rows')
    expect(statuses).toEqual([500, 200, 200])
    expect(errors).toMatchObject([{ name: 'RangeError' }])
    const parked = await query('select attempts, is_parked, error from $.failed_messages')
    expect(parked).toEqual([{ attempts: 2, is_parked: true, error: 'RangeError' }])
    expect(sync.counts()).toMatchObject({ failures: 2, parked: 1 })
    expect(await sync.retry({ transaction })).toEqual({ stored: 0, failed: 1 })
    expect(await sync.retry()).toEqual({ stored: 1, failed: 0 })
  })

  it('is not counted if your own listener fails', async () => {
    const { query, statuses } = await receiveUnstorable('listener')
    expect(statuses).toEqual([500, 500, 500])
    expect(await query('select from $.failed_messages')).toEqual([])
  })
})
