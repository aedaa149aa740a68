import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  type InsuranceInput,
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
