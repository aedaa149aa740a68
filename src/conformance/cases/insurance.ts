import { assertEqual, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { createInsurance, updateInfo } from '../operations.ts'
import {
  guarantor,
  insuranceAddress,
  insuranceBody,
  insured,
  userAddress,
  userInfoBody,
  without,
} from '../request-bodies.ts'
import type { TestedService } from '../service.ts'
import { assertShape, fieldOf } from '../shape.ts'
import { addressShape, insuranceShape } from './insurance-shapes.ts'
import { assertBodyRejected } from './user-bodies.ts'

/** Creates an insurance with these fields and returns the response body. */
async function createWith(
  service: TestedService,
  changes: Record<string, unknown> = {},
  userId?: string,
): Promise<unknown> {
  const params = { user_id: userId ?? (await service.user()) }
  const response = await service.call(createInsurance, { params, body: insuranceBody(changes) })
  return assertSuccess(response).json
}

/** Creates an insurance for a user in a state and returns its payor code. */
async function inferPayorCode(service: TestedService, code: string, state: string, zip: string) {
  const user_id = await service.user()
  const info = userInfoBody({ address: userAddress(state, zip) })
  assertSuccess(await service.call(updateInfo, { params: { user_id }, body: info }))
  const home = { ...insuranceAddress, state, zip }
  const changes = { payor_code: code, insured: { ...insured, address: home } }
  return fieldOf(await createWith(service, changes, user_id), 'payor_code')
}

export const insuranceCases = defineCases({
  '2.2/response': {
    title: 'Returns an insurance with its company',
    rules: ['2.2/fields', '2.2/company', '2.2/company-details', '2.2/person', '2.2/guarantor'],
    needs: ['user'],
    async run(service) {
      const response = await createWith(service, { group_id: 'G1', guarantor })
      assertShape(response, insuranceShape, 'the insurance')
      assertThat(
        fieldOf(fieldOf(response, 'company'), 'name') !== undefined,
        'Expected company to have name.',
      )
      assertShape(fieldOf(fieldOf(response, 'company'), 'address'), addressShape, 'company.address')
    },
  },
  '2.2/required': {
    title: 'Rejects an insurance without a required field',
    rules: ['2.2/fields'],
    needs: ['user'],
    async run(service) {
      for (const field of ['payor_code', 'member_id', 'relationship', 'insured']) {
        await assertBodyRejected(
          service,
          createInsurance,
          without(insuranceBody(), field),
          `an insurance without ${field}`,
        )
        await assertBodyRejected(
          service,
          createInsurance,
          insuranceBody({ [field]: null }),
          `null for ${field}`,
        )
      }
    },
  },
  '2.2/types': {
    title: 'Rejects wrong types in an insurance',
    rules: ['2.2/fields', '2.2/person', '2.2/guarantor'],
    needs: ['user'],
    async run(service) {
      const wrong = {
        payor_code: 7,
        member_id: 7,
        group_id: 7,
        is_primary: 'often',
        insured: { ...insured, dob: '01/02/1980' },
        guarantor: { ...guarantor, household_size: 'three' },
      }
      for (const [field, value] of Object.entries(wrong)) {
        await assertBodyRejected(
          service,
          createInsurance,
          insuranceBody({ [field]: value }),
          `a wrong type for ${field}`,
        )
      }
    },
  },
  '2.2/relationship': {
    title: 'Accepts every listed relationship',
    rules: ['2.2/relationship'],
    needs: ['user'],
    async run(service) {
      for (const relationship of ['Self', 'Spouse', 'Other']) {
        const response = await createWith(service, { relationship })
        assertEqual(fieldOf(response, 'relationship'), relationship, 'relationship')
      }
    },
  },
  '2.2/group-id': {
    title: 'Stores a group_id and accepts null',
    rules: ['2.2/group-id'],
    needs: ['user'],
    async run(service) {
      assertEqual(
        fieldOf(await createWith(service, { group_id: 'G1' }), 'group_id'),
        'G1',
        'group_id',
      )
      const none = fieldOf(await createWith(service, { group_id: null }), 'group_id') ?? null
      assertEqual(none, null, 'group_id')
    },
  },
  '2.2/guarantor': {
    title: 'Stores a guarantor with its household',
    rules: ['2.2/guarantor'],
    needs: ['user'],
    async run(service) {
      const response = fieldOf(await createWith(service, { guarantor }), 'guarantor')
      for (const field of ['first_name', 'email', 'household_income', 'household_size'] as const) {
        assertEqual(fieldOf(response, field), guarantor[field], `guarantor.${field}`)
      }
    },
  },
  '2.2/primary-by-default': {
    title: 'Makes an insurance the primary one by default',
    rules: ['2.2/is-primary'],
    needs: ['user'],
    async run(service) {
      assertEqual(fieldOf(await createWith(service), 'is_primary'), true, 'is_primary')
      const second = await createWith(service, { is_primary: false })
      assertEqual(fieldOf(second, 'is_primary'), false, 'is_primary')
    },
  },
  '2.2/second-line': {
    title: 'Returns an empty second_line when it is null or missing',
    rules: ['2.2/insurance-address'],
    needs: ['user'],
    async run(service) {
      const { second_line: _, ...short } = insuranceAddress
      for (const home of [short, { ...short, second_line: null }]) {
        const response = await createWith(service, { insured: { ...insured, address: home } })
        const line = fieldOf(fieldOf(fieldOf(response, 'insured'), 'address'), 'second_line')
        assertEqual(line, '', 'insured.address.second_line')
      }
    },
  },
  '2.2/address': {
    title: 'Stores every field of an address',
    rules: ['2.2/insurance-address'],
    needs: ['user'],
    async run(service) {
      const response = fieldOf(fieldOf(await createWith(service), 'insured'), 'address')
      for (const [field, value] of Object.entries(insuranceAddress)) {
        assertEqual(fieldOf(response, field), value, `insured.address.${field}`)
      }
    },
  },
  '4.1/stored': {
    title: 'Returns the stored insurance without a company in the request',
    rules: ['4.1/path', '4.1/body', '4.1/response', '2.2/person'],
    needs: ['user'],
    async run(service) {
      const response = await createWith(service)
      for (const field of ['payor_code', 'member_id', 'relationship'] as const) {
        assertEqual(fieldOf(response, field), insuranceBody()[field], field)
      }
      for (const field of ['first_name', 'last_name', 'gender', 'dob', 'email'] as const) {
        assertEqual(
          fieldOf(fieldOf(response, 'insured'), field),
          insured[field],
          `insured.${field}`,
        )
      }
    },
  },
  '4.1/regional-plan': {
    title: 'Stores the code of the regional plan for MEDFED and MAIDFED',
    rules: ['4.1/inference', '2.2/payor-code'],
    needs: ['user'],
    async run(service) {
      for (const code of ['MEDFED', 'MAIDFED']) {
        const stored = await inferPayorCode(service, code, 'AZ', '85004')
        assertThat(stored !== code, `Expected the code of a regional plan instead of ${code}.`)
      }
    },
  },
  '4.1/region-of-the-patient': {
    title: "Infers the regional plan from the patient's address",
    rules: ['4.1/inference'],
    needs: ['user'],
    async run(service) {
      for (const code of ['MEDFED', 'MAIDFED']) {
        const west = await inferPayorCode(service, code, 'CA', '94105')
        const east = await inferPayorCode(service, code, 'NY', '10001')
        assertThat(
          west !== east,
          `Expected ${code} to be inferred as different plans in CA and NY.`,
        )
      }
    },
  },
})
