import { isObject } from '../../../shared/narrow.ts'
import {
  assertEqual,
  assertRejected,
  assertSameId,
  assertSameItems,
  assertSuccess,
  assertThat,
} from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm, valueAt } from '../../shape.ts'
import {
  importAndWait,
  importTeam,
  newUsers,
  submitImport,
  teamWithUsers,
} from '../link/submit-import.ts'
import {
  assertProvider,
  connectUser,
  envelope,
  eventsOf,
  needsFeed,
  providerOf,
  recordEvents,
} from './record-events.ts'

const type = 'provider.connection.created'

/** The event types in specification part 6. A service may send additional types. */
const listedTypes = /^(?:daily|historical|provider\.connection\.created$)/

const connectionCreated: ObjectForm = {
  ...envelope,
  data: {
    provider: { name: 'string', slug: 'string', logo: 'string | null' },
    user_id: 'uuid',
    resource_availability: 'object',
  },
}

async function connectionEvent(service: TestedService, user: string, slug: string) {
  const created = eventsOf(await connectUser(service, user, slug), type)
  assertThat(created.length === 1, `Expected one ${type} event, found ${created.length}.`)
  assertShape(created, [connectionCreated], type)
  return created[0]
}

async function assertConnection(
  service: TestedService,
  event: unknown,
  user: string,
  slug: string,
) {
  assertSameId(fieldOf(event, 'user_id'), user, 'user_id')
  assertSameId(valueAt(event, 'data.user_id'), user, 'data.user_id')
  const listed = await providerOf(service, slug)
  assertProvider(valueAt(event, 'data.provider'), listed, 'data.provider')
}

export const connectionEventCases = defineCases(needsFeed, {
  '6/envelope': {
    title: 'Sends events with event_type, data and user_id',
    rules: ['6/envelope'],
    async run(service) {
      const user = await service.user()
      const events = eventsOf(await connectUser(service, user, 'oura'), listedTypes)
      assertThat(events.length > 0, 'Expected an event for the new connection, but found none.')
      assertShape(events, [envelope], 'the events')
      for (const event of events) assertSameId(fieldOf(event, 'user_id'), user, 'user_id')
    },
  },
  '6/connection-created': {
    title: 'Sends one event with the user, provider and resources of a new connection',
    rules: ['6/connection', '6/provider', '9/connection-source'],
    async run(service) {
      for (const slug of ['oura', 'fitbit', 'oura']) {
        const user = await service.user()
        await assertConnection(service, await connectionEvent(service, user, slug), user, slug)
      }
    },
  },
  '6/second-connection': {
    title: 'Sends an event for each additional connection of a user',
    rules: ['6/connection'],
    async run(service) {
      const user = await service.user()
      for (const slug of ['fitbit', 'oura', 'garmin']) {
        await assertConnection(service, await connectionEvent(service, user, slug), user, slug)
      }
    },
  },
  '6/phone': {
    title: "Sends an event for a connection to a phone's health platform",
    rules: ['6/connection', '6/provider'],
    async run(service) {
      for (const slug of ['apple_health_kit', 'health_connect']) {
        const user = await service.user()
        await assertConnection(service, await connectionEvent(service, user, slug), user, slug)
      }
    },
  },
  '6/connection-source': {
    title: 'Sends connection events without source, or with a source that equals provider',
    rules: ['6/connection', '6/provider', '9/connection-source'],
    async run(service) {
      const event = await connectionEvent(service, await service.user(), 'fitbit')
      const source = valueAt(event, 'data.source') ?? null
      // The service may remove the field on or after 31 July 2024.
      if (source !== null) assertEqual(source, valueAt(event, 'data.provider'), 'data.source')
    },
  },
  '6/connection-of-import': {
    title: 'Sends an event for every imported connection',
    rules: ['6/connection', '4.3/queued'],
    needs: ['user', 'events'],
    async run(service) {
      const { team, users } = await teamWithUsers(service, 3)
      const events = await recordEvents(team, () => importAndWait(team, users))
      const created = eventsOf(events, type)
      assertSameItems(
        created.map((event) => String(fieldOf(event, 'user_id')).toLowerCase()),
        users,
        'the users',
      )
      for (const [at, event] of created.entries()) {
        assertShape(event, connectionCreated, type)
        const user = String(fieldOf(event, 'user_id'))
        if (at === 0) await assertConnection(team, event, user, 'oura')
        assertSameId(valueAt(event, 'data.user_id'), user, 'data.user_id')
        assertEqual(valueAt(event, 'data.provider.slug'), 'oura', 'data.provider.slug')
      }
    },
  },
  '6/failed-import': {
    title: 'Sends no event for an import that fails or is rejected',
    rules: ['6/connection', '6/historical', '7/failed-imports'],
    needs: ['user', 'events', 'unimportableUser'],
    async run(service) {
      const team = await importTeam(service)
      const [good = '', refused = ''] = await newUsers(team, 2)
      const bad = await team.setup.unimportableUser()
      const events = await recordEvents(team, async () => {
        await importAndWait(team, [bad, good])
        const invalid = { provider: 7, wait_for_completion: true }
        assertRejected(await submitImport(team, [refused], invalid), 'a provider that is a number')
      })
      const created = eventsOf(events, type).map((event) => fieldOf(event, 'user_id'))
      assertEqual(
        created.filter((user) => user === good).length,
        1,
        "the number of the imported user's connection events",
      )
      const users = eventsOf(events, listedTypes).map((event) => fieldOf(event, 'user_id'))
      const isFree = !users.includes(bad) && !users.includes(refused)
      assertThat(isFree, 'Expected no event about a failed or rejected import, but found one.')
      const slugs = eventsOf(events, type)
        .filter((event) => fieldOf(event, 'user_id') === good)
        .map((event) => valueAt(event, 'data.provider.slug'))
      assertEqual(slugs, ['oura'], 'the providers of the connection events')
    },
  },
  '6/deleted-connection': {
    title: 'Sends no connection or data event when a connection is deleted',
    rules: ['6/connection', '6/historical', '6/daily'],
    async run(service) {
      const user = await service.user()
      for (const slug of ['oura', 'fitbit', 'oura']) {
        await assertConnection(service, await connectionEvent(service, user, slug), user, slug)
        const params = { user_id: user, provider: slug }
        const events = await recordEvents(service, async () => {
          assertSuccess(await service.call('link.deleteConnection', { params }))
          const invalid = { user_id: user, provider: 'no_such_provider' }
          await service.call('link.deleteConnection', { params: invalid })
        })
        const own = eventsOf(events, listedTypes).filter((one) => fieldOf(one, 'user_id') === user)
        assertEqual(own.length, 0, 'the number of events for a deleted connection')
      }
    },
  },
  '6/availability': {
    title: 'Sends the availability of every resource of a new connection',
    rules: ['6/connection'],
    assumption:
      'resource_availability maps each resource to an object with the status available or unavailable',
    async run(service) {
      const event = await connectionEvent(service, await service.user(), 'oura')
      const availability = valueAt(event, 'data.resource_availability')
      const found = isObject(availability) ? Object.values(availability) : []
      assertThat(
        found.length > 0,
        'Expected resource_availability to contain resources, but found none.',
      )
      for (const one of found) {
        const isKnown = ['available', 'unavailable'].includes(String(fieldOf(one, 'status')))
        assertThat(
          isKnown,
          'Expected each status to be `available` or `unavailable`, but found another value.',
        )
      }
    },
  },
})
