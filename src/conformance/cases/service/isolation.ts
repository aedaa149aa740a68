import {
  assertIncludes,
  assertRejected,
  assertSameData,
  assertSuccess,
  assertThat,
} from '../../assertions.ts'
import { assertUnchanged, readUsers } from '../../bodies/invalid-bodies.ts'
import { completeUserInfo } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import { fieldOf } from '../../shape.ts'
import { create, insuranceOf } from '../insurance/shapes.ts'
import { importAndWait, importBody, importTeam } from '../link/submit-import.ts'
import { storeInfo } from '../users/info.ts'

export const isolationCases = defineCases([], {
  '5/team-info': {
    title: "Does not change another team's user info or insurance records",
    rules: ['5/team-key', '4.2/path', '4.1/path'],
    needs: ['team', 'user', 'userInfo', 'insurances'],
    async run(service) {
      const [team, other] = [await service.team({}), await service.team({})]
      const user_id = await team.user()
      const sent = completeUserInfo('first')
      await storeInfo(team, user_id, sent)
      await create(team, user_id, await insuranceOf(team, 'first'))
      const params = { user_id }
      // The specification does not define whether the other team may have a user with this id.
      const change = async () => {
        await other.call('users.updateInfo', { params, body: completeUserInfo('second') })
        await other.call('insurance.create', { params, body: await insuranceOf(other, 'second') })
        await other.call('users.createSignInToken', { params })
      }
      await assertUnchanged(team, user_id, change, 'calls by another team')
      assertIncludes(await team.setup.userInfo(user_id), sent, "the user's info")
      await storeInfo(team, user_id, sent)
    },
  },
  '5/team-connections': {
    title: "Does not delete or add connections of another team's user",
    rules: ['5/team-key', '4.10/path', '4.3/body'],
    needs: ['team', 'user', 'connect', 'connections'],
    async run(service) {
      const [team, other] = [await service.team({}), await service.team({})]
      const user_id = await team.user()
      await team.setup.connect(user_id, 'oura')
      const change = async () => {
        await other.call('link.deleteConnection', { params: { user_id, provider: 'oura' } })
        const body = importBody([user_id], { provider: 'fitbit', wait_for_completion: true })
        await other.call('link.bulkImport', { body })
      }
      await assertUnchanged(team, user_id, change, 'calls by another team')
    },
  },
  '5/team-orders': {
    title: "Rejects requests to book another team's order or read its appointment",
    rules: ['5/team-key', '4.8/path'],
    needs: ['team', 'order', 'bookingKey'],
    async run(service) {
      const [team, other] = [await service.team({}), await service.team({})]
      const params = { order_id: await team.setup.order() }
      const book = async (caller: typeof team) => {
        const body = { booking_key: await caller.setup.bookingKey({ outcome: 'confirm' }) }
        return caller.call('orders.bookPhlebotomyAppointment', { params, body })
      }
      assertRejected(await book(other), "another team's order")
      assertSuccess(await book(team))
      await other.reject(
        'orders.getPhlebotomyAppointment',
        { params },
        "another team's appointment",
      )
    },
  },
  '5/team-events': {
    title: 'Sends each team only its own events',
    rules: ['5/team-key', '6/connection'],
    needs: ['team', 'user', 'connect', 'events'],
    async run(service) {
      const [team, other] = [await service.team({}), await service.team({})]
      const [theirs, own] = [await team.user(), await other.user()]
      await team.setup.connect(theirs, 'oura')
      await other.setup.connect(own, 'fitbit')
      const users = (await other.setup.events()).map((event) => fieldOf(event, 'user_id'))
      assertThat(users.includes(own), 'Expected an event for the connection, but found none.')
      assertThat(
        !users.includes(theirs),
        "Expected only the team's events, but found another team's event.",
      )
    },
  },
  '5/alternating-keys': {
    title: "Uses each call's API key to select the team, even if the keys alternate",
    rules: ['5/header', '5/team-key'],
    needs: ['team', 'user', 'userInfo'],
    async run(service) {
      const teams = [await service.team({}), await service.team({})]
      const users = [await teams[0]?.user(), await teams[1]?.user()]
      const bodies = [completeUserInfo('first'), completeUserInfo('second')]
      for (const at of [0, 1, 0, 1, 1, 0]) {
        const [team, user = '', body] = [teams[at], users[at], bodies[at]]
        if (!team || !body) continue
        assertIncludes(await storeInfo(team, user, body), body, 'the user info')
        assertIncludes(await team.setup.userInfo(user), body, 'the stored user info')
      }
    },
  },
  '4.2/other-records': {
    title: 'Leaves other records unchanged when user info, insurance records or connections change',
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
      // Start with a different record for each user, because the first change may delete the other records.
      for (const at of records.keys()) {
        const fresh = await team.user()
        for (const changed of [...records.slice(at), ...records.slice(0, at)]) {
          const [before] = await readUsers(team, [fresh])
          await steps[changed]?.(fresh)
          const [after] = await readUsers(team, [fresh])
          for (const record of records.filter((name) => name !== changed)) {
            assertSameData(fieldOf(after, record), fieldOf(before, record), `the user's ${record}`)
          }
        }
      }
      const user = await team.user()
      const params = { user_id: user }
      await team.setup.connect(user, 'garmin')
      await storeInfo(team, user, info)
      await create(team, user, insurance)
      const before = await readUsers(team, [user])
      const refused = [
        await team.call('users.updateInfo', { params, body: { ...info, dob: 'yesterday' } }),
        await team.call('insurance.create', { params, body: { ...insurance, insured: 7 } }),
      ]
      for (const response of refused) assertRejected(response, 'an invalid field')
      assertSuccess(await team.call('users.createSignInToken', { params }))
      assertSameData(
        await readUsers(team, [user]),
        before,
        "the user's data after rejected requests",
      )
    },
  },
})
