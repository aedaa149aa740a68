import { assertEqual } from '../../assertions.ts'
import {
  assertBodiesRejected,
  type InvalidBody,
  invalidDates,
  withEach,
  withoutEach,
  withWrongTypes,
} from '../../bodies/invalid-bodies.ts'
import { completePerson } from '../../bodies/people.ts'
import { assertKept, type StoringCall, unusualValuesOf } from '../../bodies/unusual-text.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf, type ObjectForm, requiredFields } from '../../shape.ts'
import {
  addressShape,
  create,
  createWith,
  guarantorShape,
  insuranceFields,
  insuranceOf,
  personShape,
} from './shapes.ts'

async function assertAllRejected(service: TestedService, bodies: readonly InvalidBody[]) {
  const user = await service.user()
  await create(service, user, await insuranceOf(service, 'second'))
  await assertBodiesRejected(service, 'insurance.create', user, bodies)
}

function typesCase(what: string, rules: readonly string[], form: ObjectForm, path?: string) {
  return {
    title: `Rejects wrong types in ${what}, and stores nothing`,
    rules,
    async run(service: TestedService) {
      const complete = await insuranceOf(service, 'first')
      await assertAllRejected(service, withWrongTypes(complete, form, path))
    },
  }
}

const personPaths = ['first_name', 'last_name', 'email', 'phone_number'].concat(
  ['first_line', 'second_line', 'city', 'zip', 'access_notes'].map((name) => `address.${name}`),
)
const paths = [
  'member_id',
  'group_id',
  ...personPaths.map((name) => `insured.${name}`),
  ...personPaths.map((name) => `guarantor.${name}`),
]

async function creationOf(service: TestedService): Promise<StoringCall> {
  return {
    operation: 'insurance.create',
    body: await insuranceOf(service, 'first'),
    stored: async (user) =>
      service.offers('insurances') ? (await service.setup.insurances(user)).at(-1) : undefined,
  }
}

export const insuranceInputCases = defineCases(['user'], {
  '2.2/required': {
    title: 'Rejects an insurance record with a missing or null required field, and stores nothing',
    rules: ['2.2/fields', '4.1/body'],
    async run(service) {
      const required = requiredFields(insuranceFields)
      await assertAllRejected(service, withoutEach(await insuranceOf(service, 'first'), required))
    },
  },
  '2.2/types': typesCase('an insurance record', ['2.2/fields'], insuranceFields),
  '2.2/insured-types': typesCase('an insured person', ['2.2/person'], personShape, 'insured'),
  '2.2/insured-address-types': typesCase(
    'the address of an insured person',
    ['2.2/insurance-address', '2.2/person'],
    addressShape,
    'insured.address',
  ),
  '2.2/guarantor-types': typesCase('a guarantor', ['2.2/guarantor'], guarantorShape, 'guarantor'),
  '2.2/guarantor-address-types': typesCase(
    'the address of a guarantor',
    ['2.2/insurance-address', '2.2/guarantor'],
    addressShape,
    'guarantor.address',
  ),
  '2.2/dob': {
    title: "Accepts calendar dates for an insured person's dob and rejects other strings",
    rules: ['2.2/person'],
    async run(service) {
      for (const dob of ['1980-01-01', '1980-12-31', '1980-02-29', '2000-02-29']) {
        const changes = { insured: { ...completePerson('first'), dob } }
        const response = await createWith(service, changes)
        assertEqual(fieldOf(fieldOf(response, 'insured'), 'dob'), dob, 'insured.dob')
      }
      const bodies = withEach(await insuranceOf(service, 'first'), 'insured.dob', invalidDates)
      await assertAllRejected(service, bodies)
    },
  },
  '2.2/required-of-people': {
    title: 'Rejects an insured person or guarantor with a missing or null required field',
    rules: ['2.2/person', '2.2/guarantor', '2.2/insurance-address'],
    assumption: 'fields such as first_name, address and address.first_line are required',
    async run(service) {
      const both = ['first_name', 'last_name', 'address', 'phone_number', 'address.first_line']
      const paths = [
        ...[...both, 'gender', 'dob', 'email', 'address.zip'].map((name) => `insured.${name}`),
        ...[...both, 'address.city'].map((name) => `guarantor.${name}`),
      ]
      const bodies = withoutEach(await insuranceOf(service, 'first'), paths)
      await assertAllRejected(service, bodies)
    },
  },
  '4.1/other-bodies': {
    title: 'Rejects a body that is not an insurance record',
    rules: ['4.1/body', '4/json'],
    async run(service) {
      const params = { user_id: await service.user() }
      const valid = JSON.stringify([await insuranceOf(service, 'first')])
      for (const body of ['[]', 'null', '"text"', '7', '{}', valid]) {
        await service.reject(
          'insurance.create',
          { params, body },
          'a body that is not an insurance record',
        )
      }
    },
  },
  '4.1/letters': {
    title: "Stores an insurance record's strings unchanged, including letter case and spaces",
    rules: ['4.1/response', '2.2/fields', '2.2/person', '2.2/guarantor', '2.2/insurance-address'],
    run: async (service) => assertKept(service, await creationOf(service), unusualValuesOf(paths)),
  },
  '2.2/household': {
    title: "Stores a guarantor's household_income and household_size unchanged",
    rules: ['2.2/guarantor'],
    run: async (service) =>
      assertKept(service, await creationOf(service), {
        'guarantor.household_income': [61_237, 1, 1_234_567, 0, -4321],
        'guarantor.household_size': [1, 13],
      }),
  },
  '4.1/similar-codes': {
    title: 'Infers a plan only for MEDFED and MAIDFED, not for similar codes',
    rules: ['4.1/inference', '2.2/payor-code'],
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
