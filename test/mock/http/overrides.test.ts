import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { insuranceBody, userId } from '../../support/bodies.ts'

it('rewrites the typed responses of an operation until it is removed', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const { order_id } = team.appointments.create()
  const original = await client.orders.getPhlebotomyAppointment(order_id)
  const takeBack = team.override(
    'orders.getPhlebotomyAppointment',
    ({ body }, { params, now }) => ({
      body: {
        ...body,
        status: 'postponed',
        external_id: `${params['order_id']} ${now.toISOString()}`,
      },
    }),
  )
  expect(await client.orders.getPhlebotomyAppointment(order_id)).toMatchObject({
    id: original.id,
    status: 'postponed',
    external_id: `${order_id} 2025-06-01T09:00:00.000Z`,
  })
  takeBack()
  expect(await client.orders.getPhlebotomyAppointment(order_id)).toEqual(original)
})

it('applies overrides of the mock first, and then those of the team', async () => {
  const mock = createMock()
  mock.override('link.deleteConnection', () => ({ body: { success: false } }))
  const [one, other] = [mock.team(), mock.team()]
  one.override('link.deleteConnection', ({ body }) => ({ body: { ...body, by: 'team' } }))
  for (const team of [one, other]) {
    team.users.create({ user_id: userId })
    team.connections.create({ user_id: userId, provider: 'oura' })
  }
  const responses = await Promise.all(
    [one, other].map((team) =>
      new ServiceClient(team.connection()).link.deleteConnection(userId, 'oura'),
    ),
  )
  expect(responses).toEqual([{ success: false, by: 'team' }, { success: false }])
})

it('rewrites status and headers', async () => {
  const team = createMock().team()
  team.override('insurance.create', () => ({ status: 201, headers: { 'x-extra': 'yes' } }))
  const client = new ServiceClient(team.connection())
  const { response } = await client.insurance.create(userId, insuranceBody()).withResponse()
  expect([response.status, response.headers.get('x-extra')]).toEqual([201, 'yes'])
})

it('rejects an unknown operation', () => {
  const team = createMock().team()
  // A caller without types may give anything.
  expect(() => team.override('insurance.delete' as never, () => ({}))).toThrow(
    expect.objectContaining({ code: 'unknown_operation' }),
  )
})

it('sends what is in the body now, also if the override returns one object whose list changes', async () => {
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const providers = await client.link.listProviders()
  const body: typeof providers = []
  const kept = Object.freeze({ body: Object.freeze({ success: true, list: body }) })
  team.override('link.deleteConnection', () => kept)
  const sent: unknown[] = []
  for (const { slug } of providers.slice(0, 2)) {
    const connection = { user_id: userId, provider: String(slug) }
    if (!team.users.has(userId)) team.users.create({ user_id: userId })
    team.connections.create(connection)
    sent.push(await client.link.deleteConnection(userId, connection.provider))
    body.push(...providers.slice(0, 1))
  }
  expect(sent).toEqual([
    { success: true, list: [] },
    { success: true, list: providers.slice(0, 1) },
  ])
})
