import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  type InsuranceInput,
  past,
  RequestValidationError,
  ServiceClient,
  UnprocessableEntityError,
  type UserAddressInput,
} from '../../../src/index.ts'
import { insuranceBody, insuredBody, userInfoBody } from '../../support/bodies.ts'
import { failureOf } from '../../support/failure.ts'
import { userId } from '../../support/samples.ts'

/** The client checks what the specification fixes, and nothing else: a default of the mock is the service's affair. */

function mocked() {
  const team = createMock().team()
  return { team, client: new ServiceClient(team.connection()) }
}

describe('an e-mail address (2.1)', () => {
  const octets = (count: number) => 'a'.repeat(count)

  it.each([
    'a@b',
    'ada@localhost',
    "!#$%&'*+-/=?^_`{|}~@example.com",
    'first.last+tag@sub.example.co.uk',
    '"ada lovelace"@example.com',
    '"a\\"b@c"@example.com',
    '""@example.com',
    'ada@[192.168.0.1]',
    'ada@[IPv6:2001:db8::1]',
    'ada@xn--bcher-kva.example',
    'ada@1.2',
    `${octets(64)}@${octets(63)}.${octets(63)}.example`,
  ])('may be %s', async (email) => {
    const { client } = mocked()
    const info = await client.users.updateInfo(userId, { ...userInfoBody(), email })
    expect(info.email).toBe(email)
  })

  it.each([
    'ada',
    'ada@',
    '@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'a b@example.com',
    '"a"b"@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@[192.168.0.1',
    'ada@exam_ple.com',
    'ada@example.com\n',
    'Ada <ada@example.com>',
    `${octets(100_000)}@`,
  ])('is not %j', async (email) => {
    const { client } = mocked()
    const call = client.users.updateInfo(userId, { ...userInfoBody(), email })
    const { issues } = await failureOf(call, RequestValidationError)
    expect(issues).toEqual([{ path: 'body.email', expected: 'an e-mail address' }])
  })
})

it('accepts further fields of addresses, in types as well (2.1)', async () => {
  const { client } = mocked()
  const address: UserAddressInput = { ...userInfoBody().address, country: 'US', floor: 3 }
  const info = await client.users.updateInfo(userId, { ...userInfoBody(), address })
  expect(info.address).toMatchObject({ country: 'US', floor: 3 })
})

// Callers without types: the types require what we assume to be required.
const partialAddress = { city: 'Oakland' } as UserAddressInput
const partialInsured = { address: { city: 'Oakland' } } as InsuranceInput['insured']
const longNotes = insuredBody({
  address: { ...insuredBody().address, access_notes: 'n'.repeat(1001) },
})

it.each<[string, (client: ServiceClient) => Promise<unknown>]>([
  [
    'a partial address of a user',
    ({ users }) => users.updateInfo(userId, { ...userInfoBody(), address: partialAddress }),
  ],
  [
    'a partial insured person',
    ({ insurance }) => insurance.create(userId, { ...insuranceBody(), insured: partialInsured }),
  ],
  [
    'long access notes',
    ({ insurance }) => insurance.create(userId, { ...insuranceBody(), insured: longNotes }),
  ],
  ['an empty page of lab tests', ({ labTests }) => labTests.list({ lab_test_limit: 0 })],
  ['an empty page of bulk operations', ({ link }) => link.listBulkOps({ page_size: 0 })],
])('sends %s, and the mock rejects it (assumption)', async (_, call) => {
  const { team, client } = mocked()
  await failureOf(call(client), UnprocessableEntityError)
  expect(team.journal.requests()).toHaveLength(1)
})

type Send = (client: ServiceClient, body: never) => Promise<unknown>

/** The fields that the tables of the specification require in a body. */
const required: [section: string, body: object, send: Send, fields: string[]][] = [
  [
    'insurance.create (4.1)',
    insuranceBody(),
    (client, body) => client.insurance.create(userId, body),
    ['payor_code', 'member_id', 'relationship', 'insured'],
  ],
  [
    'users.updateInfo (4.2)',
    userInfoBody(),
    (client, body) => client.users.updateInfo(userId, body),
    ['first_name', 'last_name', 'email', 'phone_number', 'gender', 'dob', 'address'],
  ],
  [
    'link.bulkImport (4.3)',
    { provider: 'oura', connections: [] },
    (client, body) => client.link.bulkImport(body),
    ['provider', 'connections'],
  ],
  [
    'orders.bookPhlebotomyAppointment (4.8)',
    { booking_key: 'key' },
    (client, body) => client.orders.bookPhlebotomyAppointment(userId, body),
    ['booking_key'],
  ],
  [
    'aggregate.query (4.11)',
    { timeframe: past(1, 'day', '2025-06-01'), queries: [] },
    (client, body) => client.aggregate.query(userId, body),
    ['timeframe', 'queries'],
  ],
]
const missing = required.flatMap(([section, body, send, fields]) =>
  fields.map((field) => [section, field, { ...body, [field]: undefined }, send] as const),
)

it.each(missing)('sends no %s without %s', async (_, field, body, send) => {
  const { team, client } = mocked()
  const { issues } = await failureOf(send(client, body as never), RequestValidationError)
  expect(issues).toMatchObject([{ path: `body.${field}` }])
  expect(team.journal.lines()).toEqual([])
})

it('sends an order without patient_details, because its request is not shown (4.12)', async () => {
  const { client } = mocked()
  const { outcome } = await failureOf(client.orders.create({} as never), UnprocessableEntityError)
  expect(outcome).toBe('rejected')
})
