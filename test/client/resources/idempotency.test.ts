import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import {
  ConflictError,
  type CreateOrderOptions,
  type Hooks,
  InternalServerError,
  idempotencyKeyOf,
  RequestValidationError,
  ServiceClient,
} from '../../../src/index.ts'
import { orderBody } from '../../support/bodies.ts'

function start(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const team = createMock().team(options)
  return { team, client: new ServiceClient(team.connection()) }
}

function create(team: Team, client: ServiceClient, options?: CreateOrderOptions) {
  const [test] = team.catalogue.labTests.list()
  return client.orders.create(orderBody(test?.id ?? ''), options)
}

function keysOf(team: Team): (string | undefined)[] {
  return team.journal.requests().map(({ request }) => request.headers['x-idempotency-key'])
}

it('sends the key in every attempt, and retries like an idempotent call', async () => {
  const { team, client } = start()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: 'lose_response' })
  team.faults.add({ on: 'orders.create', when: { nth: 2 }, then: { status: 500 } })
  const { data, response } = await create(team, client, { idempotencyKey: 'k1' }).withResponse()
  expect(response.attempts).toHaveLength(3)
  expect(keysOf(team)).toEqual(['k1', 'k1', 'k1'])
  expect(team.orders.list().map(({ id }) => id)).toEqual([data.order.id])
})

it('is not retried without a key', async () => {
  const { team, client } = start()
  team.faults.add({ on: 'orders.create', then: 'lose_response' })
  await expect(create(team, client)).rejects.toMatchObject({ outcome: 'unknown' })
  expect(keysOf(team)).toEqual([undefined])
})

it('retries while the first request with the key is in progress', async () => {
  const { team, client } = start()
  team.faults.add({ on: 'orders.create', when: { first: 1 }, then: { latency: '2s' } })
  const [one, other] = await Promise.all([
    create(team, client, { idempotencyKey: 'k1', maxRetries: 5 }),
    create(team, client, { idempotencyKey: 'k1', maxRetries: 5 }),
  ])
  expect(other.order.id).toBe(one.order.id)
  expect(team.orders.size).toBe(1)
})

it('throws a ConflictError with an unknown outcome while the first request is in progress', async () => {
  const outcomes: string[] = []
  const { team } = start()
  const hooks: Hooks = { response: ({ outcome }) => outcomes.push(outcome) }
  const client = new ServiceClient({ ...team.connection(), hooks })
  team.faults.add({ on: 'orders.create', then: { status: 409 } })
  const error = await create(team, client, { idempotencyKey: 'k1' }).catch((found) => found)
  expect(error).toBeInstanceOf(ConflictError)
  expect(error).toMatchObject({ outcome: 'unknown', attempts: { length: 3 } })
  expect(String(error)).toContain('Retry it only with the same idempotencyKey')
  expect(String(error)).not.toContain('Resolve the conflict')
  expect(outcomes).toEqual(['unknown', 'unknown', 'unknown'])
})

it('says that a retry relies on the key, and does not print it', async () => {
  const { team, client } = start()
  team.faults.add({ on: 'orders.create', then: { status: 500 } })
  const error = await create(team, client, { idempotencyKey: 'secret-k1' }).catch((found) => found)
  if (!(error instanceof InternalServerError)) throw error
  expect(error.message).toContain('Retry it only with the same idempotencyKey')
  expect(JSON.stringify(error) + error.stack).not.toContain('secret-k1')
})

it.each(['', ' ', 'ä', 'a b', 'x'.repeat(256), 1])('rejects the key %j', async (idempotencyKey) => {
  const { team, client } = start()
  const call = create(team, client, { idempotencyKey } as never)
  await expect(call).rejects.toThrow(RequestValidationError)
  expect(team.journal.count).toBe(0)
})

it('rejects a key of a call that takes none', async () => {
  const { client } = start()
  const options = { idempotencyKey: 'k1' } as object
  await expect(client.link.listProviders({}, options)).rejects.toThrow(
    "Unknown option 'idempotencyKey'",
  )
})

it('makes a key from any id', async () => {
  expect(idempotencyKeyOf('basket 17')).toBe('order-basket%2017')
  const { team, client } = start()
  await create(team, client, { idempotencyKey: idempotencyKeyOf('bestellung-ß') })
  expect(team.orders.size).toBe(1)
  for (const id of ['', 'x'.repeat(250), undefined]) {
    expect(() => idempotencyKeyOf(id as string)).toThrow(TypeError)
  }
})
