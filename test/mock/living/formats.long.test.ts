import { expect, it } from 'vitest'
import { createMock, explainDifference, type Team, type TeamOptions } from '../../../mock/index.ts'
import { RowStore } from '../../support/row-store.ts'

function consume(team: Team) {
  const store = new RowStore()
  for (const { body } of team.events.list()) store.receive(body as never)
  return store.rows()
}

function makeTeam(options: TeamOptions) {
  const team = createMock().team({ outboxLimit: 100_000, ...options })
  team.users.create({ living: true, connections: ['oura'] })
  return team
}

it.each<[TeamOptions, TeamOptions]>([
  [{ deprecatedFields: 'always' }, { deprecatedFields: 'never' }],
  [{ deprecatedFields: 'never' }, { deprecatedFields: 'always' }],
])('keeps the format of data that arrived with %j before %j', async (before, after) => {
  const team = makeTeam(before)
  await team.clock.advance('1d')
  team.configure(after)
  expect(explainDifference(team, consume(team))).toBeUndefined()
  // Data that arrives later at the same moment has the new format.
  team.users.create({ living: true, connections: ['oura'] })
  await team.clock.advance('1d')
  team.configure(before)
  await team.clock.advance('1d')
  expect(explainDifference(team, consume(team))).toBeUndefined()
  const copy = createMock().team({ outboxLimit: 100_000, ...before })
  copy.restore(team.snapshot())
  expect(copy.snapshot()).toEqual(team.snapshot())
  expect(explainDifference(copy, consume(team))).toBeUndefined()
})

it('names the event that delivered a row before later pulls end without data', async () => {
  const team = makeTeam({ historicalEvents: 'data' })
  const [first, ...others] = team.truth(String(team.users.list()[0]?.user_id))
  team.configure({ historicalEvents: 'notice' })
  const difference = explainDifference(team, others)
  expect(difference).toMatchObject({ kind: 'lost', expected: first })
  expect(difference?.message).toContain('It arrived in daily.data.')
})

it.each<[TeamOptions, TeamOptions]>([
  [{ deprecatedFields: 'always' }, { deprecatedFields: 'never' }],
  [{ deprecatedFields: 'never' }, { deprecatedFields: 'always' }],
  [{ historicalEvents: 'data' }, { historicalEvents: 'notice' }],
])(
  'keeps the format %j of data that arrived before a team with %j restored it',
  async (...options) => {
    const [team, copy] = options.map(makeTeam) as [Team, Team]
    await team.clock.advance('1d')
    copy.restore(team.snapshot())
    expect(explainDifference(copy, consume(copy))).toBeUndefined()
    await copy.clock.advance('1d')
    expect(explainDifference(copy, consume(copy))).toBeUndefined()
    const again = createMock().team({ outboxLimit: 100_000, ...options[1] })
    again.restore(copy.snapshot())
    expect(again.snapshot()).toEqual(copy.snapshot())
  },
)
