import { completeUserInfo } from '../../bodies/people.ts'
import { assertKept, type StoringCall, unusualValuesOf } from '../../bodies/unusual-text.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'

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
    stored: async (user) => (service.offers('userInfo') ? service.userInfo(user) : undefined),
  }
}

export const unusualInfoCases = defineCases({
  '4.2/letters': {
    title: 'Stores the letters, case and spaces of user info as they are sent',
    rules: ['4.2/response', '2.1/fields', '2.1/address', '2.1/gender', '2.1/medical-proxy'],
    needs: ['user'],
    run: (service) => assertKept(service, updateOf(service), unusualValuesOf(paths)),
  },
  '2.1/household': {
    title: 'Stores the household of a medical_proxy as it is sent',
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    needs: ['user'],
    run: (service) =>
      assertKept(service, updateOf(service), {
        'medical_proxy.household_income': [61_237, 1, 1_234_567, 0, -4321],
        'medical_proxy.household_size': [1, 13],
      }),
  },
})
