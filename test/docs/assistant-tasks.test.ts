/**
 * Five typical tasks, solved with nothing but llms.txt and the published declarations. When a solution here needs a fact that
 * neither of them has, add the fact to `scripts/docs/llms.md`.
 */
import {
  type BulkImportCheckpoint,
  type ConnectionRecipe,
  dateTrunc,
  mean,
  past,
  query,
  RateLimitError,
  remainingRanges,
  rows,
  ServiceClient,
} from 'health-lab-sdk'
import { eventHandler, signEvent } from 'health-lab-sdk/events'
import { createMock } from 'health-lab-sdk/mock'
import { test } from 'health-lab-sdk/mock/vitest'
import { expect, it } from 'vitest'
import { runsOf } from '../support/long-tests.ts'

it('books an appointment safely', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())

  async function book(orderId: string, booking_key: string) {
    const booking = { booking_key, async_confirmation: true }
    const { result } = await client.orders.bookAndWait(orderId, booking)
    return result
  }

  team.faults.add({
    on: 'orders.bookPhlebotomyAppointment',
    when: { nth: 2 },
    then: 'lose_response',
  })
  const newOrder = () => team.orders.create().id
  expect(await book(newOrder(), 'bk_confirm_after_5m')).toBe('booked')
  expect(await book(newOrder(), 'bk_confirm_after_5m')).toBe('booked')
  expect(await book(newOrder(), 'bk_never')).toBe('cancelled')
  expect(await book(newOrder(), 'bk_fail')).toBe('cancelled')
  await expect(book(newOrder(), 'unknown')).rejects.toMatchObject({ outcome: 'rejected' })
  const sent = 'orders.bookPhlebotomyAppointment'
  expect(team.journal.requests().filter(({ operation }) => operation === sent)).toHaveLength(5)
})

it('verifies a webhook', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const handled: string[] = []
  const receive = eventHandler({
    secrets: secret,
    on: {
      'provider.connection.created': ({ user_id }) => {
        handled.push(user_id)
      },
    },
    fallback: () => {},
  })
  const forged = await signEvent(
    { event_type: 'provider.connection.created', user_id: 'a', data: {} },
    'whsec_c29tZSBvdGhlciBzZWNyZXQgb2Ygc29tZW9uZQ==',
  )
  const url = 'https://app.test/events'
  expect((await receive(new Request(url, { method: 'POST', ...forged }))).ok).toBe(false)

  const team = createMock().team()
  const { user_id } = team.users.create()
  team.webhooks.add({ secret, handler: receive })
  team.trigger('provider.connection.created', { user_id })
  await team.webhooks.idle()
  expect(handled).toEqual([user_id])
})

it('imports thousands of connections, and continues after a crash', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const users = Array.from({ length: runsOf(10_000) }, () => team.users.create().user_id)

  async function* recipes(): AsyncGenerator<ConnectionRecipe> {
    for (const user_id of users) {
      yield {
        user_id,
        provider_id: `at-the-provider-${user_id}`,
        access_token: 'access',
        refresh_token: 'refresh',
        expires_at: 2_147_483_647,
      }
    }
  }

  const checkpoints: BulkImportCheckpoint[] = []
  const run = () =>
    client.link.bulkImportAll('oura', recipes(), {
      batchSize: runsOf(1000),
      waitForCompletion: true,
      only: remainingRanges(checkpoints),
      onBatch: (checkpoint) => {
        checkpoints.push(checkpoint)
      },
    })

  team.faults.add({ on: 'link.bulkImport', when: { nth: 4 }, then: { status: 401 } })
  const first = await run()
  expect(first.stopped).toBeDefined()
  const second = await run()
  expect(first.imported + second.imported).toBe(users.length)
})

it('turns the hourly means of glucose into rows', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const client = new ServiceClient(team.connection())
  const { user_id } = team.users.create()
  for (const [timestamp, value] of [
    ['2025-05-31T08:05:00', 5],
    ['2025-05-31T08:35:00', 6],
    ['2025-05-31T09:05:00', 7],
  ] as const) {
    team.data.create({ user_id, resource: 'glucose', values: { timestamp, value } })
  }

  const { results } = await client.aggregate.query(user_id, {
    timeframe: past(7, 'day', '2025-06-01'),
    queries: [query(mean('glucose', 'value')).groupBy(dateTrunc('glucose', 1, 'hour'))],
  })
  expect(rows(results[0])).toEqual([
    { index: expect.stringContaining('2025-05-31T08:00'), mean: 5.5 },
    { index: expect.stringContaining('2025-05-31T09:00'), mean: 7 },
  ])
})

test('waits for a 429 in virtual time', async ({ client, team }) => {
  team.faults.add({
    on: 'link.listProviders',
    when: { first: 1 },
    then: { status: 429, retryAfter: '60s' },
  })
  const before = team.clock.now()
  await client.link.listProviders()
  expect(team.clock.now().getTime() - before.getTime()).toBe(60_000)
  expect(team).toHaveReceived('link.listProviders', { times: 2 })
})

test('gives up when a 429 asks for more time than the deadline', async ({ client, team }) => {
  team.faults.add({ on: 'link.listProviders', then: { status: 429, retryAfter: '2h' } })
  const call = client.link.listProviders({}, { deadline: 60_000 })
  await expect(call).rejects.toBeInstanceOf(RateLimitError)
})
