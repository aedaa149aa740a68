import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const route = `PATCH /v2/user/${userId}/info`

it('stores and returns user info (4.2)', async () => {
  const team = createMock().team()
  const { status, body } = await call(team, route, userInfoBody({ race: 'other' }))
  expect(status).toBe(200)
  expect(body).toEqual({
    ...userInfoBody({ race: 'other' }),
    address: { ...userInfoBody().address, second_line: null },
    medical_proxy: null,
    ethnicity: null,
    sexual_orientation: null,
    gender_identity: null,
  })
  expect(team.users.get(userId)?.info).toEqual(body)
})

it('stores additional fields of an address, which the specification leaves open (2.1)', async () => {
  const address = { ...userInfoBody().address, country: 'US', access_notes: 'Ring twice' }
  const { body } = await call(createMock().team(), route, userInfoBody({ address }))
  expect(body.address).toEqual({ ...address, second_line: null })
})

it.each([
  [{ zip: '94107', country: 'US' }, '94107'],
  [{ zip: '94107', zip_code: null }, '94107'],
  [{ zip: '94107', zip_code: '10001' }, '10001'],
])('accepts zip and country in an address: %j (assumption)', async (changes, zip_code) => {
  const { zip_code: _, ...address } = userInfoBody().address
  const sent = { ...address, ...changes }
  const { status, body } = await call(createMock().team(), route, {
    ...userInfoBody(),
    address: sent,
  })
  expect(status).toBe(200)
  expect(body.address).toMatchObject({ ...sent, zip_code })
})

it.each([{}, { zip: null }, { zip: 94107 }, { zip_code: null }, { zip_code: 94107, zip: '94107' }])(
  'requires zip_code or zip as strings, found %j (2.1)',
  async (changes) => {
    const { zip_code: _, ...address } = userInfoBody().address
    const sent = { ...address, ...changes }
    const { status, body } = await call(createMock().team(), route, {
      ...userInfoBody(),
      address: sent,
    })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', 'address', 'zip_code'] }])
  },
)

it.each([
  ['John', 200],
  ['Mary-Jane', 200],
  ["O'Connor", 200],
  ['Dr. Smith', 200],
  [' John', 422],
  ['John ', 422],
  ['-John', 422],
  ['John@Smith', 422],
  ['José', 422],
  ['', 422],
])('validates names by the rules of the labs: %j gets %i (2.1)', async (name, status) => {
  const team = createMock().team()
  const proxy = {
    first_name: 'Ada',
    last_name: 'Stone',
    address: { first_line: '1', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
    phone_number: '+16025550100',
  }
  const bodies = [
    userInfoBody({ first_name: name }),
    userInfoBody({ last_name: name }),
    userInfoBody({ medical_proxy: { ...proxy, last_name: name } }),
  ]
  for (const body of bodies) expect((await call(team, route, body)).status).toBe(status)
})

it('accepts any gender except an empty one (2.1)', async () => {
  const team = createMock().team()
  expect((await call(team, route, userInfoBody({ gender: 'anything' }))).status).toBe(200)
  expect((await call(team, route, userInfoBody({ gender: '' }))).status).toBe(422)
})

it('checks the e-mail address and the date of birth of a request (2.1)', async () => {
  const team = createMock().team()
  const changes = [{ email: 'nobody' }, { dob: '1980-02-30' }]
  for (const change of changes) {
    expect((await call(team, route, userInfoBody(change))).status).toBe(422)
  }
})

it('creates the user of a call, unless autoCreateUsers is off', async () => {
  const team = createMock().team()
  await call(team, route, userInfoBody())
  expect(team.users.has(userId)).toBe(true)
  const strict = createMock().team({ autoCreateUsers: false })
  const rejected = await call(strict, route, userInfoBody())
  expect([rejected.status, rejected.body]).toEqual([404, { detail: 'User not found' }])
  strict.users.create({ user_id: userId })
  expect((await call(strict, route, userInfoBody())).status).toBe(200)
})

it('issues sign-in tokens with user and expiry (2.3, 4.7)', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team({ signInTokenLifetime: '30m' })
  const { status, body } = await call(team, `POST /v2/user/${userId}/sign_in_token`)
  expect([status, body.user_id]).toEqual([200, userId])
  const { public_key, user_token } = JSON.parse(atob(body.sign_in_token))
  expect(public_key).toBeTypeOf('string')
  const claims = JSON.parse(atob(user_token.split('.')[1]))
  const issued = Date.parse('2025-06-01T09:00:00Z') / 1000
  expect(claims).toEqual({ sub: userId, iat: issued, exp: issued + 1800 })
})

it('creates users with generated info, or with that of the test (2.1)', () => {
  const team = createMock().team()
  const user = team.users.create({ info: { first_name: 'Grace' } })
  expect(user.info).toMatchObject({ first_name: 'Grace', email: expect.stringContaining('@') })
  expect(team.users.create({ info: null }).info).toBeNull()
})
