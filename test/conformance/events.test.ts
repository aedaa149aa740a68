import { expect, it } from 'vitest'
import { runConformance, type Setup } from '../../src/conformance/index.ts'

interface SentEvent {
  event_type: string
  user_id?: string
  data: Record<string, unknown>
}

const source = { provider: 'oura', type: 'ring', app_id: null }
const provider = { name: 'Oura', slug: 'oura', logo: 'https://logos.example.test/oura.png' }

/** Returns a setup that emits the events of part 6, each replaced by the result of `sent`. */
function feed(sent: (event: SentEvent) => SentEvent[] = (event) => [event]): Setup {
  const events: SentEvent[] = []
  const send = (event_type: string, user_id: string, data: Record<string, unknown>) =>
    events.push(...sent({ event_type, user_id, data }))
  return {
    user: () => '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55',
    events: () => events,
    trigger: (type, user) => send(type, user, { data: [], source }),
    connect(user_id) {
      const resource_availability = { sleep: { status: 'available' } }
      send('provider.connection.created', user_id, { provider, user_id, resource_availability })
      for (const resource of ['sleep', 'activity']) {
        send(`historical.data.${resource}.created`, user_id, { data: [], source })
      }
    },
  }
}

async function failedCases(setup: Setup): Promise<string[]> {
  const apiKey = 'a'
  const baseUrl = 'https://api.example.test'
  const { results } = await runConformance({ apiKey, baseUrl, setup, only: ['6'] })
  expect(results.filter(({ reason }) => reason?.includes('setup'))).toEqual([])
  return results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
}

it('finds no violations in events of the specification', async () => {
  expect(await failedCases(feed())).toEqual([])
})

const changed = (change: (event: SentEvent) => void) => (event: SentEvent) => {
  const copy = structuredClone(event)
  change(copy)
  return [copy]
}

it.each([
  {
    name: 'twice',
    sent: (event: SentEvent) => [event, event],
    found: ['6/connection-created', '6/daily-data', '6/historical', '6/sleep-cycle'],
  },
  {
    name: 'without the user',
    sent: changed((event) => delete event.user_id),
    found: ['6/connection-created', '6/daily-data', '6/envelope', '6/historical', '6/sleep-cycle'],
  },
  {
    name: 'without the provider of their source',
    sent: changed(({ data }) => {
      if (data['source']) data['source'] = { name: 'Oura', slug: 'oura', type: 'ring' }
    }),
    found: ['6/daily-data', '6/historical', '6/sleep-cycle'],
  },
  {
    name: 'with the former source of a connection only',
    sent: changed(({ data }) => {
      if (!data['provider']) return
      data['source'] = data['provider']
      delete data['provider']
    }),
    found: ['6/connection-created'],
  },
  {
    name: 'without the available resources of a connection',
    sent: changed(({ data }) => delete data['resource_availability']),
    found: ['6/connection-created'],
  },
  {
    name: 'with one record instead of a list',
    sent: changed(({ data }) => {
      if (data['data']) data['data'] = {}
    }),
    found: ['6/daily-data', '6/historical', '6/sleep-cycle'],
  },
  {
    name: 'never',
    sent: () => [],
    found: ['6/connection-created', '6/daily-data', '6/envelope', '6/sleep-cycle'],
  },
])('finds events that are sent $name', async ({ sent, found }) => {
  expect(await failedCases(feed(sent))).toEqual(found)
})
