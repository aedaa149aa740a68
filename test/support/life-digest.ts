import { createHash } from 'node:crypto'
import { createMock, type Team } from '../../mock/index.ts'

/** A team with two living users: one travels through changes of the clock, one has an order. */
export function makeLivingTeam(): Team {
  const team = createMock({ seed: 11 }).team({ now: '2025-03-28T11:00:00Z', outboxLimit: 100_000 })
  team.users.create({
    persona: 'athlete',
    time_zone: 'Europe/Berlin',
    connections: ['eight_sleep', 'my_fitness_pal_v2'],
    living: true,
  })
  const { user_id } = team.users.create({
    persona: 'older_adult',
    time_zone: 'America/St_Johns',
    born: '1951-02-03',
    connections: ['withings', 'freestyle_libre'],
    living: true,
  })
  team.orders.create({ user_id, collection_method: 'testkit' })
  return team
}

/** Returns a digest of all events of a team, and of what reads return. */
export function digestOf(team: Team): string {
  const hash = createHash('sha256')
  for (const { id, number, at, body } of team.events.list()) {
    hash.update(JSON.stringify([id, number, at, body]))
  }
  for (const { user_id } of team.users.list()) hash.update(JSON.stringify(team.truth(user_id)))
  hash.update(JSON.stringify([team.orders.list(), team.snapshot()]))
  return hash.digest('hex')
}

/** Lets some days pass in one step. */
export async function live(days: number): Promise<string> {
  const team = makeLivingTeam()
  await team.clock.advance(`${days}d`)
  return digestOf(team)
}
