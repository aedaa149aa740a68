import { assertEqual, assertIncludes, assertThat } from '../../assertions.ts'
import { completeAddress, completePerson, completeUserInfo } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { storeInfo } from '../users/info.ts'
import { assertHasCompany, create, insuranceOf } from './shapes.ts'

const federalCodes = ['MEDFED', 'MAIDFED']

const places = {
  AZ: { zip: '85004', city: 'Phoenix' },
  CA: { zip: '94105', city: 'San Francisco' },
  NY: { zip: '10001', city: 'New York' },
  TX: { zip: '78701', city: 'Austin' },
}

type State = keyof typeof places

async function moveTo(service: TestedService, user: string, state: State): Promise<void> {
  const { zip, city } = places[state]
  const info = completeUserInfo('first')
  const address = { ...info.address, state, zip_code: zip, city }
  await storeInfo(service, user, { ...info, address })
}

function insuredIn(state: State) {
  const address = { ...completeAddress('insured'), ...places[state], state }
  return { ...completePerson('first'), address }
}

/** Creates an insurance record after moving both the user and the insured person to the given state. */
async function createIn(service: TestedService, user: string, code: string, state: State) {
  await moveTo(service, user, state)
  const changes = { payor_code: code, insured: insuredIn(state) }
  return create(service, user, await insuranceOf(service, 'first', changes))
}

async function inferPayorCode(service: TestedService, code: string, state: State) {
  const response = await createIn(service, await service.user(), code, state)
  return fieldOf(response, 'payor_code')
}

export const regionalPlanCases = defineCases(['user'], {
  '4.1/regional-plan': {
    title: "Stores a regional plan's payor code instead of MEDFED or MAIDFED",
    rules: ['4.1/inference', '2.2/payor-code'],
    async run(service) {
      for (const code of federalCodes) {
        const user = await service.user()
        const response = await createIn(service, user, code, 'AZ')
        const stored = fieldOf(response, 'payor_code')
        assertThat(
          typeof stored === 'string' && !federalCodes.includes(stored) && stored !== '',
          `Expected payor_code to be a regional plan's code instead of ${code}, but found no such code.`,
        )
        assertHasCompany(response)
        if (!service.offers('insurances')) continue
        const [latest] = (await service.setup.insurances(user)).slice(-1)
        assertEqual(fieldOf(latest, 'payor_code'), stored, 'the stored payor_code')
      }
    },
  },
  '4.1/region-of-the-patient': {
    title: "Infers the regional plan from the patient's address",
    rules: ['4.1/inference'],
    async run(service) {
      for (const code of federalCodes) {
        const west = await inferPayorCode(service, code, 'CA')
        const east = await inferPayorCode(service, code, 'NY')
        const south = await inferPayorCode(service, code, 'TX')
        const isDistinct = new Set([west, east, south]).size === 3
        assertThat(
          isDistinct,
          `Expected ${code} to yield a different plan in each of CA, NY and TX, but found duplicates.`,
        )
        assertEqual(
          await inferPayorCode(service, code, 'CA'),
          west,
          'the code inferred the second time for the same state',
        )
      }
    },
  },
  '4.1/two-plans': {
    title: 'Infers different plans for MEDFED and MAIDFED',
    rules: ['4.1/inference'],
    async run(service) {
      const [elderly, lowIncome] = [
        await inferPayorCode(service, 'MEDFED', 'NY'),
        await inferPayorCode(service, 'MAIDFED', 'NY'),
      ]
      assertThat(
        elderly !== lowIncome,
        'Expected MEDFED and MAIDFED to yield different plans, but found the same plan.',
      )
    },
  },
  '4.1/after-a-move': {
    title: "Infers the plan from the patient's current address",
    rules: ['4.1/inference'],
    async run(service) {
      const user = await service.user()
      const code = async (state: State) =>
        fieldOf(await createIn(service, user, 'MEDFED', state), 'payor_code')
      const before = await code('CA')
      const after = await code('NY')
      assertThat(
        before !== after,
        'Expected a different plan after a move, but found the same plan.',
      )
      assertEqual(after, await inferPayorCode(service, 'MEDFED', 'NY'), 'the code after a move')
      assertEqual(await code('CA'), before, 'the code after moving back')
    },
  },
  '4.1/other-fields': {
    title: "Returns an insurance record's other fields unchanged when it infers the plan",
    rules: ['4.1/inference', '4.1/response'],
    async run(service) {
      for (const payor_code of federalCodes) {
        const sent = await insuranceOf(service, 'second', { payor_code })
        const { payor_code: _, ...others } = sent
        const response = await create(service, await service.user(), sent)
        assertIncludes(response, others, 'the insurance')
      }
    },
  },
  '4.1/other-codes': {
    title:
      'Returns payor codes other than MEDFED and MAIDFED unchanged, even after inferring a plan',
    rules: ['4.1/inference', '2.2/payor-code'],
    async run(service) {
      const user = await service.user()
      for (const payor_code of (await service.payorCodes()).slice(0, 4)) {
        if (federalCodes.includes(payor_code)) continue
        await createIn(service, user, 'MEDFED', 'TX')
        const sent = await insuranceOf(service, 'first', { payor_code })
        const response = await create(service, user, sent)
        assertEqual(fieldOf(response, 'payor_code'), payor_code, 'payor_code')
      }
    },
  },
  '4.1/every-insurance': {
    title: "Infers the plan of each insurance record, regardless of the record's other fields",
    rules: ['4.1/inference'],
    async run(service) {
      const user = await service.user()
      const expected = await inferPayorCode(service, 'MEDFED', 'NY')
      await moveTo(service, user, 'NY')
      const insured = insuredIn('NY')
      for (const changes of [
        { is_primary: false, insured },
        { is_primary: true, insured },
        { group_id: undefined, insured },
        { guarantor: undefined, relationship: 'Self', insured },
        { relationship: 'Other', insured: insuredIn('CA') },
        { relationship: 'Self', insured },
      ]) {
        const sent = await insuranceOf(service, 'first', { payor_code: 'MEDFED', ...changes })
        const found = fieldOf(await create(service, user, sent), 'payor_code')
        assertEqual(found, expected, 'payor_code')
      }
    },
  },
  '4.1/address-of-the-user': {
    title: "Infers the plan from the patient's address, not from an insured spouse's",
    rules: ['4.1/inference'],
    async run(service) {
      const user = await service.user()
      await moveTo(service, user, 'NY')
      const insured = insuredIn('CA')
      const changes = { payor_code: 'MEDFED', insured, relationship: 'Spouse' }
      const sent = await insuranceOf(service, 'first', changes)
      const expected = await inferPayorCode(service, 'MEDFED', 'NY')
      assertEqual(fieldOf(await create(service, user, sent), 'payor_code'), expected, 'payor_code')
    },
  },
})
