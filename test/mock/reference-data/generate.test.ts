import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { seedLabs, seedLabTests, seedMarkers } from '../../../mock/reference-data/catalogue.ts'
import { payors, regionalPayorCode } from '../../../mock/reference-data/payors.ts'
import { locationIn, makeUserInfo, postalAddress } from '../../../mock/reference-data/people.ts'
import { providers } from '../../../mock/reference-data/providers.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import {
  bulkImportProviders,
  connectionProviders,
  type DriftEvent,
  isLabName,
  ServiceClient,
} from '../../../src/index.ts'

const everything = () => ({
  labs: seedLabs,
  labTests: seedLabTests(),
  markers: seedMarkers(),
  providers,
  payors: payors(),
  people: Array.from({ length: 10 }, (_, at) => makeUserInfo(new Random(`42/${at}`))),
  places: Array.from({ length: 10 }, (_, at) => postalAddress(new Random(`42/${at}`))),
})

describe('the catalogue', () => {
  it('has at least 60 markers, some in panels and some without a price', () => {
    expect(seedMarkers().length).toBeGreaterThanOrEqual(60)
    expect(new Set(seedMarkers().map(({ type }) => type))).toEqual(new Set(['biomarker', 'panel']))
    expect(seedMarkers().some(({ price }) => price === 'N/A')).toBe(true)
    for (const { price } of seedMarkers()) expect(price).toMatch(/^(?:\d+\.\d\d|N\/A)$/)
  })

  it('has at least 60 different LOINC codes whose check digits are right', () => {
    const codes = new Set(
      seedMarkers()
        .flatMap(({ expected_results }) => expected_results ?? [])
        .map(({ loinc }) => loinc?.code ?? ''),
    )
    expect(codes.size).toBeGreaterThanOrEqual(60)
    for (const code of codes) expect(code).toBe(withCheckDigit(code))
  })

  it('has tests of several labs, with markers of the same lab', () => {
    expect(new Set(seedLabTests().map(({ lab_id }) => lab_id)).size).toBe(seedLabs.length)
    const labOf = new Map(seedMarkers().map(({ id, lab_id }) => [id, lab_id]))
    for (const { lab_id, marker_ids } of seedLabTests()) {
      expect(marker_ids.length).toBeGreaterThan(0)
      for (const id of marker_ids) expect(labOf.get(id)).toBe(lab_id)
    }
  })
})

it.each([
  ['markers', seedMarkers().map(({ id }) => id)],
  ['lab tests', seedLabTests().map(({ id }) => id)],
  ['slugs of lab tests', seedLabTests().map(({ slug }) => slug)],
  ['test codes of a lab', seedMarkers().map(({ lab_id, test_code }) => `${lab_id}/${test_code}`)],
  ['providers', providers.map(({ slug }) => slug)],
  ['payors', payors().map(({ payor_code }) => payor_code)],
])('gives %s unique keys', (_, keys) => {
  expect(new Set<unknown>(keys).size).toBe(keys.length)
})

it("has every provider of the specification's lists, with a logo that needs no network", () => {
  const slugs = providers.map(({ slug }) => slug)
  expect(slugs.length).toBeGreaterThanOrEqual(40)
  expect(slugs).toEqual(expect.arrayContaining([...bulkImportProviders, ...connectionProviders]))
  for (const { logo } of providers) expect(logo ?? 'data:').toMatch(/^data:/)
})

it('has a regional plan for every state, in both federal plans', () => {
  const codes = payors().map(({ payor_code }) => payor_code)
  expect(codes.filter((code) => /^MED[A-Z]{2}$/.test(code))).toHaveLength(51)
  expect(codes.filter((code) => /^MAID[A-Z]{2}$/.test(code))).toHaveLength(51)
})

it.each([
  ['MEDFED', 'CA', 'MEDCA'],
  ['MEDFED', ' ca ', 'MEDCA'],
  ['MAIDFED', 'new york', 'MAIDNY'],
  ['MAIDFED', 'District of Columbia', 'MAIDDC'],
] as const)('infers from %s in %s the plan %s (4.1)', (code, state, expected) => {
  expect(regionalPayorCode(code, state)).toBe(expected)
})

it('generates people with valid names and consistent addresses', () => {
  for (let at = 0; at < 500; at += 1) {
    const random = new Random(`person/${at}`)
    const { first_name, last_name, email } = makeUserInfo(random)
    expect([first_name, last_name].every(isLabName)).toBe(true)
    expect(email).toMatch(/@example\.com$/)
    expect(postalAddress(random).zip).toMatch(/^\d{5}$/)
  }
})

it('locates appointments in the state of the order', () => {
  expect(locationIn('az', new Random(1)).iana_timezone).toBe('America/Phoenix')
  const team = createMock().team()
  const { patient_address } = team.orders.create()
  const order = team.orders.create({ patient_address: { ...patient_address, state: 'HI' } })
  const { location, iana_timezone } = team.appointments.create({ order_id: order.id })
  expect(iana_timezone).toBe('Pacific/Honolulu')
  expect(location.lng).toBeLessThan(-157)
})

it('returns seeded records that match the specification', async () => {
  const drifts: DriftEvent[] = []
  const team = createMock().team()
  const client = new ServiceClient({
    ...team.connection(),
    hooks: { drift: (event) => drifts.push(event) },
  })
  for await (const marker of client.labTests.listMarkers({ size: 100 }))
    expect(marker.id).toBeGreaterThan(0)
  for await (const test of client.labTests.list()) expect(test.markers).not.toEqual([])
  expect(await client.link.listProviders()).toHaveLength(providers.length)
  const user = team.users.create()
  expect(await client.users.updateInfo(user.user_id, makeUserInfo(new Random(1)))).toBeDefined()
  const { order_id } = team.appointments.create()
  expect(await client.orders.getPhlebotomyAppointment(order_id)).toMatchObject({ order_id })
  expect(drifts).toEqual([])
})

it('generates the same bytes for the same seed on every machine', () => {
  expect(everything()).toEqual(everything())
  const digest = createHash('sha256').update(JSON.stringify(everything())).digest('hex')
  expect(digest).toBe('44f1c0cb055a92b7384dd13506114931918789865f8471744cdad459dbef65a7')
})

it('generates different people for a different seed', () => {
  const names = [1, 2].map(
    (seed) => createMock({ seed }).team().users.create({ user_id: 'u' }).info,
  )
  expect(names[0]).not.toEqual(names[1])
})

/** Returns a LOINC code with the right check digit (Luhn, mod 10). */
function withCheckDigit(code: string): string {
  const [number = ''] = code.split('-')
  const sum = [...number]
    .reverse()
    .map(Number)
    .reduce((total, digit, at) => {
      const doubled = at % 2 === 0 ? digit * 2 : digit
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return `${number}-${(10 - (sum % 10)) % 10}`
}
