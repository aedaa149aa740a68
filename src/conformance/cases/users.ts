import { assertEqual, assertRejected, assertSuccess, assertThat } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { createSignInToken, updateInfo } from '../operations.ts'
import { guarantor, userAddress, userInfoBody, without } from '../request-bodies.ts'
import type { TestedService } from '../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../shape.ts'
import { guarantorShape } from './insurance-shapes.ts'
import { assertBodyRejected } from './user-bodies.ts'

const userInfo: ObjectForm = {
  first_name: 'string',
  last_name: 'string',
  email: 'string',
  phone_number: 'string',
  gender: 'string',
  dob: 'date',
  address: {
    'first_line?': 'string',
    'second_line?': 'string',
    'zip_code?': 'string',
    'state?': 'string',
    'city?': 'string',
  },
  'medical_proxy?': guarantorShape,
  'race?': 'string',
  'ethnicity?': 'string',
  'sexual_orientation?': 'string',
  'gender_identity?': 'string',
}

const required = Object.keys(userInfoBody())

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

/** Stores user info with these fields and returns the response body. */
async function storeInfo(
  service: TestedService,
  changes: Record<string, unknown> = {},
): Promise<unknown> {
  const user_id = await service.user()
  const request = { params: { user_id }, body: userInfoBody(changes) }
  return assertSuccess(await service.call(updateInfo, request)).json
}

export const userCases = defineCases({
  '2.1/response': {
    title: 'Returns user info with all required fields',
    rules: ['2.1/fields', '2.1/required-response', '2.1/email-response', '2.1/address'],
    needs: ['user'],
    async run(service) {
      assertShape(await storeInfo(service, { medical_proxy: guarantor }), userInfo, 'the user info')
    },
  },
  '2.1/required': {
    title: 'Rejects user info without a required field',
    rules: ['2.1/fields'],
    needs: ['user'],
    async run(service) {
      for (const field of required) {
        await assertBodyRejected(
          service,
          updateInfo,
          without(userInfoBody(), field),
          `user info without ${field}`,
        )
      }
    },
  },
  '2.1/required-not-null': {
    title: 'Rejects null for a required field of user info',
    rules: ['2.1/fields'],
    needs: ['user'],
    async run(service) {
      for (const field of required) {
        await assertBodyRejected(
          service,
          updateInfo,
          userInfoBody({ [field]: null }),
          `null for ${field}`,
        )
      }
    },
  },
  '2.1/types': {
    title: 'Rejects a number for a string field of user info',
    rules: ['2.1/fields'],
    needs: ['user'],
    async run(service) {
      for (const field of ['first_name', 'email', 'phone_number', 'gender', 'dob']) {
        await assertBodyRejected(
          service,
          updateInfo,
          userInfoBody({ [field]: 7 }),
          `a number for ${field}`,
        )
      }
    },
  },
  '2.1/email': {
    title: 'Rejects an email that is not an email address',
    rules: ['2.1/email'],
    needs: ['user'],
    async run(service) {
      for (const email of ['ada', 'ada@', '@example.test']) {
        await assertBodyRejected(
          service,
          updateInfo,
          userInfoBody({ email }),
          'an email that is not an email address',
        )
      }
    },
  },
  '2.1/dob': {
    title: 'Rejects a dob that is not a date',
    rules: ['2.1/dob'],
    needs: ['user'],
    async run(service) {
      for (const dob of ['01/02/1980', '1980-02-30', '1980']) {
        await assertBodyRejected(
          service,
          updateInfo,
          userInfoBody({ dob }),
          'a dob that is not a date',
        )
      }
    },
  },
  '2.1/gender': {
    title: 'Accepts any string for gender',
    rules: ['2.1/gender'],
    needs: ['user'],
    async run(service) {
      const info = await storeInfo(service, { gender: 'prefers_another_word' })
      assertEqual(fieldOf(info, 'gender'), 'prefers_another_word', 'gender')
    },
  },
  '2.1/enumerations': {
    title: 'Accepts every listed value of race, ethnicity, sexual_orientation and gender_identity',
    rules: ['2.1/enumerations', '2.1/optional'],
    needs: ['user'],
    async run(service) {
      for (const [field, values] of Object.entries(enumerations)) {
        for (const value of values) {
          assertEqual(fieldOf(await storeInfo(service, { [field]: value }), field), value, field)
        }
      }
    },
  },
  '2.1/optional': {
    title: 'Accepts optional fields that are null or missing',
    rules: ['2.1/optional'],
    needs: ['user'],
    async run(service) {
      await storeInfo(service)
      const fields = Object.keys(enumerations).map((field) => [field, null])
      await storeInfo(service, Object.fromEntries(fields))
    },
  },
  '2.1/medical-proxy': {
    title: 'Stores a medical_proxy with the fields of a guarantor',
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    needs: ['user'],
    async run(service) {
      const proxy = fieldOf(await storeInfo(service, { medical_proxy: guarantor }), 'medical_proxy')
      assertShape(proxy, guarantorShape, 'medical_proxy')
      assertEqual(fieldOf(proxy, 'first_name'), guarantor.first_name, 'medical_proxy.first_name')
    },
  },
  '2.1/second-line': {
    title: 'Accepts null for second_line of an address',
    rules: ['2.1/address'],
    needs: ['user'],
    async run(service) {
      await storeInfo(service, { address: { ...userAddress(), second_line: null } })
      await storeInfo(service, { address: { ...userAddress(), second_line: 'Unit 2' } })
    },
  },
  '4.2/stored': {
    title: 'Returns the stored user info',
    rules: ['4.2/response', '4.2/body'],
    needs: ['user'],
    async run(service) {
      const info = await storeInfo(service)
      for (const [field, value] of Object.entries(without(userInfoBody(), 'address'))) {
        assertEqual(fieldOf(info, field), value, field)
      }
      const { first_line, zip_code, state, city } = userAddress()
      for (const [field, value] of Object.entries({ first_line, zip_code, state, city })) {
        assertEqual(fieldOf(fieldOf(info, 'address'), field), value, `address.${field}`)
      }
    },
  },
  '4.2/latest': {
    title: 'Returns the new user info after a second update',
    rules: ['4.2/response', '4.2/path'],
    needs: ['user'],
    async run(service) {
      const params = { user_id: await service.user() }
      const update = async (last_name: string) =>
        assertSuccess(await service.call(updateInfo, { params, body: userInfoBody({ last_name }) }))
      await update('Stone')
      const { json } = await update('Hill')
      assertEqual(fieldOf(json, 'last_name'), 'Hill', 'last_name')
    },
  },
  '4.7/token': {
    title: 'Issues a sign-in token for the user of the path, without a body',
    rules: ['2.3/fields', '4.7/path', '4.7/response', '5/sign-in'],
    needs: ['user'],
    async run(service) {
      const user_id = await service.user()
      const { json } = assertSuccess(await service.call(createSignInToken, { params: { user_id } }))
      assertShape(json, { user_id: 'uuid', sign_in_token: 'string' }, 'the response')
      assertEqual(fieldOf(json, 'user_id'), user_id, 'user_id')
      assertThat(
        fieldOf(json, 'sign_in_token') !== '',
        'Expected a sign_in_token that is not empty.',
      )
    },
  },
  '4.7/uuid': {
    title: 'Rejects a sign-in token for a user id that is not a UUID',
    rules: ['4.7/path'],
    readOnly: true,
    async run(service) {
      const params = { user_id: 'not-a-uuid' }
      assertRejected(
        await service.call(createSignInToken, { params }),
        'a user_id that is not a UUID',
      )
    },
  },
})
