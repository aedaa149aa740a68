import { assertThat, NotApplicable } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { TestedService } from '../service.ts'
import type { Need } from '../setup.ts'
import { assertShape, fieldOf, type ObjectForm } from '../shape.ts'
import { sourceForm } from './summaries.ts'

const envelope: ObjectForm = { event_type: 'string', data: 'object', user_id: 'uuid' }

const dataEventForm: ObjectForm = { ...envelope, data: { data: 'array', source: sourceForm } }

const connectionCreated: ObjectForm = {
  ...envelope,
  data: {
    provider: { name: 'string', slug: 'string', 'logo?': 'string' },
    user_id: 'uuid',
    resource_availability: 'object',
  },
}

const needsFeed: readonly Need[] = ['user', 'events', 'connect']
const needsTrigger: readonly Need[] = ['user', 'events', 'trigger']

/** Runs an action for a new user and returns the events that the service sent during the action. */
async function recordEvents(
  service: TestedService,
  action: (userId: string) => Promise<void>,
): Promise<unknown[]> {
  const before = (await service.events()).length
  await action(await service.user())
  return (await service.events()).slice(before)
}

function typesOf(events: readonly unknown[]): string[] {
  return events.map((event) => String(fieldOf(event, 'event_type')))
}

const connectUser = (service: TestedService) =>
  recordEvents(service, (userId) => service.connect(userId, 'oura'))

async function triggerEvent(service: TestedService, type: string): Promise<unknown[]> {
  const events = await recordEvents(service, (userId) => service.trigger(type, userId))
  const found = events.filter((event) => fieldOf(event, 'event_type') === type)
  assertThat(found.length === 1, `Expected one event ${type}, found ${found.length}.`)
  return found
}

const sleepCycle = ['historical.data.sleep_cycle.created', 'daily.data.sleep_cycle.created']

export const eventCases = defineCases({
  '6/envelope': {
    title: 'Sends events with event_type, data and user_id',
    rules: ['6/envelope'],
    needs: needsFeed,
    async run(service) {
      const events = await connectUser(service)
      assertThat(events.length > 0, 'Expected an event for a connection.')
      assertShape(events, [envelope], 'the events')
    },
  },
  '6/daily-data': {
    title: 'Sends new and updated data with data.data and data.source',
    rules: ['6/daily', '6/source', '6/source-type', '2.8/fields'],
    needs: needsTrigger,
    async run(service) {
      for (const type of ['daily.data.sleep.created', 'daily.data.sleep.updated']) {
        assertShape(await triggerEvent(service, type), [dataEventForm], type)
      }
    },
  },
  '6/connection-created': {
    title: 'Sends an event for a new connection with its provider and resources',
    rules: ['6/connection', '6/provider', '9/connection-source'],
    needs: needsFeed,
    async run(service) {
      const type = 'provider.connection.created'
      const created = (await connectUser(service)).filter(
        (event) => fieldOf(event, 'event_type') === type,
      )
      assertThat(created.length === 1, `Expected one event ${type}, found ${created.length}.`)
      assertShape(created, [connectionCreated], type)
    },
  },
  '6/historical': {
    title: 'Sends one historical event for each resource',
    rules: ['6/historical', '6/is-final', '9/is-final'],
    needs: needsFeed,
    async run(service) {
      const events = (await connectUser(service)).filter((event) =>
        /^historical\.data\..+\.created$/.test(String(fieldOf(event, 'event_type'))),
      )
      if (events.length === 0) throw new NotApplicable('the connection has no historical data')
      const types = typesOf(events)
      assertThat(
        new Set(types).size === types.length,
        'Expected one historical event for each resource.',
      )
      assertShape(events, [dataEventForm], 'the historical events')
    },
  },
  '6/sleep-cycle': {
    title: 'Sends sleep cycles as data events',
    rules: ['6/sleep-cycle', '9/hypnogram'],
    needs: needsTrigger,
    async run(service) {
      for (const type of sleepCycle)
        assertShape(await triggerEvent(service, type), [dataEventForm], type)
    },
  },
})
