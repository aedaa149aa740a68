import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHandler } from '../../src/events/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { hasPostgres, startPostgres, withoutPostgres } from '../support/programs/postgres.ts'
import { delivery, secret } from '../support/signed.ts'
import { mealEvent, syncInto, user } from './synced-schema.ts'

describe.skipIf(!hasPostgres)(`with a pool${hasPostgres ? '' : ` ${withoutPostgres}`}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let pool: Pool
  beforeAll(async () => {
    server = await startPostgres()
    pool = new Pool(server.connection)
  })
  afterAll(async () => {
    await pool.end()
    await server.stop()
  })

  it('stores large messages about the same records without deadlocks', async () => {
    const { deliver, errors } = await syncInto(pool)
    const count = 6000
    const backwards = mealEvent(count, (at) => ({ id: `meal-${count - 1 - at}` }))
    const statuses = await Promise.all([deliver(mealEvent(count)), deliver(backwards)])
    expect(errors).toEqual([])
    expect(statuses).toEqual([200, 200])
  })

  it('does not count an attempt that only waited for another message about the user', async () => {
    const { schema, query } = await syncInto(pool)
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const receive = async (database: Pool, count: number, then: () => unknown) => {
      const { listeners } = createSync({ database, schema, maxAttempts: 1 })
      const transaction: typeof listeners.transaction = (...given) =>
        listeners.transaction(...given).finally(then)
      const handle = eventHandler({ secrets: secret, ...listeners, transaction })
      const event = { user_id: user, ...mealEvent(count) }
      return (await handle(await delivery(event, { id: `${count}` }))).status
    }
    const holding = receive(pool, 3000, () => {
      locked.resolve()
      return released.promise
    })
    await locked.promise
    const impatient = new Pool({ ...server.connection, statement_timeout: 100 })
    const status = await receive(impatient, 1, () => {
      released.resolve()
      return holding
    })
    await impatient.end()
    expect([status, await holding]).toEqual([500, 200])
    expect(await query('select from $.failed_messages')).toEqual([])
  })

  it('retries large messages about the same user without deadlocks', async () => {
    const { sync, query, deliver } = await syncInto(pool, { maxAttempts: 1 })
    await query('alter table $.meals add constraint low check (false)')
    for (const _ of [1, 2]) await deliver(mealEvent(3000))
    await query('alter table $.meals drop constraint low')
    let retried = 0
    const isWaiting = async () => {
      const locks = `select from pg_locks where locktype = 'advisory' and not granted`
      return (await pool.query(locks)).rows.length > 0
    }
    const transaction: typeof sync.listeners.transaction = async (...given) => {
      retried += 1
      await expect.poll(async () => retried === 2 || (await isWaiting())).toBe(true)
      await sync.listeners.transaction(...given)
    }
    const reports = await Promise.all([sync.retry({ transaction }), sync.retry({ transaction })])
    expect(reports.reduce((sum, { stored }) => sum + stored, 0)).toBe(2)
  })
})
