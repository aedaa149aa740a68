import { describe, expect } from 'vitest'
import { test } from '../../mock/vitest.ts'
import { userId, userInfoBody } from '../support/bodies.ts'

describe('fixtures', () => {
  test('give a client of the team', async ({ client, team }) => {
    await client.users.updateInfo(userId, userInfoBody())
    expect(team.users.get(userId)?.info).toMatchObject({ first_name: 'Ada' })
  })

  test('give every test a mock of its own', async ({ mock, team }) => {
    expect(team.users.list()).toEqual([])
    expect(mock.defaultTeam).not.toBe(team)
  })
})

describe('options', () => {
  test.override({ teamOptions: { now: '2030-01-01T00:00:00Z' }, clientOptions: { maxRetries: 0 } })

  test('are overridden for a suite', async ({ client, team }) => {
    expect(team.clock.now()).toEqual(new Date('2030-01-01T00:00:00Z'))
    team.faults.add({ then: { status: 503 } })
    await expect(client.link.listProviders()).rejects.toThrow()
    expect(team.journal.count).toBe(1)
  })
})
