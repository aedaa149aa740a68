import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { insuranceBody, insuredBody, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const route = `POST /v2/user/${userId}/insurance`

it('stores an insurance with its defaults (2.2, 4.1)', async () => {
  const team = createMock().team()
  const { status, body } = await call(team, route, insuranceBody())
  expect(status).toBe(200)
  expect(body).toMatchObject({
    payor_code: 'UNLISTED',
    is_primary: true,
    group_id: null,
    guarantor: null,
    company: { name: expect.any(String) },
  })
  expect(body.insured.address).toMatchObject({ second_line: '', access_notes: null })
  expect(team.insurances.list({ user_id: userId })).toHaveLength(1)
})

it('stores is_primary false, and an empty second line for null (2.2)', async () => {
  const address = { ...insuredBody().address, second_line: null, access_notes: 'Ring twice' }
  const { body } = await call(
    createMock().team(),
    route,
    insuranceBody({ is_primary: false, insured: insuredBody({ address }) }),
  )
  expect(body.is_primary).toBe(false)
  expect(body.insured.address).toMatchObject({ second_line: '', access_notes: 'Ring twice' })
})

it('returns the company of a listed payor (2.2)', async () => {
  const team = createMock().team()
  const [payor] = team.payors.list()
  const { body } = await call(team, route, insuranceBody({ payor_code: payor?.payor_code ?? '' }))
  expect(body.company).toEqual({ name: payor?.name, address: payor?.address })
})

it("returns an empty second_line when a payor's address has none (2.2)", async () => {
  const team = createMock().team()
  for (const second_line of [null, undefined]) {
    const payor_code = `P${second_line}`
    team.payors.create({ payor_code, address: { city: 'Phoenix', second_line } })
    const { body } = await call(team, route, insuranceBody({ payor_code }))
    expect(body.company.address.second_line).toBe('')
  }
})

it('rejects an unknown payor with strictPayors (4.1)', async () => {
  const team = createMock().team({ strictPayors: true })
  expect((await call(team, route, insuranceBody())).status).toBe(404)
  team.payors.create({ payor_code: 'UNLISTED', name: 'Newly listed' })
  expect((await call(team, route, insuranceBody())).body.company.name).toBe('Newly listed')
})

it.each([
  ['MEDFED', 'MEDCA'],
  ['MAIDFED', 'MAIDCA'],
])(
  "infers the regional plan of %s from the insured person's address (4.1)",
  async (code, stored) => {
    const address = { ...insuredBody().address, state: 'CA' }
    const insured = insuredBody({ address })
    const { body } = await call(
      createMock().team(),
      route,
      insuranceBody({ payor_code: code, insured }),
    )
    expect(body.payor_code).toBe(stored)
  },
)

it("infers the regional plan from the user's stored address first (4.1)", async () => {
  const team = createMock().team({ regionalPayors: { MEDFED: { NY: 'EMPIRE' } } })
  const address = { ...userInfoBody().address, state: 'NY' }
  await call(team, `PATCH /v2/user/${userId}/info`, userInfoBody({ address }))
  const federal = await call(team, route, insuranceBody({ payor_code: 'MEDFED' }))
  expect(federal.body.payor_code).toBe('EMPIRE')
  const low = await call(team, route, insuranceBody({ payor_code: 'MAIDFED' }))
  expect(low.body.payor_code).toBe('MAIDNY')
})

it('limits access notes to 1,000 characters (2.2)', async () => {
  const team = createMock().team()
  const withNotes = (length: number, letter = 'n') => {
    const address = { ...insuredBody().address, access_notes: letter.repeat(length) }
    return call(team, route, insuranceBody({ insured: insuredBody({ address }) }))
  }
  expect((await withNotes(1000)).status).toBe(200)
  expect((await withNotes(1000, '🔑')).status).toBe(200)
  expect((await withNotes(1001)).body.detail).toMatchObject([
    { type: 'string_too_long', loc: ['body', 'insured', 'address', 'access_notes'] },
  ])
})

it('validates the names of the insured person and the guarantor (2.1, 2.2)', async () => {
  const { first_name, last_name, address, phone_number } = insuredBody({ last_name: 'Núñez' })
  const guarantor = { first_name, last_name, address, phone_number }
  const { body } = await call(
    createMock().team(),
    route,
    insuranceBody({ insured: insuredBody({ first_name: '@' }), guarantor }),
  )
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
    'body.insured.first_name',
    'body.guarantor.last_name',
  ])
})

it('accepts a relationship that the specification does not list (2.2)', async () => {
  const { body } = await call(createMock().team(), route, insuranceBody({ relationship: 'Cousin' }))
  expect(body.relationship).toBe('Cousin')
})

it('infers no regional plan without a state (4.1)', async () => {
  const address = { ...insuredBody().address, state: ' ' }
  const body = insuranceBody({ payor_code: 'MEDFED', insured: insuredBody({ address }) })
  const team = createMock().team()
  const { status, body: found } = await call(team, route, body)
  expect([status, found.detail[0].loc]).toEqual([422, ['body', 'insured', 'address', 'state']])
  const info = userInfoBody()
  team.users.update(userId, {
    info: {
      ...info,
      address: { ...info.address, state: '' },
    } as never,
  })
  expect((await call(team, route, body)).status).toBe(422)
  expect(team.insurances.list()).toEqual([])
})
