import { assertEqual, assertSameId, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, valueAt } from '../../shape.ts'
import {
  connectUser,
  dataEventForm,
  eventsOf,
  needsFeed,
  needsTrigger,
  providerOf,
  recordEvents,
  triggerRecordEvent,
  typeOf,
} from './record-events.ts'

const dailyResources = [
  'sleep',
  'activity',
  'body',
  'workouts',
  'heartrate',
  'glucose',
  'sleep_cycle',
]

/** @param from The expected provider slug. Default: any slug. */
function assertDataEvent(event: unknown, user: string, from?: string): void {
  assertShape(event, dataEventForm, typeOf(event))
  assertSameId(fieldOf(event, 'user_id'), user, 'user_id')
  const provider = valueAt(event, 'data.source.provider')
  assertThat(provider !== '', 'Expected data.source.provider to be a slug, found an empty string.')
  assertThat(
    valueAt(event, 'data.source.type') !== '',
    'Expected data.source.type not to be empty, found an empty string.',
  )
  const slug = valueAt(event, 'data.source.slug') ?? provider
  assertEqual(slug, provider, 'data.source.slug')
  assertEqual(provider, from ?? provider, 'data.source.provider')
}

async function historicalEvents(service: TestedService, slug: string) {
  const user = await service.user()
  const events = await connectUser(service, user, slug)
  const historical = eventsOf(events, /^historical\.data\./)
  const types = historical.map(typeOf)
  const isCreated = types.every((type) => /^historical\.data\.[a-z0-9_]+\.created$/.test(type))
  assertThat(
    isCreated,
    'Expected only historical events of the form historical.data.*.created, but found others.',
  )
  assertThat(
    new Set(types).size === types.length,
    'Expected one historical event per resource, but found more.',
  )
  for (const event of historical) assertDataEvent(event, user, slug)
  return { user, events, historical }
}

function historicalTypes(events: readonly unknown[]): string[] {
  return eventsOf(events, /^historical\.data\./)
    .map(typeOf)
    .toSorted()
}

export const dataEventCases = defineCases(needsFeed, {
  '6/daily-data': {
    title: 'Sends data.data and data.source in events about new and updated data',
    rules: ['6/daily', '6/envelope', '6/source', '6/source-type', '2.8/fields'],
    needs: needsTrigger,
    async run(service) {
      for (const resource of dailyResources) {
        const user = await service.user()
        for (const change of ['created', 'updated', 'updated']) {
          const type = `daily.data.${resource}.${change}`
          assertDataEvent(await triggerRecordEvent(service, type, user), user)
        }
      }
    },
  },
  '6/users': {
    title: "Sends each data event with its user's id, regardless of earlier events",
    rules: ['6/daily', '6/envelope'],
    needs: needsTrigger,
    async run(service) {
      const users = [await service.user(), await service.user()]
      for (const user of [...users, ...users.toReversed()]) {
        const type = 'daily.data.activity.created'
        assertDataEvent(await triggerRecordEvent(service, type, user), user)
      }
    },
  },
  '6/source': {
    title: "Sends a connection's provider as the source of its data",
    rules: ['6/source', '2.8/fields', '6/daily', '6/historical'],
    async run(service) {
      for (const slug of ['oura', 'fitbit']) {
        const user = await service.user()
        const events = await connectUser(service, user, slug)
        const data = eventsOf(events, /^(?:daily|historical)\.data\./)
        for (const event of data) assertDataEvent(event, user, slug)
        if (data.length > 0) await providerOf(service, slug)
      }
    },
  },
  '6/historical': {
    title: "Sends one historical event per resource, with the connection's user and provider",
    rules: ['6/historical', '6/is-final', '9/is-final'],
    async run(service) {
      const { historical } = await historicalEvents(service, 'oura')
      // A user without health data may get no historical events, so only check that another user gets the same event
      // types.
      const second = await historicalEvents(service, 'oura')
      if (historical.length > 0) await historicalEvents(service, 'fitbit')
      assertEqual(
        second.historical.map(typeOf).toSorted().join(),
        historical.map(typeOf).toSorted().join(),
        'the types of the historical events',
      )
    },
  },
  '6/historical-of-each': {
    title:
      'Sends the same historical events for a second or re-created connection as for a first one',
    rules: ['6/historical', '6/connection', '6/source'],
    async run(service) {
      const [one, other] = [await service.user(), await service.user()]
      const expected = historicalTypes(await connectUser(service, one, 'fitbit'))
      await connectUser(service, other, 'oura')
      for (const _ of ['a new connection', 'the same connection after its deletion']) {
        const events = await connectUser(service, other, 'fitbit')
        const data = eventsOf(events, /^(?:daily|historical)\.data\./)
        for (const event of data) assertDataEvent(event, other, 'fitbit')
        assertEqual(historicalTypes(events), expected, 'the types of the historical events')
        const params = { user_id: other, provider: 'fitbit' }
        assertSuccess(await service.call('link.deleteConnection', { params }))
      }
    },
  },
  '6/historical-once': {
    title: 'Sends a historical event once, after all data for its resource',
    rules: ['6/historical'],
    async run(service) {
      const { events } = await historicalEvents(service, 'oura')
      const types = events.map(typeOf)
      for (const [at, type] of types.entries()) {
        const [, resource] = /^historical\.data\.([a-z0-9_]+)\.created$/.exec(type) ?? []
        if (resource === undefined) continue
        const last = types.findLastIndex((other) => other.startsWith(`daily.data.${resource}.`))
        assertThat(
          last < at,
          `Expected ${type} to follow all data for the resource, but found it earlier.`,
        )
      }
    },
  },
  '6/historical-later': {
    title: 'Sends no historical event for data from an existing connection',
    rules: ['6/historical', '6/daily'],
    needs: [...needsFeed, 'addHealthData'],
    async run(service) {
      const user = await service.user()
      await connectUser(service, user, 'oura')
      const values = { session_start: '2025-05-30T23:00:00', session_end: '2025-05-31T07:00:00' }
      const add = () => service.setup.addHealthData(user, [{ resource: 'sleep', values }])
      const events = await recordEvents(service, add)
      assertEqual(eventsOf(events, /^historical\./).length, 0, 'the number of historical events')
      for (const event of eventsOf(events, /^daily\./)) {
        assertSameId(fieldOf(event, 'user_id'), user, 'user_id')
      }
    },
  },
  '6/announced': {
    title:
      'Sends a historical event for every resource that the connection event lists as available',
    rules: ['6/historical', '6/connection'],
    assumption: 'every available resource gets a historical event, even without data',
    async run(service) {
      const events = await connectUser(service, await service.user(), 'oura')
      const [created] = eventsOf(events, 'provider.connection.created')
      const availability = valueAt(created, 'data.resource_availability') ?? {}
      const announced = Object.entries(availability)
        .filter(([, one]) => fieldOf(one, 'status') === 'available')
        .map(([resource]) => `historical.data.${resource}.created`)
      const found = new Set(events.map(typeOf))
      const missing = announced.filter((type) => !found.has(type))
      assertEqual(missing, [], 'the available resources without a historical event')
    },
  },
  '6/sleep-cycle': {
    title: 'Sends sleep cycles in historical and daily data events',
    rules: ['6/sleep-cycle', '9/hypnogram'],
    needs: needsTrigger,
    async run(service) {
      const user = await service.user()
      for (const type of [
        'historical.data.sleep_cycle.created',
        'daily.data.sleep_cycle.created',
        'daily.data.sleep_cycle.updated',
      ]) {
        assertDataEvent(await triggerRecordEvent(service, type, user), user)
      }
    },
  },
})
