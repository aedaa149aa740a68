import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote.ts'
import { call } from '../../support/call.ts'

const mockOptions = { seed: 42, now: '2025-06-01T09:00:00Z', baseUrl: 'https://mock.test' }

it('prints a team as one line, without its key', async () => {
  const team = createMock(mockOptions).team()
  const { id } = team.orders.create()
  await call(team, `POST /v3/order/${id}/phlebotomy/appointment/book`, {
    booking_key: 'bk_never',
    async_confirmation: true,
  })
  team.faults.add({ on: 'link.*', then: 'html' })
  expect(inspect({ team })).toBe(
    `{
  team: Team { apiKey: …${team.apiKey.slice(-4)}, clock: 2025-06-01T09:00:02.500Z (auto), users: 1, orders: 1, appointments: 1, requests: 1, pending events: 1, faults: 1 (1 unused) }
}`,
  )
  expect(inspect(team)).not.toContain(team.apiKey)
})

it('hides a short key', () => {
  const team = createMock(mockOptions).team({ apiKey: 'suite' })
  expect(inspect(team)).toContain('apiKey: …,')
})

it('prints a mock with its first 10 teams', () => {
  const mock = createMock(mockOptions)
  for (let at = 0; at < 10; at += 1) mock.team()
  const [title, ...lines] = inspect(mock).split('\n')
  expect(title).toBe('Mock { baseUrl: https://mock.test, teams: 11 }')
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe(`  ${inspect(mock.defaultTeam)}`)
  expect(lines[10]).toBe('  and 1 more')
})

it('prints a remote team without its key', () => {
  const team = connectMock('http://127.0.0.1:4010', 'checkout-suite-of-team-7')
  expect(inspect(team)).toBe('RemoteTeam { baseUrl: http://127.0.0.1:4010, apiKey: …am-7 }')
  expect(Object.getOwnPropertySymbols({ ...team })).toEqual([])
})
