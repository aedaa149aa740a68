import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import {
  createMock,
  type JournalMatchers,
  journalMatchers,
  type Team,
} from '../../../mock/index.ts'
import { connectMock, type RemoteTeam } from '../../../mock/remote.ts'
import { serve } from '../../../mock/server.ts'
import { test } from '../../../mock/vitest.ts'
import { ServiceClient } from '../../../src/index.ts'
import { insuranceBody, userId, userInfoBody } from '../../support/bodies.ts'

/** Returns a team that received an information with a first name, two insurances, and a filtered listing. */
async function usedTeam(mock = createMock({ seed: 42 })) {
  const team = mock.team()
  const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
  await client.users.updateInfo(userId, userInfoBody())
  await client.insurance.create(userId, insuranceBody({ member_id: 'M-1' }))
  await client.insurance.create(userId, insuranceBody({ member_id: 'M-2' }))
  await client.labTests.listMarkers({ name: 'glucose', size: 3 })
  return team
}

/** Returns the message of a failed assertion. */
function messageOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('Expected the assertion to fail.')
}

describe('toHaveReceived', () => {
  it.each([
    ['an operation', 'users.updateInfo', {}],
    ['a namespace', 'insurance.*', { times: 2 }],
    ['a part of the body', 'insurance.create', { times: 1, body: { member_id: 'M-2' } }],
    ['a nested part', 'insurance.create', { times: 2, body: { insured: { first_name: 'Ada' } } }],
    ['an undefined field', 'insurance.create', { body: { member_id: 'M-1', unset: undefined } }],
    [
      'asymmetric matchers',
      'insurance.create',
      { body: { member_id: expect.stringMatching(/^M/) } },
    ],
    [
      'an asymmetric body',
      'insurance.create',
      { body: expect.objectContaining({ insured: expect.any(Object) }) },
    ],
    ['path parameters', 'users.updateInfo', { params: { user_id: userId } }],
    ['query parameters', 'labTests.listMarkers', { times: 1, query: { size: 3 } }],
    ['the status', 'users.updateInfo', { times: 1, status: 200 }],
    ['no request', 'link.*', { times: 0 }],
  ] as const)('accepts %s', async (_, operation, options) => {
    expect(await usedTeam()).toHaveReceived(operation, options)
  })

  it.each([
    ['another operation', 'orders.create', {}],
    ['another number', 'insurance.create', { times: 1 }],
    ['another body', 'insurance.create', { body: { member_id: 'M-3' } }],
    ['an unsent field', 'insurance.create', { body: { unsent: null } }],
    ['an asymmetric matcher', 'insurance.create', { body: { member_id: expect.any(Number) } }],
    ['another status', 'users.updateInfo', { status: 422 }],
    ['another query', 'labTests.listMarkers', { query: { size: '3' } }],
    ['other parameters', 'users.updateInfo', { params: { user_id: 'other' } }],
  ] as const)('rejects %s', async (_, operation, options) => {
    const team = await usedTeam()
    expect(team).not.toHaveReceived(operation, options)
    expect(() => expect(team).toHaveReceived(operation, options)).toThrow()
  })

  it('compares dates as JSON, and lists item by item', async () => {
    const team = createMock().team()
    const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
    const at = new Date('2025-06-01T09:00:00Z')
    const body = { at, items: [{ id: 1, name: 'a' }, { id: 2 }] }
    await client.request('PATCH', `/v2/user/${userId}/info`, { body }).catch(() => {})
    expect(team).toHaveReceived('users.updateInfo', { body: { at, items: [{ id: 1 }, { id: 2 }] } })
    expect(team).not.toHaveReceived('users.updateInfo', { body: { items: [{ id: 1 }] } })
  })

  it('shows what differs in each request', async () => {
    const team = await usedTeam()
    const options = { times: 1, body: { member_id: expect.stringMatching(/^X/), group: { id: 1 } } }
    expect(
      messageOf(() => expect(team).toHaveReceived('insurance.create', options)),
    ).toMatchInlineSnapshot(`
      "Expected the team to receive exactly 1 request for insurance.create with {"body":{"member_id":"StringMatching ^X","group":{"id":1}}}, but it received 0.
      Received:
        2. insurance.create POST /v2/user/{user_id}/insurance 200
          body.member_id: expected "StringMatching ^X", received "M-1"
          body.group: expected {"id":1}, received nothing
        3. insurance.create POST /v2/user/{user_id}/insurance 200
          body.member_id: expected "StringMatching ^X", received "M-2"
          body.group: expected {"id":1}, received nothing"
    `)
  })

  it('shows the other requests when it received none', async () => {
    const team = await usedTeam()
    expect(messageOf(() => expect(team).toHaveReceived('orders.create'))).toMatchInlineSnapshot(`
      "Expected the team to receive at least 1 request for orders.create, but it received 0.
      Received instead:
        1. users.updateInfo PATCH /v2/user/{user_id}/info 200
        2. insurance.create POST /v2/user/{user_id}/insurance 200
        3. insurance.create POST /v2/user/{user_id}/insurance 200
        4. labTests.listMarkers GET /v3/lab_tests/markers 200"
    `)
  })

  it('explains that a team without requests may have no client', () => {
    const team = createMock().team()
    expect(messageOf(() => expect(team).toHaveReceived('orders.create'))).toMatchInlineSnapshot(`
      "Expected the team to receive at least 1 request for orders.create, but it received 0.
      It received no requests. Create the client with the options from team.connection()."
    `)
  })

  it.each([
    ['users.*', { status: 200 }, true, 'to receive no requests for users.* with {"status":200}', 1],
    [
      'insurance.create',
      { times: 2 },
      true,
      'not to receive exactly 2 requests for insurance.create',
      2,
    ],
    ['link.*', { times: 0 }, true, 'to receive at least 1 request for link.*', 0],
    [
      'insurance.create',
      { times: 3 },
      false,
      'to receive exactly 3 requests for insurance.create',
      2,
    ],
    ['users.*', { times: 0 }, false, 'to receive no requests for users.*', 1],
  ] as const)(
    'says what it expected of %s with %o',
    async (operation, options, pass, what, count) => {
      const team = await usedTeam()
      const result = await journalMatchers.toHaveReceived(team, operation, options)
      expect(result.pass).toBe(pass)
      const [headline, ...lines] = result.message().split('\n')
      expect(headline).toBe(`Expected the team ${what}, but it received ${count}.`)
      expect(lines.length).toBeGreaterThan(1)
    },
  )

  it.each([
    ['an unknown operation', 'orders.crate', {}, "Unknown operation 'orders.crate'"],
    ['an unknown option', 'orders.create', { time: 1 }, "Unknown option 'time'"],
    ['an invalid number', 'orders.create', { times: -1 }, 'times to be an integer of at least 0'],
  ])('throws for %s, with and without .not', (_, operation, options, message) => {
    const team = createMock().team()
    for (const assertion of [expect(team), expect(team).not]) {
      // Callers without types may pass any value.
      const check = () => assertion.toHaveReceived(operation as 'orders.create', options as object)
      expect(check).toThrow(message)
    }
  })

  it.each([[undefined], [{}], [{ journal: {} }]])(
    'throws for a value that is not a team',
    (value) => {
      expect(() => journalMatchers.toHaveReceived(value, '*')).toThrow(
        'toHaveReceived requires a Team or a RemoteTeam',
      )
    },
  )

  it('checks a team in another process', async () => {
    const mock = createMock({ seed: 42 })
    const team = await usedTeam(mock)
    const server = await serve(mock, { gracePeriod: 0 })
    onTestFinished(() => server.close())
    const remote = connectMock(server.url, team.apiKey)
    const options = { times: 1, body: { member_id: 'M-2' } }
    await expect(remote).toHaveReceived('insurance.create', options)
    await expect(remote).not.toHaveReceived('orders.*')
    const failed = async () => expect(remote).toHaveReceived('insurance.create', { times: 1 })
    const message = messageOf(() => expect(team).toHaveReceived('insurance.create', { times: 1 }))
    await expect(failed).rejects.toThrow(message)
    await expect(async () => expect(remote).toHaveReceived('x' as '*')).rejects.toThrow(
      "Unknown operation 'x'",
    )
    const unreachable = async () => expect(connectMock(server.url, '?')).toHaveReceived('*')
    await server.close()
    await expect(unreachable).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('has types for teams in this process and in another one', () => {
    type Result<T> = ReturnType<JournalMatchers<T>['toHaveReceived']>
    expectTypeOf<Result<RemoteTeam>>().toEqualTypeOf<Promise<void>>()
    expectTypeOf<Result<Team>>().toEqualTypeOf<void>()
    expectTypeOf<Result<unknown>>().toEqualTypeOf<void>()
  })

  test('has types and works on the team of a fixture', async ({ client, team }) => {
    await client.link.listProviders()
    expect(team).toHaveReceived('link.listProviders', { times: 1 })
    // @ts-expect-error An unknown operation does not compile.
    expect(() => expect(team).toHaveReceived('link.listAll')).toThrow()
  })
})
