import { assertEqual, assertRejected, assertSuccess } from '../../assertions.ts'
import { readUsers } from '../../bodies/invalid-bodies.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { assertKept, type StoringCall, unusualValuesOf } from '../../bodies/unusual-text.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { create, insuranceOf } from '../insurance/shapes.ts'
import { importAndWait, importTeam } from '../link/submit-import.ts'
import { storeInfo } from './info.ts'

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

export const otherRecordCases = defineCases([], {
  '4.2/other-records': {
    title: "Keeps a user's other records unchanged by an update, an insurance or an import",
    rules: ['4.2/body', '4.1/body', '4.3/body'],
    needs: ['user', 'userInfo', 'insurances', 'connections', 'connect'],
    async run(service) {
      const team = await importTeam(service)
      const info = completeUserInfo('second')
      const insurance = await insuranceOf(team, 'second')
      const steps: Record<string, (user: string) => Promise<unknown>> = {
        connections: (user) => importAndWait(team, [user]),
        insurances: (user) => create(team, user, insurance),
        info: (user) => storeInfo(team, user, info),
      }
      const records = Object.keys(steps)
      // Start with a different record each time, because the first change to a record may delete the others.
      for (const at of records.keys()) {
        const fresh = await team.user()
        for (const changed of [...records.slice(at), ...records.slice(0, at)]) {
          const [before] = await readUsers(team, [fresh])
          await steps[changed]?.(fresh)
          const [after] = await readUsers(team, [fresh])
          for (const record of records.filter((name) => name !== changed)) {
            assertEqual(fieldOf(after, record), fieldOf(before, record), `${record} of the user`)
          }
        }
      }
      const user = await team.user()
      const params = { user_id: user }
      await team.connect(user, 'garmin')
      await storeInfo(team, user, info)
      await create(team, user, insurance)
      const before = await readUsers(team, [user])
      const refused = [
        await team.call('users.updateInfo', { params, body: { ...info, dob: 'yesterday' } }),
        await team.call('insurance.create', { params, body: { ...insurance, insured: 7 } }),
      ]
      for (const response of refused) assertRejected(response, 'a wrong field')
      assertSuccess(await team.call('users.createSignInToken', { params }))
      assertEqual(await readUsers(team, [user]), before, 'the user after rejected requests')
    },
  },
  '4.2/letters': {
    title: 'Stores the letters, case and spaces of user info as sent',
    rules: ['4.2/response', '2.1/fields', '2.1/address', '2.1/gender', '2.1/medical-proxy'],
    needs: ['user'],
    run: (service) => assertKept(service, updateOf(service), unusualValuesOf(paths)),
  },
  '2.1/household': {
    title: "Stores a medical_proxy's household as sent",
    rules: ['2.1/medical-proxy', '2.2/guarantor'],
    needs: ['user'],
    run: (service) =>
      assertKept(service, updateOf(service), {
        'medical_proxy.household_income': [61_237, 1, 1_234_567, 0, -4321],
        'medical_proxy.household_size': [1, 13],
      }),
  },
})
