import { assertEqual, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import type { Need } from '../../setup.ts'
import { assertShape, fieldOf, valueAt } from '../../shape.ts'
import {
  assertProvider,
  connectUser,
  dataEventForm,
  eventsOf,
  needsFeed,
  providerOf,
  typeOf,
} from './record-events.ts'

const needsTime: readonly Need[] = ['team', ...needsFeed]
const sourceFields = ['name', 'slug', 'logo']

async function eventsAt(service: TestedService, now: string) {
  const team = await service.team({ now })
  const events = await connectUser(team, await team.user(), 'oura')
  return { team, events, data: eventsOf(events, /^(?:daily|historical)\.data\./) }
}

function isFinalOf(event: unknown): unknown {
  return fieldOf(event, 'is_final') ?? valueAt(event, 'data.is_final')
}

export const deprecatedFieldCases = defineCases(needsTime, {
  '9/source-in-events': {
    title: "Sends a source's deprecated name, slug and logo until 31 July 2024",
    rules: ['9/source-fields', '6/source', '2.8/fields'],
    async run(service) {
      for (const now of ['2024-06-15T12:00:00Z', '2024-07-30T12:00:00Z']) {
        const { team, data } = await eventsAt(service, now)
        const listed = await providerOf(team, 'oura')
        for (const event of data) {
          const source = valueAt(event, 'data.source')
          assertProvider(source, listed, 'data.source')
          const hasLogo = fieldOf(source, 'logo') !== undefined
          assertThat(hasLogo, 'Expected data.source.logo before its removal date, but found none.')
        }
      }
    },
  },
  '9/source-in-connections': {
    title: 'Sends the deprecated source in connection events until 31 July 2024',
    rules: ['9/connection-source', '6/connection', '6/provider'],
    async run(service) {
      for (const now of ['2024-06-15T12:00:00Z', '2024-07-30T12:00:00Z']) {
        const { events } = await eventsAt(service, now)
        const [created] = eventsOf(events, 'provider.connection.created')
        assertEqual(
          valueAt(created, 'data.source'),
          valueAt(created, 'data.provider'),
          'data.source',
        )
      }
    },
  },
  '9/is-final': {
    title: 'Sends the deprecated is_final in historical events until 30 June 2024',
    rules: ['9/is-final', '6/is-final'],
    async run(service) {
      for (const now of ['2024-06-15T12:00:00Z', '2024-06-29T12:00:00Z']) {
        const { data } = await eventsAt(service, now)
        for (const event of eventsOf(data, /^historical\./)) {
          assertEqual(isFinalOf(event), true, 'is_final')
        }
      }
    },
  },
  '9/hypnogram': {
    title: 'Sends hypnogram events in addition to sleep cycle events until 31 January 2025',
    rules: ['9/hypnogram', '6/hypnogram', '6/sleep-cycle'],
    async run(service) {
      for (const now of ['2024-06-15T12:00:00Z', '2025-01-30T12:00:00Z']) {
        const { events } = await eventsAt(service, now)
        const cycles = eventsOf(events, 'historical.data.sleep_cycle.created')
        const hypnograms = eventsOf(events, 'historical.timeseries.hypnogram.created')
        // A user without sleep cycles has no hypnograms. The historical sleep_cycle event may exist but be empty.
        if (eventsOf(events, /^daily\.data\.sleep_cycle\./).length > 0) {
          assertEqual(hypnograms.length, cycles.length, 'the number of historical hypnogram events')
        }
        const daily = eventsOf(events, /^daily\.timeseries\.hypnogram\.(?:created|updated)$/)
        assertShape([...hypnograms, ...daily], [dataEventForm], 'the hypnogram events')
      }
    },
  },
  '9/current-fields': {
    title: 'Sends the current fields both before and after the deprecated ones are removed',
    rules: [
      '9/source-fields',
      '9/connection-source',
      '9/is-final',
      '9/hypnogram',
      '6/source',
      '6/provider',
    ],
    async run(service) {
      for (const now of ['2024-06-15T12:00:00Z', '2024-08-01T12:00:00Z', '2025-02-01T12:00:00Z']) {
        const { events, data } = await eventsAt(service, now)
        assertShape(data, [dataEventForm], 'the data events')
        for (const event of data)
          assertEqual(valueAt(event, 'data.source.provider'), 'oura', 'data.source.provider')
        const [created] = eventsOf(events, 'provider.connection.created')
        assertEqual(valueAt(created, 'data.provider.slug'), 'oura', 'data.provider.slug')
      }
    },
  },
  '9/removed': {
    title: 'Removes deprecated fields and events on their earliest removal dates',
    rules: ['9/source-fields', '9/connection-source', '9/is-final', '9/hypnogram'],
    assumption: 'deprecated fields and events are removed on their earliest dates in part 9',
    async run(service) {
      const isFinal = (await eventsAt(service, '2024-06-30T00:00:00Z')).data.map(isFinalOf)
      assertThat(
        isFinal.every((value) => value === undefined),
        'Expected no is_final on or after its removal date, but found one.',
      )
      const { events, data } = await eventsAt(service, '2024-07-31T00:00:00Z')
      for (const event of data) {
        for (const field of sourceFields) {
          assertEqual(valueAt(event, `data.source.${field}`), undefined, `data.source.${field}`)
        }
      }
      const [created] = eventsOf(events, 'provider.connection.created')
      assertEqual(valueAt(created, 'data.source'), undefined, 'data.source')
      const last = await eventsAt(service, '2025-01-31T00:00:00Z')
      const types = last.events.map(typeOf).filter((type) => type.includes('hypnogram'))
      assertEqual(types, [], 'the hypnogram events')
    },
  },
})
