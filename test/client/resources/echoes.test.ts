import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  type DriftEvent,
  ResponseValidationError,
  ServiceClient,
  type summaryResources,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { appointment, orderId, orderInput, recipe, userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const other = '00000000-0000-4000-8000-000000000000'
const booking = { booking_key: 'key' }

type Send = (client: ServiceClient) => PromiseLike<unknown>

const book: Send = (client) => client.orders.bookPhlebotomyAppointment(orderId, booking)
const importRecipes: Send = (client) =>
  client.link.bulkImport({ provider: 'oura', connections: [recipe] })
const create: Send = (client) => client.orders.create(orderInput)
const listed = (resource: (typeof summaryResources)[number]): Send => {
  // One signature lists the profile, another one the other resources.
  return (client) =>
    client.summaries.list(userId, resource as 'sleep', { start_date: '2025-06-01' })
}
const record = { source: { provider: 'oura', type: 'ring' }, calendar_date: '2025-06-01' }
const own = { ...record, user_id: userId.toUpperCase() }
const foreign = { ...record, user_id: other }

function clientOf(body: unknown, drifts: DriftEvent[] = []) {
  return new ServiceClient({
    apiKey: 'key',
    baseUrl: 'https://service.test',
    fetch: async () => json(body),
    hooks: { drift: (event) => void drifts.push(event) },
  })
}

describe('a response about another record than its request', () => {
  it.each<[string, Send, body: unknown, path: string, name?: string]>([
    ['a booking', book, { ...appointment, order_id: other }, 'order_id'],
    [
      'an appointment',
      (client) => client.orders.getPhlebotomyAppointment(orderId),
      { ...appointment, order_id: other },
      'order_id',
    ],
    ['an order', create, { order: { id: orderId, user_id: other } }, 'order.user_id'],
    [
      'an import',
      importRecipes,
      { user_ids_imported: [recipe.user_id, other], user_ids_failed: [] },
      'user_ids_imported[1]',
    ],
    [
      'a failed import',
      importRecipes,
      { user_ids_imported: [], user_ids_failed: [other] },
      'user_ids_failed[0]',
    ],
    ['activity', listed('activity'), { activity: [own, foreign] }, 'activity[1].user_id'],
    ['body', listed('body'), { body: [foreign, foreign] }, 'body[0].user_id'],
    ['meal', listed('meal'), { meals: [foreign] }, 'meals[0].user_id'],
    ['profile', (client) => client.summaries.list(userId, 'profile'), foreign, 'user_id'],
    ['sleep', listed('sleep'), { sleep: [foreign] }, 'sleep[0].user_id'],
    ['workouts', listed('workouts'), { workouts: [foreign] }, 'workouts[0].user_id'],
  ])('is rejected, and reported with validation report: %s', async (_, send, body, path) => {
    const error = await failureOf(send(clientOf(body)), ResponseValidationError)
    const name = path.includes('order_id') ? 'order_id' : 'user_id'
    const expected = `the ${name} of the request`
    expect(error.issues).toEqual([{ path: `response.${path}`, expected }])
    expect(error.outcome).toBe('succeeded')
    expect(error.message).not.toContain(other)
    expect(error.message).not.toContain("validation: 'report'")

    const drifts: DriftEvent[] = []
    const reporting = clientOf(body, drifts).withOptions({ validation: 'report' })
    await send(reporting)
    expect(drifts.filter(({ kind }) => kind === 'invalid')).toMatchObject([{ expected }])
  })

  it.each<[string, Send, body: unknown]>([
    ['the id in another case', book, { ...appointment, order_id: orderId.toUpperCase() }],
    ['an order without a user', create, { order: { id: orderId } }],
    ['a record without a user', listed('sleep'), { sleep: [record, own] }],
    ['an import without users', importRecipes, { user_ids_imported: [], user_ids_failed: [] }],
  ])('does not include %s', async (_, send, body) => {
    await expect(send(clientOf(body))).resolves.toBeDefined()
  })
})

it('rejects a sign-in token for another user (4.7)', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  team.override('users.createSignInToken', ({ body }) => ({ body: { ...body, user_id: other } }))
  const error = await client.users.createSignInToken(userId).catch((found) => found)
  if (!(error instanceof ResponseValidationError)) throw error
  expect(error.issues).toEqual([
    { path: 'response.user_id', expected: 'the user_id of the request' },
  ])
  expect(error.message).not.toContain(other)
  const token = await client.users.createSignInToken(userId, { validation: 'off' })
  expect(token.user_id).toBe(other)
})

it('accepts a sign-in token with the id in another case (4.7)', async () => {
  const client = new ServiceClient(createMock().connection())
  const { user_id } = await client.users.createSignInToken(userId.toUpperCase())
  expect(user_id).toBe(userId)
})
