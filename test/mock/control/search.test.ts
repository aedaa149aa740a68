import { expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import { serve } from '../../../mock/server/server.ts'
import { past, ServiceClient } from '../../../src/index.ts'

async function connected() {
  const mock = createMock()
  const server = await serve(mock, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const team = mock.defaultTeam
  const remote = connectMock(server.url, team.apiKey)
  const client = new ServiceClient({ apiKey: team.apiKey, baseUrl: server.url, maxRetries: 0 })
  const headers = { 'x-service-api-key': team.apiKey }
  const read = async (path: string) =>
    (await fetch(`${server.url}/__mock__/api${path}`, { headers })).json()
  return { team, remote, client, read }
}

it('finds every word in requests, events, records and deliveries', async () => {
  const { team, remote, client } = await connected()
  team.webhooks.add({ handler: () => new Response() })
  const order = team.orders.create()
  await client.orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm',
    appointment_notes: 'Ring at the green door',
  })
  await team.webhooks.idle()
  const found = await remote.search('DOOR green')
  expect(found.map(({ kind, title, key }) => [kind, title, key])).toEqual([
    ['request', 'orders.bookPhlebotomyAppointment 200', '1'],
    ['event', 'labtest.appointment.updated', '3'],
    ['event', 'labtest.appointment.created', '2'],
    ['record', 'appointments', `appointments/${team.appointments.list()[0]?.id}`],
    ['delivery', 'labtest.appointment.updated, attempt 1 delivered', 'webhook_1/3'],
    ['delivery', 'labtest.appointment.created, attempt 1 delivered', 'webhook_1/2'],
  ])
  expect(found[0]?.excerpt).toContain('green door')
  expect(await remote.search('green window')).toEqual([])
  expect(await remote.search(' ')).toEqual([])
})

it('filters the summaries of requests, and says why one failed', async () => {
  const { team, client, read } = await connected()
  const { id } = team.orders.create()
  team.faults.add({ on: 'labTests.list', when: { first: 1 }, then: { status: 503 } })
  await client.labTests.list({ name: 'panel' }).catch(() => {})
  await client.orders.bookPhlebotomyAppointment(id, { booking_key: 'wrong' }).catch(() => {})
  await client.orders.bookPhlebotomyAppointment(id, { booking_key: 'bk_confirm' })
  const numbers = async (filter: string) =>
    (await read(`/journal/summaries?${filter}`)).map(({ number }: { number: number }) => number)
  expect(await numbers('only=failed')).toEqual([1, 2])
  expect(await numbers('only=faulted')).toEqual([1])
  expect(await numbers('only=changing')).toEqual([3])
  expect(await numbers(`search=${id}+wrong`)).toEqual([2])
  expect(await numbers('search=nothing')).toEqual([])
  expect(await read('/journal/summaries')).toMatchObject([
    { url: '/v3/lab_test?name=panel', faults: [{ status: 503 }] },
    {
      url: `/v3/order/${id}/phlebotomy/appointment/book`,
      reason: 'Invalid or expired booking key',
    },
    { faults: [], status: 200 },
  ])
})

it('says what each due event is about', async () => {
  const { team, remote, client } = await connected()
  const order = team.orders.create()
  await client.orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm_after_15m',
    async_confirmation: true,
  })
  team.clock.mode = 'manual'
  team.webhooks.add({ url: 'http://127.0.0.1:9/' })
  team.trigger('daily.data.sleep.created')
  await team.webhooks.idle()
  const { user_id } = order
  expect(await remote.clock.agenda()).toMatchObject([
    { title: 'Delivery: attempt 2 of daily.data.sleep.created', webhook: 'webhook_1' },
    { title: 'The booking is confirmed', order_id: order.id, user_id },
    { title: 'The pending booking is cancelled', order_id: order.id, user_id },
  ])
})

it('reads health data without a trace in the journal', async () => {
  const { team, remote, client } = await connected()
  const { user_id } = team.users.create()
  const body = {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [{ select: [{ arg: { activity: 'steps' }, func: 'max' }] }],
  }
  const result = await remote.aggregate(user_id, body)
  expect(team.journal.count).toBe(0)
  expect(result).toEqual(await client.aggregate.query(user_id, body))
  await expect(remote.aggregate('none', body)).rejects.toThrow('No user has this id.')
})

it('shows and ends the disabling of a webhook', async () => {
  const { team, remote } = await connected()
  team.clock.mode = 'manual'
  team.webhooks.add({ url: 'http://127.0.0.1:9/' })
  for (let day = 0; day < 8; day += 1) {
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1d')
  }
  const [webhook] = await remote.webhooks.list()
  expect(await webhook?.isDisabled()).toBe(true)
  expect((await webhook?.exchanges())?.at(-1)).toMatchObject({ outcome: 'failed' })
  await webhook?.enable()
  expect(await webhook?.isDisabled()).toBe(false)
  expect(await webhook?.planned()).toEqual([])
})
