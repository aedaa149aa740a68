import { control } from '../../../mock/control/control.ts'
import { createMock, type Team } from '../../../mock/index.ts'
import type { ScalingCase } from '../scaling-case.ts'
import { recipes, send, teamWithUsers } from './support.ts'

async function importedTeam(
  size: number,
): Promise<{ team: Team; get: (path: string) => Promise<unknown> }> {
  const mock = createMock({ journalLimit: 10 })
  const team = mock.defaultTeam
  const ids = Array.from({ length: size }, () => team.users.create({ info: null }).user_id)
  team.webhooks.add({ handler: () => new Response(), delay: '30d' })
  const body = { provider: 'oura', connections: recipes(ids), wait_for_completion: false }
  await send(team, 'POST', '/v2/link/bulk_import', body)
  await team.clock.runToNext()
  const served = { mock, url: 'http://127.0.0.1', strictKeys: true }
  const get = async (path: string) => {
    const request = {
      method: 'GET',
      path: `/__mock__/api${path}`,
      search: new URLSearchParams(),
      isLocal: true,
    }
    const headers = { host: '127.0.0.1', 'x-service-api-key': team.apiKey }
    const response = await control({ ...request, headers, text: undefined }, served)
    if (response.status !== 200) throw new Error(`Reading ${path} failed with ${response.status}.`)
  }
  return { team, get }
}

function triggerAll(team: Team, size: number): void {
  for (let at = 0; at < size; at += 1) team.trigger('example.event', { nth: at }, { unknown: true })
}

export const eventCases: Record<string, ScalingCase> = {
  events: {
    what: 'Events: emit events below the `outboxLimit`',
    growth: 'linear',
    size: 64_000,
    prepare: (size) => {
      const team = createMock({ outboxLimit: 10_000_000 }).team()
      return () => {
        triggerAll(team, size)
        return team
      }
    },
  },
  overflow: {
    what: 'Events: emit 20,000 events after the outbox reached its limit',
    growth: 'constant',
    size: 64_000,
    prepare: (size) => {
      const team = createMock({ outboxLimit: size }).team()
      triggerAll(team, size)
      return () => triggerAll(team, 20_000)
    },
  },
  latest: {
    what: 'Events: call `events.last()` 1,000 times after an import',
    growth: 'constant',
    size: 32_000,
    prepare: async (size) => {
      const { team } = await importedTeam(size)
      return () => {
        for (let at = 0; at < 1000; at += 1) team.events.last()
      }
    },
  },
  pulse: {
    what: 'Inspector: 1,000 polls while events from an import are undelivered',
    growth: 'constant',
    size: 32_000,
    prepare: async (size) => {
      const { get } = await importedTeam(size)
      return async () => {
        for (let at = 0; at < 1000; at += 1) await get('/pulse')
      }
    },
  },
  pulseOfSingles: {
    what: 'Inspector: 1,000 polls while single events are undelivered',
    growth: 'constant',
    size: 64_000,
    prepare: async (size) => {
      const { team, get } = await importedTeam(1)
      triggerAll(team, size)
      await get('/pulse')
      return async () => {
        for (let at = 0; at < 1000; at += 1) await get('/pulse')
      }
    },
  },
  delivery: {
    what: 'Webhooks: delivered events',
    growth: 'linear',
    size: 2000,
    prepare: (size) => {
      const team = createMock().team()
      team.webhooks.add({ handler: () => new Response() })
      return async () => {
        triggerAll(team, size)
        await team.webhooks.idle()
      }
    },
  },
  retries: {
    what: 'Webhooks: failed deliveries, retried once',
    growth: 'linear',
    size: 2000,
    prepare: (size) => {
      const team = createMock().team()
      team.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
      return async () => {
        triggerAll(team, size)
        await team.webhooks.idle()
        await team.clock.advance('6s')
      }
    },
  },
  redelivery: {
    what: 'Webhooks: `redeliver(id)` for each event',
    growth: 'linear',
    size: 2000,
    prepare: async (size) => {
      const { team } = teamWithUsers(0)
      const webhook = team.webhooks.add({ handler: () => new Response() })
      triggerAll(team, size)
      await team.webhooks.idle()
      const ids = webhook.deliveries().map(({ id }) => id)
      return async () => {
        for (const id of ids) webhook.redeliver(id)
        await team.webhooks.idle()
      }
    },
  },
}
