import { assertKept, type StoringCall, unusualValuesOf } from '../../bodies/unusual-text.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { insuranceOf } from './shapes.ts'

const person = ['first_name', 'last_name', 'email', 'phone_number'].concat(
  ['first_line', 'second_line', 'city', 'zip', 'access_notes'].map((name) => `address.${name}`),
)
const paths = [
  'member_id',
  'group_id',
  ...person.map((name) => `insured.${name}`),
  ...person.map((name) => `guarantor.${name}`),
]

async function creationOf(service: TestedService): Promise<StoringCall> {
  return {
    operation: 'insurance.create',
    body: await insuranceOf(service, 'first'),
    stored: async (user) =>
      service.offers('insurances') ? (await service.insurances(user)).at(-1) : undefined,
  }
}

export const unusualInsuranceCases = defineCases({
  '4.1/letters': {
    title: 'Stores the letters, case and spaces of an insurance as they are sent',
    rules: ['4.1/response', '2.2/fields', '2.2/person', '2.2/guarantor', '2.2/insurance-address'],
    needs: ['user'],
    run: async (service) => assertKept(service, await creationOf(service), unusualValuesOf(paths)),
  },
  '2.2/household': {
    title: 'Stores the household of a guarantor as it is sent',
    rules: ['2.2/guarantor'],
    needs: ['user'],
    run: async (service) =>
      assertKept(service, await creationOf(service), {
        'guarantor.household_income': [61_237, 1, 1_234_567, 0, -4321],
        'guarantor.household_size': [1, 13],
      }),
  },
  '4.1/similar-codes': {
    title: 'Infers a plan for the two codes only, and for none that is similar',
    rules: ['4.1/inference', '2.2/payor-code'],
    needs: ['user'],
    async run(service) {
      for (const code of ['MEDFED', 'MAIDFED']) {
        const similar = [
          code.toLowerCase(),
          code.slice(0, 1) + code.slice(1).toLowerCase(),
          ...['1', 'X', '-CA', ' ', '_'].map((suffix) => code + suffix),
          ...['X', ' ', '-'].map((prefix) => prefix + code),
          code.replace('FED', '-FED'),
          code.replace('FED', '_FED'),
          code.replace('FED', ''),
          code.replace('FED', 'X'),
          'FED',
          'REFED',
          code.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
        ]
        await assertKept(service, await creationOf(service), { payor_code: similar })
      }
    },
  },
})
