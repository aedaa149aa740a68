import { assertEqual, assertRejected } from '../../assertions.ts'
import {
  assertBodiesRejected,
  invalidDates,
  type Kind,
  withEach,
  withoutEach,
  withWrongTypes,
} from '../../bodies/invalid-bodies.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { userInfoBody } from '../../bodies/request-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { storeInfo } from './info.ts'

const fields: Record<string, Kind> = {
  first_name: 'string',
  last_name: 'string',
  email: 'string',
  phone_number: 'string',
  gender: 'string',
  dob: 'date',
  address: 'object',
  'address.first_line': 'string',
  'address.second_line': 'string',
  'address.zip_code': 'string',
  'address.state': 'string',
  'address.city': 'string',
  race: 'string',
  ethnicity: 'string',
  sexual_orientation: 'string',
  gender_identity: 'string',
}

const proxyFields: Record<string, Kind> = {
  medical_proxy: 'object',
  'medical_proxy.first_name': 'string',
  'medical_proxy.last_name': 'string',
  'medical_proxy.address': 'object',
  'medical_proxy.phone_number': 'string',
  'medical_proxy.email': 'string',
  'medical_proxy.household_income': 'integer',
  'medical_proxy.household_size': 'integer',
}

const enumerations = {
  race: [
    'african_american_or_black',
    'asian',
    'indigenous_native_american_alaska_native',
    'other',
    'pacific_islander_or_hawaiian',
    'white_caucasian',
  ],
  ethnicity: ['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other'],
  sexual_orientation: [
    'lesbian_gay_or_homosexual',
    'heterosexual_or_straight',
    'bisexual',
    'dont_know',
    'other',
  ],
  gender_identity: [
    'male',
    'female',
    'female_to_male_ftm_transgender_male_trans_man',
    'male_to_female_mtf_transgender_female_trans_woman',
    'genderqueer',
    'other',
  ],
}

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

/** Returns a new user with valid info, which a rejected request must not change. */
async function userWithInfo(service: TestedService): Promise<string> {
  const user = await service.user()
  await storeInfo(service, user, completeUserInfo('second'))
  return user
}

export const infoInputCases = defineCases(['user'], {
  '2.1/required': {
    title: 'Rejects user info with a missing or null required field, and stores none of it',
    rules: ['2.1/fields', '4.2/body'],
    async run(service) {
      const required = [
        'first_name',
        'last_name',
        'email',
        'phone_number',
        'gender',
        'dob',
        'address',
      ]
      const bodies = withoutEach(completeUserInfo('first'), required)
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/types': {
    title: 'Rejects wrong types in user info, and stores none of it',
    rules: ['2.1/fields', '2.1/address', '2.1/optional'],
    async run(service) {
      const bodies = withWrongTypes(completeUserInfo('first'), fields)
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/proxy-types': {
    title: 'Rejects wrong types in a medical_proxy, and stores none of it',
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    async run(service) {
      const bodies = withWrongTypes(completeUserInfo('first'), proxyFields)
      await assertBodiesRejected(service, 'users.updateInfo', await userWithInfo(service), bodies)
    },
  },
  '2.1/email': {
    title: 'Accepts email addresses and rejects other strings',
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
    title: 'Accepts calendar dates for dob and rejects other strings',
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
    title: 'Accepts the names that laboratories accept, and rejects others',
    rules: ['2.1/fields'],
    assumption: 'the rules of the name validation',
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
    title: 'Rejects user info that is not an object',
    rules: ['4.2/body', '4/json'],
    async run(service) {
      const params = { user_id: await service.user() }
      for (const body of ['[]', 'null', '"text"', '7', '{}', JSON.stringify([userInfoBody()])]) {
        const response = await service.call('users.updateInfo', { params, body })
        assertRejected(response, 'a body of a different type')
      }
    },
  },
})
