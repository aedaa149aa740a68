import { assertEqual } from '../../assertions.ts'
import {
  assertBodiesRejected,
  invalidDates,
  withEach,
  withoutEach,
  withWrongTypes,
} from '../../bodies/invalid-bodies.ts'
import { completeUserInfo, userInfoBody } from '../../bodies/people.ts'
import { assertKept, type StoringCall, unusualValuesOf } from '../../bodies/unusual-text.ts'
import { defineCases } from '../../case.ts'
import { cellsOf } from '../../rules/rule.ts'
import { quotesOf } from '../../rules/rules.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf, requiredFields } from '../../shape.ts'
import { guarantorShape } from '../insurance/shapes.ts'
import { infoFields, storeInfo, userAddress } from './info.ts'

/** The values of each enumeration, such as `race`, from a table in the specification. */
const enumerations = Object.fromEntries(
  quotesOf('2.1/enumerations').map((row) => {
    const [field = '', values = ''] = cellsOf(row)
    return [field, values.split(', ')]
  }),
)

const validEmails = [
  'a@example.test',
  'first.last@sub.example.test',
  'ada+tag@example.test',
  'ada_stone-2@example.test',
  'Ada.Stone@example.test',
  "o'hara@example.test",
  `${'a'.repeat(64)}@example.test`,
]

const invalidEmails = [
  '',
  'ada',
  'ada@',
  '@example.test',
  'ada.example.test',
  'ada@@example.test',
  'ada stone@example.test',
  'ada@example test',
  'ada@example.test, bob@example.test',
]

const person = ['first_name', 'last_name', 'email', 'phone_number']
const proxy = [
  ...person,
  'address.first_line',
  'address.city',
  'address.zip',
  'address.access_notes',
]

const paths = [
  ...person,
  'gender',
  ...['first_line', 'second_line', 'city', 'zip_code'].map((name) => `address.${name}`),
  ...proxy.map((name) => `medical_proxy.${name}`),
]

function updateOf(service: TestedService): StoringCall {
  return {
    operation: 'users.updateInfo',
    body: completeUserInfo('first'),
    stored: async (user) => (service.offers('userInfo') ? service.setup.userInfo(user) : undefined),
  }
}

async function userWithInfo(service: TestedService): Promise<string> {
  const user = await service.user()
  await storeInfo(service, user, completeUserInfo('second'))
  return user
}

export const infoInputCases = defineCases(['user'], {
  '2.1/required': {
    title: 'Rejects user info with a missing or null required field, and stores nothing',
    rules: ['2.1/fields', '4.2/body'],
    async run(service) {
      const bodies = withoutEach(completeUserInfo('first'), requiredFields(infoFields))
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/types': {
    title: 'Rejects wrong types in user info, and stores nothing',
    rules: ['2.1/fields', '2.1/address', '2.1/optional'],
    async run(service) {
      const complete = completeUserInfo('first')
      const bodies = [
        ...withWrongTypes(complete, infoFields),
        ...withWrongTypes(complete, userAddress, 'address'),
      ]
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/proxy-types': {
    title: 'Rejects wrong types in a medical_proxy, and stores nothing',
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    async run(service) {
      const complete = completeUserInfo('first')
      const bodies = [
        ...withWrongTypes(complete, { medical_proxy: 'object' }),
        ...withWrongTypes(complete, guarantorShape, 'medical_proxy'),
      ]
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/email': {
    title: "Accepts valid addresses for a user's email and rejects other strings",
    rules: ['2.1/email'],
    async run(service) {
      const user = await userWithInfo(service)
      for (const email of validEmails) {
        const info = await storeInfo(service, user, userInfoBody({ email }))
        assertEqual(fieldOf(info, 'email'), email, 'email')
      }
      const bodies = withEach(userInfoBody(), 'email', invalidEmails)
      await assertBodiesRejected(service, 'users.updateInfo', user, bodies)
    },
  },
  '2.1/dob': {
    title: "Accepts calendar dates for a user's dob and rejects other strings",
    rules: ['2.1/dob'],
    async run(service) {
      const user = await userWithInfo(service)
      for (const dob of ['1980-01-01', '1980-12-31', '1980-02-29', '2000-02-29', '1955-07-04']) {
        const info = await storeInfo(service, user, userInfoBody({ dob }))
        assertEqual(fieldOf(info, 'dob'), dob, 'dob')
      }
      const bodies = withEach(userInfoBody(), 'dob', invalidDates)
      await assertBodiesRejected(service, 'users.updateInfo', user, bodies)
    },
  },
  '2.1/enumerations': {
    title: 'Accepts every listed value of race, ethnicity, sexual_orientation and gender_identity',
    rules: ['2.1/enumerations', '2.1/optional'],
    async run(service) {
      const user = await service.user()
      for (const [field, values] of Object.entries(enumerations)) {
        for (const value of values) {
          const info = await storeInfo(service, user, userInfoBody({ [field]: value }))
          assertEqual(fieldOf(info, field), value, field)
        }
      }
    },
  },
  '2.1/names': {
    title: "Accepts only names that match the mock's name rules",
    rules: ['2.1/fields'],
    assumption: "the service uses the mock's name rules",
    async run(service) {
      const user = await userWithInfo(service)
      for (const name of ['John', 'Mary-Jane', "O'Connor", 'Dr. Smith', 'Smith, Jr.', '3']) {
        const body = userInfoBody({ first_name: name, last_name: name })
        const info = await storeInfo(service, user, body)
        assertEqual(fieldOf(info, 'first_name'), name, 'first_name')
        assertEqual(fieldOf(info, 'last_name'), name, 'last_name')
      }
      const names = [' John', 'John ', '-John', 'John@Smith', 'José', '', 'Mary  Jane', 'John\n']
      for (const field of ['first_name', 'last_name', 'medical_proxy.first_name']) {
        const bodies = withEach(completeUserInfo('first'), field, names)
        await assertBodiesRejected(service, 'users.updateInfo', user, bodies)
      }
    },
  },
  '4.2/other-bodies': {
    title: 'Rejects a body that is not user info',
    rules: ['4.2/body', '4/json'],
    async run(service) {
      const params = { user_id: await service.user() }
      for (const body of ['[]', 'null', '"text"', '7', '{}', JSON.stringify([userInfoBody()])]) {
        await service.reject('users.updateInfo', { params, body }, 'a body that is not user info')
      }
    },
  },
  '4.2/letters': {
    title: 'Stores the strings of user info unchanged, including letter case and spaces',
    rules: ['4.2/response', '2.1/fields', '2.1/address', '2.1/gender', '2.1/medical-proxy'],
    run: (service) => assertKept(service, updateOf(service), unusualValuesOf(paths)),
  },
  '2.1/household': {
    title: "Stores a medical_proxy's household_income and household_size unchanged",
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    run: (service) =>
      assertKept(service, updateOf(service), {
        'medical_proxy.household_income': [61_237, 1, 1_234_567, 0, -4321],
        'medical_proxy.household_size': [1, 13],
      }),
  },
})
