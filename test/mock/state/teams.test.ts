import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { insuranceBody, userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'

it('isolates the teams in one mock: data, clock, faults and journal', async () => {
  const mock = createMock()
  const teams = Array.from({ length: runsOf(200) }, () => mock.team())
  await Promise.all(
    teams.map(async (team, at) => {
      const client = new ServiceClient({ ...team.connection(), maxRetries: 0 })
      const member_id = `M-${at}`
      await client.users.updateInfo(userId, userInfoBody({ first_name: `Ada${at}` }))
      await client.insurance.create(userId, insuranceBody({ member_id }))
      if (at % 2 === 0) team.faults.add({ on: 'link.listProviders', then: { status: 503 } })
      const providers = client.link.listProviders()
      if (at % 2 === 0) await expect(providers).rejects.toMatchObject({ status: 503 })
      else await providers
      await team.clock.advance(at * 1000)
      if (at % 3 === 0) team.catalogue.markers.delete(1001)
    }),
  )
  teams.forEach((team, at) => {
    expect(team.users.get(userId)?.info?.first_name).toBe(`Ada${at}`)
    expect(team.insurances.list().map(({ insurance }) => insurance.member_id)).toEqual([`M-${at}`])
    expect(team.clock.now().getTime()).toBe(Date.parse('2025-06-01T09:00:00Z') + at * 1000)
    expect(team.journal.lines()).toEqual([
      'users.updateInfo 200',
      'insurance.create 200',
      `link.listProviders ${at % 2 === 0 ? 503 : 200}`,
    ])
    expect(team.catalogue.markers.has(1001)).toBe(at % 3 !== 0)
  })
})

it('gives every team its own key, which depends on the seed', () => {
  const keys = [1, 1, 2].map((seed) => {
    const mock = createMock({ seed })
    return [mock.connection().apiKey, mock.team().apiKey, mock.team().apiKey]
  })
  expect(new Set(keys[0]).size).toBe(3)
  expect(keys[1]).toEqual(keys[0])
  expect(keys[2]).not.toEqual(keys[0])
})

it('rejects a used key and an unknown option', () => {
  const mock = createMock()
  mock.team({ apiKey: 'sk_one' })
  expect(() => mock.team({ apiKey: 'sk_one' })).toThrow(/Another team uses this apiKey/)
  // Callers without types can pass any value.
  expect(() => mock.team({ clocks: 'manual' } as never)).toThrow(
    /Unknown option 'clocks' in .* Did you mean clock\?/,
  )
  expect(() => mock.team({ clock: 'fast' as never })).toThrow(/clock to be one of auto, manual/)
})

it('shares seeded records between teams until one changes them', () => {
  const mock = createMock()
  const [one, other] = [mock.team(), mock.team()]
  const [marker] = one.catalogue.markers.list()
  expect(other.catalogue.markers.get(marker?.id ?? 0)).toBe(marker)
  one.catalogue.markers.update(marker?.id ?? 0, { name: 'Renamed' })
  expect(other.catalogue.markers.get(marker?.id ?? 0)).toBe(marker)
  expect(() => Object.assign(marker ?? {}, { name: 'Changed' })).toThrow(TypeError)
})

it('deletes the least recently used team of a request, unless a request of it is in progress', async () => {
  const mock = createMock({ autoTeamLimit: 2 })
  const team = mock.getOrCreateTeam('busy')
  team.clock.mode = 'manual'
  team.faults.add({ then: { latency: '1s' } })
  const response = call(team, 'GET /v2/providers')
  await team.clock.whenWaiting()
  const keys = () =>
    mock
      .teams()
      .map(({ apiKey }) => apiKey)
      .slice(1)
  for (const key of ['a', 'b', 'c']) mock.getOrCreateTeam(key)
  expect(keys()).toEqual(['busy', 'c'])
  await team.clock.advance('1s')
  expect((await response).status).toBe(200)
  mock.getOrCreateTeam('d')
  expect(keys()).toEqual(['c', 'd'])
})
