import { expect, it } from 'vitest'
import type { Team } from '../../../mock/index.ts'
import { Appointment } from '../../../src/contract/appointments.ts'
import type { ConnectionEvent } from '../../../src/contract/events.ts'
import { Order } from '../../../src/contract/orders.ts'
import { issuesOf } from '../../../src/contract/schema-tools/check.ts'
import { findDrift } from '../../../src/contract/schema-tools/drift.ts'
import type { Source } from '../../../src/contract/source.ts'
import { parseEvent, recordsOf, sourceOf } from '../../../src/events/index.ts'
import { orderBody, recipe, userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { teamOf, typesOf } from './event-team.ts'

/** Returns the resources that the latest connection announced. */
function announcedBy(team: Team): string[] {
  const event = team.events.last('provider.connection.created')?.body as unknown as ConnectionEvent
  return Object.keys(event.data.resource_availability ?? {})
}

/** Returns the types of events without duplicates, in the order of their first event. */
const distinct = (types: string[]) => [...new Set(types)]

it('sends a connection, then all chunks, then one historical event for each resource', async () => {
  const team = teamOf()
  const body = { provider: 'oura', connections: [recipe(userId)], wait_for_completion: true }
  await call(team, 'POST /v2/link/bulk_import', body)
  const types = typesOf(team)
  const resources = announcedBy(team)
  expect(resources).toEqual(expect.arrayContaining(['sleep', 'steps', 'vo2_max', 'sleep_cycle']))
  // Nothing has its data.
  expect(resources).not.toContain('workout_stream')
  expect(distinct(types)).toEqual([
    'provider.connection.created',
    ...resources.map((resource) => `daily.data.${resource}.created`),
    ...resources.map((resource) => `historical.data.${resource}.created`),
  ])
  expect(typesOf(team, 'historical.*')).toHaveLength(resources.length)
  expect(typesOf(team, 'daily.data.sleep.created')).toHaveLength(3)
})

it('sends the events of an import after its end, for every connected user', async () => {
  const team = teamOf({ importTimePerConnection: '1s' })
  const others = [team.users.create(), team.users.create()].map(({ user_id }) => user_id)
  team.connections.create({ user_id: userId, provider: 'strava' })
  team.events.clear()
  const stranger = '00000000-0000-4000-8000-000000000000'
  const connections = [userId, stranger, ...others].map((id) => recipe(id))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'strava', connections })
  await team.clock.advance('3999ms')
  expect(team.events.list()).toEqual([])
  await team.clock.advance('1ms')
  const created = team.events.list('provider.connection.created')
  expect(created.map(({ user_id }) => user_id)).toEqual(others)
  expect(created.map(({ at }) => at)).toEqual([team.clock.now(), team.clock.now()])
})

it('sends the events of connected users when an import is aborted', async () => {
  const team = teamOf({ importTimePerConnection: '1s', clock: 'manual' })
  const users = [userId, team.users.create().user_id]
  const connections = users.map((id) => recipe(id))
  await call(team, 'POST /v2/link/bulk_import', { provider: 'polar', connections })
  await team.clock.advance('1s')
  team.bulkOps.abort(String(team.bulkOps.list()[0]?.id))
  const created = team.events.list('provider.connection.created')
  expect(created.map(({ user_id }) => user_id)).toEqual([userId])
})

it('shows events with the request that caused them', async () => {
  const team = teamOf()
  const connections = [recipe(userId)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'cronometer', connections })
  await team.clock.advance('1s')
  const { lab_test_ids } = team.orders.create().order_set
  await call(team, 'POST /v3/order', orderBody(String(lab_test_ids?.[0])))
  const resources = ['profile', 'body', 'meal', 'weight', 'carbohydrates', 'caffeine', 'water']
  const causes = team.journal
    .requests()
    .map(({ events }) => distinct(events.map((e) => e.event_type)))
  expect(causes).toEqual([
    [
      'provider.connection.created',
      ...resources.map((resource) => `daily.data.${resource}.created`),
      ...resources.map((resource) => `historical.data.${resource}.created`),
    ],
    ['labtest.order.created', 'labtest.order.updated'],
  ])
})

it.each(['oura', 'garmin'])('sends the records that summaries return (%s)', async (provider) => {
  const team = teamOf()
  team.connections.create({ user_id: userId, provider })
  const days = `start_date=2025-05-23&provider=${provider}`
  const { body } = await call(team, `GET /v2/summary/sleep/${userId}?${days}`)
  const chunks = team.events.list('daily.data.sleep.created')
  const sent = chunks.flatMap(({ body }) => recordsOf(parseEvent(body)))
  expect(sent).toEqual(body.sleep)
  expect(sent.length).toBeGreaterThan(5)
  const [historical] = team.events.list('historical.data.sleep.created')
  expect(recordsOf(parseEvent(historical?.body))).toEqual(sent)
})

it('sends data with the right source for a provider without generated data', () => {
  const team = teamOf()
  team.connections.create({ user_id: userId, provider: 'fitbit' })
  const [sleep] = team.events.list('historical.data.sleep.created')
  const event = parseEvent(sleep?.body)
  expect(sourceOf(event)).toMatchObject({ provider: 'fitbit', type: 'watch' })
  expect(distinct(recordsOf(event).map(({ source }) => (source as Source).provider ?? ''))).toEqual(
    ['fitbit'],
  )
})

it('sends orders and appointments as in responses', async () => {
  const team = teamOf()
  const { id } = team.orders.create({ user_id: userId })
  const key = { booking_key: 'bk_confirm' }
  const booked = await call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, key)
  team.appointments.transition(booked.body.id, 'in_progress')
  team.orders.complete(id)
  expect(typesOf(team)).toEqual([
    'labtest.order.created',
    'labtest.appointment.created',
    'labtest.appointment.updated',
    'labtest.order.updated',
    'labtest.appointment.updated',
    'labtest.order.updated',
  ])
  const [order, appointment] = team.events.list().map(({ body }) => body['data'])
  expect(issuesOf(Order, order)).toEqual([])
  expect(findDrift(Appointment, appointment)).toEqual([])
  expect(appointment).toEqual(booked.body)
})

it('sends no event for a change to an order that responses do not show', () => {
  const team = teamOf()
  const { id, patient_details, patient_address } = team.orders.create({ user_id: userId })
  team.orders.update(id, { patient_details: { ...patient_details, first_name: 'Ann' } })
  team.orders.update(id, { patient_address: { ...patient_address, city: 'Tempe' } })
  expect(typesOf(team)).toEqual(['labtest.order.created'])
  team.orders.update(id, { has_abn: true })
  expect(typesOf(team)).toEqual(['labtest.order.created', 'labtest.order.updated'])
})
