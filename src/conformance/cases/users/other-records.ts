import { assertEqual, assertRejected, assertSuccess } from '../../assertions.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { readUsers } from '../../bodies/unchanged.ts'
import { defineCases } from '../../case.ts'
import { fieldOf } from '../../shape.ts'
import { create, insuranceOf } from '../insurance/shapes.ts'
import { importAndWait, importTeam } from '../link/submit-import.ts'
import { storeInfo } from './info.ts'

export const otherRecordCases = defineCases({
  '4.2/other-records': {
    title: 'Changes no other records of a user with an update, an insurance or an import',
    rules: ['4.2/body', '4.1/body', '4.3/body'],
    needs: ['user', 'userInfo', 'insurances', 'connections', 'connect'],
    async run(service) {
      const team = await importTeam(service)
      const user = await team.user()
      const params = { user_id: user }
      await team.connect(user, 'garmin')
      await storeInfo(team, user, completeUserInfo('first'))
      await create(team, user, await insuranceOf(team, 'first'))
      const info = completeUserInfo('second')
      const insurance = await insuranceOf(team, 'second')
      const calls = {
        info: () => storeInfo(team, user, info),
        insurances: () => create(team, user, insurance),
        connections: () => importAndWait(team, [user]),
      }
      for (const [changed, call] of Object.entries(calls)) {
        const [before] = await readUsers(team, [user])
        await call()
        const [after] = await readUsers(team, [user])
        for (const record of Object.keys(calls).filter((name) => name !== changed)) {
          assertEqual(fieldOf(after, record), fieldOf(before, record), `${record} of the user`)
        }
      }
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
})
