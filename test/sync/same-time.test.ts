import { describe, expect, it } from 'vitest'
import { ServiceClient } from '../../src/index.ts'
import { sampled } from '../support/long-tests.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { heartrateEvent, syncInto, user } from './synced-schema.ts'

const { databases } = useServers(sampled(databaseNames, 4))
const at = '2026-01-05T08:00:00+00:00'

describe.each(databases)('sync with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  /** Delivers the steps of an order, all with one time. */
  function orderOf(...statuses: string[]) {
    const events = statuses.map((status, id) => ({ id, status, created_at: at }))
    return {
      event_type: 'labtest.order.updated',
      data: { id: user, user_id: user, status: statuses.at(-1), events },
    }
  }

  test.each([
    ['in order', ['created'], ['created', 'completed']],
    ['in the other order', ['created', 'completed'], ['created']],
  ])('keeps the record with more steps of the same time, delivered %s', async (_, ...orders) => {
    const { deliver, query } = await syncInto(db())
    const sent = new Date()
    for (const statuses of orders) await deliver(orderOf(...statuses), { at: sent })
    expect(await query('select status from $.orders')).toEqual([{ status: 'completed' }])
  })

  test('keeps an event whose samples have the same time and source', async () => {
    const { deliver, query } = await syncInto(db())
    const one = { timestamp: at, value: 60 }
    await deliver(heartrateEvent([one, { ...one, value: 61 }]), { id: 'same' })
    await deliver(heartrateEvent([one, { ...one, timestamp: '2026-01-05T09:00:00Z' }]))
    expect(await query('select message_id, reason from $.unknown_events')).toEqual([
      { message_id: 'same', reason: 'content' },
    ])
  })

  test('compares times, not their spelling', async () => {
    const { deliver, query } = await syncInto(db())
    const [one, same] = ['2026-01-05T08:00:00Z', '2026-01-05T08:00:00.0000Z']
    const [half, equal] = ['2026-01-05T08:00:01.5Z', '2026-01-05T08:00:01.500Z']
    for (const times of [
      [one, same],
      [half, equal],
    ]) {
      await deliver(heartrateEvent(times.map((timestamp, value) => ({ timestamp, value }))))
    }
    expect(await query('select count(*)::int from $.unknown_events')).toEqual([{ count: 2 }])
  })

  test('disconnect removes events whose samples have the same time and source', async () => {
    const fetch = async () => Response.json({ success: true })
    const client = new ServiceClient({ apiKey: 'k', baseUrl: 'https://service.test', fetch })
    const { deliver, query, sync } = await syncInto(db(), { client, onDisconnect: 'remove' })
    const one = { timestamp: at, value: 60 }
    const event = heartrateEvent([one, { ...one, value: 61 }])
    await deliver(event)
    const deleted = { samples: 1, unknown_events: 1 }
    expect(await sync.disconnect(user, 'oura')).toEqual({ deleted, left: 0 })
    await deliver(event)
    expect(await query('select message_id from $.unknown_events')).toEqual([])
  })
})
