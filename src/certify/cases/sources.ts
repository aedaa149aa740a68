import { accepts, type CaseDefinition, defineCertifyCases } from '../case.ts'
import {
  connectionCreated,
  connectionFailed,
  provider,
  sleepCreated,
  source,
  testDataEvent,
  testNight,
} from '../events.ts'

const readBoth =
  'Read source.provider, or source.slug if provider is missing, as sourceOf(event) does. name, slug and logo are deprecated.'
const readProvider =
  'Read data.provider from provider.connection.created. data.source is deprecated. sourceOf(event) reads both.'
const sourceBasis = 'Specification part 6, rule 3'
const connectionBasis = 'Specification part 6, rule 2'

export const sourceCases = [
  ...defineCertifyCases('source', sourceBasis, {
    current: withSource('Accepts a source without the deprecated fields', source),
    both: withSource('Accepts a source with current and deprecated fields', {
      ...source,
      ...provider,
    }),
    deprecated: withSource('Accepts a source with only the deprecated fields', provider),
    'null-app-id': withSource('Accepts a source whose app_id is null', {
      provider: 'fitbit',
      type: 'watch',
      app_id: null,
    }),
    'app-id': withSource('Accepts a source with an app_id', {
      provider: 'apple_health_kit',
      type: 'app',
      app_id: 'com.example.app',
    }),
    'stored-provider': {
      title: 'Stores the provider of a source without deprecated fields',
      remedy: readBoth,
      needs: ['probe'],
      async run(trial) {
        const night = testNight(trial.userId)
        await trial.accept(testDataEvent('daily.data.sleep.created', trial.userId, [night]))
        await trial.expectStored([{ ...night, provider: 'oura' }], 'provider')
      },
    },
  }),
  ...defineCertifyCases('connection', connectionBasis, {
    current: connection('Accepts a connection event without source', {}),
    'both-providers': connection('Accepts a connection event with provider and source', {
      source: provider,
    }),
    'unavailable-resources': connection('Accepts a connection event with unavailable resources', {
      resource_availability: {
        sleep: { status: 'available' },
        workouts: { status: 'unavailable', scope_requirements: { user_denied: ['workout'] } },
      },
    }),
    failed: {
      title: 'Accepts an event about a connection that no longer works',
      basis: 'Events (assumption): additional types',
      remedy: 'Respond with 2xx to provider.connection.error, even if you ignore it.',
      run: accepts(connectionFailed),
    },
    'failed-keeps': keepsData(
      'Keeps stored records when a connection no longer works',
      connectionFailed,
    ),
    'again-keeps': keepsData('Keeps stored records when a user reconnects', connectionCreated),
  }),
]

function keepsData(title: string, eventOf: (userId: string) => object): CaseDefinition {
  return {
    title,
    basis: 'Events (assumption): a failed connection does not delete data; the user can reconnect',
    remedy: 'Do not delete data on provider.connection events. Let the user reconnect.',
    needs: ['probe'],
    async run(trial) {
      const nights = [testNight(trial.userId), testNight(trial.userId)]
      for (const night of nights) {
        await trial.accept(sleepCreated(trial.userId, night))
        await trial.accept(eventOf(trial.userId))
      }
      await trial.expectStored(nights)
    },
  }
}

function withSource(title: string, source: object): CaseDefinition {
  const eventOf = (userId: string) =>
    testDataEvent('daily.data.sleep.created', userId, [testNight(userId, { source })], { source })
  return { title, remedy: readBoth, run: accepts(eventOf) }
}

function connection(title: string, content: Record<string, unknown>): CaseDefinition {
  const eventOf = (userId: string) => connectionCreated(userId, content)
  return { title, remedy: readProvider, run: accepts(eventOf) }
}
