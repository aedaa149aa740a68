import { expect, it } from 'vitest'
import type { Team } from '../../../mock/index.ts'
import { userId } from '../../support/bodies.ts'
import { teamOf, typesOf } from './event-team.ts'

const dates: [now: string, shown: { final: boolean; source: boolean; hypnogram: boolean }][] = [
  ['2024-06-29', { final: true, source: true, hypnogram: true }],
  ['2024-06-30', { final: false, source: true, hypnogram: true }],
  ['2024-07-30', { final: false, source: true, hypnogram: true }],
  ['2024-07-31', { final: false, source: false, hypnogram: true }],
  ['2025-01-30', { final: false, source: false, hypnogram: true }],
  ['2025-01-31', { final: false, source: false, hypnogram: false }],
]

/** Returns the deprecated items in the events of a connection. */
function deprecatedItems(team: Team) {
  team.connections.create({ user_id: userId, provider: 'oura' })
  const content = (type: string) => team.events.last(type)?.body['data'] as Record<string, object>
  const historical = content('historical.data.sleep.created')
  const source = content('provider.connection.created')
  const isSourceShown = ['name', 'slug', 'logo'].every(
    (name) => name in (historical['source'] ?? {}),
  )
  expect('source' in source).toBe(isSourceShown)
  const hypnograms = typesOf(team, '*.timeseries.hypnogram.created')
  expect(hypnograms).toHaveLength(hypnograms.length === 0 ? 0 : 4)
  return {
    final: historical['is_final'] !== undefined,
    source: isSourceShown,
    hypnogram: hypnograms.length > 0,
  }
}

it.each(dates)('sends the deprecated items that are not removed on %s', (now, shown) => {
  expect(deprecatedItems(teamOf({ now }))).toEqual(shown)
})

it.each([
  ['always', true],
  ['never', false],
] as const)('sends deprecated items with the setting %s', (deprecatedFields, isShown) => {
  const team = teamOf({ deprecatedFields, now: isShown ? '2030-01-01' : '2020-01-01' })
  const shown = { final: isShown, source: isShown, hypnogram: isShown }
  expect(deprecatedItems(team)).toEqual(shown)
})
