import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { providers } from '../../../mock/reference-data/providers.ts'
import type { ConnectionEvent } from '../../../src/contract/events.ts'
import { parseEvent, recordsOf } from '../../../src/events/index.ts'

function announcedBy(team: Team): string[] {
  const { body } = team.events.list('provider.connection.created')[0] ?? {}
  const { data } = body as unknown as ConnectionEvent // the type of the event
  return Object.keys(data.resource_availability ?? {})
}

/** Returns the resources of which events have records. */
function sentBy(team: Team): string[] {
  const events = team.events.list('*.*.*.*').filter(({ body }) => recordsOf(parseEvent(body))[0])
  return [...new Set(events.map(({ event_type }) => event_type.split('.')[2] ?? ''))]
}

it.each(['typical', 'type_1_diabetic', 'athlete', 'older_adult', 'pregnancy'])(
  'announces what it sends of a living user of persona %s, and nothing else',
  async (persona) => {
    const findings: object[] = []
    for (const { slug, supported_resources = [] } of providers) {
      const team = createMock({ seed: 5 }).team({ outboxLimit: 100_000 })
      team.users.create({ persona, connections: [slug], living: true })
      await team.clock.advance('7d')
      const [announced, sent] = [announcedBy(team), sentBy(team)]
      const without = announced.filter((name) => !sent.includes(name))
      const unknown = sent.filter((name) => !announced.includes(name))
      const unsupported = announced.filter((name) => !supported_resources?.includes(name as never))
      if ([without, unknown, unsupported].flat().length > 0)
        findings.push({ slug, without, unknown, unsupported })
    }
    expect(findings).toEqual([])
  },
)

it('announces what people have: insulin with diabetes, a basal temperature of women', () => {
  const announced = (persona: string, slug: string) => {
    const team = createMock({ seed: 5 }).team()
    team.users.create({ persona, connections: [slug], living: true })
    return announcedBy(team)
  }
  expect(announced('type_1_diabetic', 'dexcom_v3')).toContain('insulin_injection')
  expect(announced('athlete', 'dexcom_v3')).not.toContain('insulin_injection')
  expect(announced('pregnancy', 'apple_health_kit')).toContain('basal_body_temperature')
})
