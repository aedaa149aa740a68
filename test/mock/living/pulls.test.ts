import { expect, it } from 'vitest'
import { createMock, type Team, type TeamOptions } from '../../../mock/index.ts'

const day = 86_400_000
const now = '2025-06-01T09:00:00Z'

function connect(provider: string, living: boolean, options: TeamOptions = {}): Team {
  const team = createMock({ seed: 4 }).team({ now, outboxLimit: 100_000, ...options })
  const { user_id } = team.users.create({ living, connections: [] })
  team.connections.create({ user_id, provider })
  return team
}

/** Returns the data of the historical event of a resource. */
function pulled(team: Team, resource: string) {
  return Object(team.events.last(`historical.data.${resource}.created`)?.body['data'])
}

/** Returns the whole days from the oldest time of the items of a historical event until the connection. */
function daysOf(team: Team, resource: string): number {
  const items: Record<string, string>[] = pulled(team, resource).data
  const times = items.map((item) => {
    const time = item['timestamp'] ?? item['session_start'] ?? item['calendar_date'] ?? ''
    return Date.parse(time)
  })
  return Math.floor((Date.parse(now) - Math.min(...times)) / day)
}

it.each([
  ['garmin', 'sleep', 10],
  ['garmin', 'sleep_cycle', 10],
  ['garmin', 'activity', 10],
  ['garmin', 'workouts', 10],
  ['garmin', 'heartrate', 2],
  ['withings', 'body', 28],
  ['my_fitness_pal_v2', 'meal', 28],
] as const)(
  'pulls the days of %s that its notice names: %s of %i days',
  (provider, resource, days) => {
    const options = { historicalEvents: 'notice' } as const
    for (const living of [true, false]) {
      const { start_date, end_date } = pulled(connect(provider, living, options), resource)
      expect(Date.parse(end_date) - Date.parse(start_date)).toBe(days * day)
      expect(daysOf(connect(provider, living), resource)).toBeLessThanOrEqual(days)
    }
    // Not worn or entered on each day; a living user sends all of its records.
    const sent = daysOf(connect(provider, true), resource)
    expect(sent).toBeGreaterThanOrEqual(days - (days === 2 ? 1 : 4))
  },
)

it('pulls the profile, which changes once a year', () => {
  for (const living of [true, false]) {
    const notice = pulled(connect('garmin', living, { historicalEvents: 'notice' }), 'profile')
    expect(notice.start_date).toBe('2024-05-31T09:00:00.000Z')
    expect(pulled(connect('garmin', living), 'profile').data.length).toBeGreaterThan(0)
  }
})
