import { before, type Json, type Mutant, sending, sendingAll } from '../mutant.ts'

const created = 'provider.connection.created'

/** Changes the events whose type matches. */
function changing(type: RegExp, change: (event: Json) => void): NonNullable<Mutant['setup']> {
  return sending((event) => {
    if (type.test(event.event_type)) change(event)
    return [event]
  })
}

const data = /^(?:daily|historical)\.(?:data|timeseries)\./
const historical = /^historical\.data\./
const connection = /^provider\.connection\.created$/

const lostFields = ['event_type', 'data', 'user_id'].map(
  (field): Mutant => ({
    rule: '6/envelope',
    name: `sends events without ${field}`,
    setup: changing(/./, (event) => delete event[field]),
  }),
)

const lostSource = ['provider', 'type'].map(
  (field): Mutant => ({
    rule: '2.8/fields',
    name: `sends data without source.${field}`,
    only: ['6'],
    setup: changing(data, (event) => delete event.data.source?.[field]),
  }),
)

const lostConnection = ['provider', 'user_id', 'resource_availability'].map(
  (field): Mutant => ({
    rule: '6/connection',
    name: `sends connections without data.${field}`,
    setup: changing(connection, (event) => delete event.data[field]),
  }),
)

const lostProvider = ['name', 'slug', 'logo'].map(
  (field): Mutant => ({
    rule: '6/connection',
    name: `sends connections without data.provider.${field}`,
    setup: changing(connection, (event) => delete event.data.provider[field]),
  }),
)

const beforeRemoval = ['name', 'slug', 'logo'].map(
  (field): Mutant => ({
    rule: '9/source-fields',
    name: `removes source.${field} from data events too early`,
    setup: changing(data, (event) => delete event.data.source?.[field]),
  }),
)

/** Sends only the first of the events that match. */
function onlyFirst(type: RegExp): NonNullable<Mutant['setup']> {
  return sendingAll((events) => {
    const first = events.findIndex((event) => type.test(event.event_type))
    return events.filter((event, at) => !type.test(event.event_type) || at === first)
  })
}

/** Gives every event that matches a value of the first one. */
function sticky(
  type: RegExp,
  read: (event: Json) => Json,
  write: (event: Json, value: Json) => void,
) {
  return sendingAll((events) => {
    const matching = events.filter((event) => type.test(event.event_type))
    for (const event of matching) write(event, read(matching[0]))
    return events
  })
}

export const eventsMutants: Mutant[] = [
  ...lostFields,
  ...lostSource,
  ...lostConnection,
  ...lostProvider,
  ...beforeRemoval,
  { rule: '6/daily', name: 'sends events twice', setup: sending((event) => [event, event]) },
  { rule: '6/daily', name: 'sends no events', setup: sending(() => []) },
  {
    rule: '6/daily',
    name: 'sends no events of updated data',
    setup: sending((event) => (event.event_type.endsWith('.updated') ? [] : [event])),
  },
  {
    rule: '6/daily',
    name: 'sends updated data as created data',
    setup: changing(/\.updated$/, (event) => {
      event.event_type = event.event_type.replace('.updated', '.created')
    }),
  },
  {
    rule: '6/daily',
    name: 'sends one record instead of a list',
    setup: changing(data, (event) => {
      event.data.data = event.data.data[0] ?? {}
    }),
  },
  {
    rule: '6/daily',
    name: 'sends data under the name of another resource',
    setup: changing(/^daily\.data\.glucose/, (event) => {
      event.event_type = event.event_type.replace('glucose', 'heartrate')
    }),
  },
  {
    rule: '6/daily',
    name: 'sends data without a source',
    setup: changing(data, (event) => delete event.data.source),
  },
  {
    rule: '6/envelope',
    name: 'sends every event with the first user',
    setup: sticky(
      /./,
      ({ user_id }) => user_id,
      (event, user) => {
        event.user_id = user
      },
    ),
  },
  {
    rule: '6/envelope',
    name: 'sends data events with the user of the previous event',
    setup: sendingAll((events) =>
      events.map((event, at) => ({ ...event, user_id: events[Math.max(0, at - 1)].user_id })),
    ),
  },
  {
    rule: '6/envelope',
    name: 'sends a user that is not a UUID',
    setup: changing(/./, (event) => {
      event.user_id = event.user_id.replaceAll('-', '')
    }),
  },
  {
    rule: '6/connection',
    name: 'sends connections with the user of the first one in their data',
    setup: sticky(
      connection,
      (event) => event.data.user_id,
      (event, user) => {
        event.data.user_id = user
      },
    ),
  },
  {
    rule: '6/connection',
    name: 'sends connections with the first provider',
    setup: sticky(
      connection,
      (event) => event.data.provider,
      (event, provider) => {
        event.data.provider = provider
      },
    ),
  },
  { rule: '6/connection', name: 'sends the first connection only', setup: onlyFirst(connection) },
  {
    rule: '6/connection',
    name: 'sends a connection of each user only once',
    setup: sendingAll((events) => {
      const seen = new Set<string>()
      return events.filter(({ event_type, user_id }) => {
        if (event_type !== created) return true
        const isNew = !seen.has(user_id)
        seen.add(user_id)
        return isNew
      })
    }),
  },
  {
    rule: '6/connection',
    name: 'sends the name of a provider as its slug',
    setup: changing(connection, ({ data: { provider } }) => {
      provider.slug = provider.name
    }),
  },
  {
    rule: '6/connection',
    name: 'sends the slug of a provider as its name',
    setup: changing(connection, ({ data: { provider } }) => {
      provider.name = provider.slug
    }),
  },
  {
    rule: '6/connection',
    name: 'sends the available resources as a list',
    setup: changing(connection, (event) => {
      event.data.resource_availability = Object.keys(event.data.resource_availability)
    }),
  },
  {
    rule: '6/provider',
    name: 'sends connections only with their former source',
    setup: changing(connection, (event) => {
      event.data.source = event.data.provider
      delete event.data.provider
    }),
  },
  withoutImports(),
  {
    rule: '6/historical',
    name: 'sends a historical event for every chunk of data',
    setup: sending((event) =>
      /^daily\.data\..*\.created$/.test(event.event_type)
        ? [event, { ...event, event_type: event.event_type.replace('daily', 'historical') }]
        : [event],
    ),
  },
  {
    rule: '6/historical',
    name: 'sends historical events before the data',
    setup: sendingAll((events) => {
      const moved = events.filter(({ event_type }) => historical.test(event_type))
      const others = events.filter(({ event_type }) => !historical.test(event_type))
      const at = others.findIndex(({ event_type }) => event_type.startsWith('daily.data.'))
      return at === -1 ? events : [...others.slice(0, at), ...moved, ...others.slice(at)]
    }),
  },
  {
    rule: '6/historical',
    name: 'sends one historical event for all resources',
    setup: onlyFirst(historical),
  },
  {
    rule: '6/historical',
    name: 'sends historical events of a type that ends in updated',
    setup: changing(historical, (event) => {
      event.event_type = event.event_type.replace('.created', '.updated')
    }),
  },
  {
    rule: '6/historical',
    name: 'sends historical events with the source of the first one',
    setup: sticky(
      historical,
      (event) => event.data.source,
      (event, source) => {
        event.data.source = source
      },
    ),
  },
  {
    rule: '6/historical',
    name: 'sends data of an existing connection as historical data',
    setup: sendingAll((events) =>
      events.map((event, at) =>
        at > 0 &&
        /^historical/.test(events[at - 1].event_type) &&
        /^daily\.data\.sleep\./.test(event.event_type)
          ? { ...event, event_type: 'historical.data.sleep.created' }
          : event,
      ),
    ),
  },
  {
    rule: '6/historical',
    name: 'announces resources without a historical event',
    assumes: true,
    setup: sending((event) => (/^historical\.data\.sleep\./.test(event.event_type) ? [] : [event])),
  },
  {
    rule: '6/source',
    name: 'sends the name of the provider in source.provider',
    setup: changing(data, ({ data: { source } }) => {
      source.provider = source.provider.toUpperCase()
    }),
  },
  {
    rule: '6/source',
    name: 'sends a number as source.app_id',
    setup: changing(data, ({ data: { source } }) => {
      source.app_id = 7
    }),
  },
  {
    rule: '6/source-type',
    name: 'sends a list as source.type',
    setup: changing(data, ({ data: { source } }) => {
      source.type = [source.type]
    }),
  },
  {
    rule: '6/source-type',
    name: 'sends an empty source.type',
    setup: changing(data, ({ data: { source } }) => {
      source.type = ''
    }),
  },
  {
    rule: '6/sleep-cycle',
    name: 'sends no sleep cycles',
    setup: sending((event) => (event.event_type.includes('sleep_cycle') ? [] : [event])),
  },
  {
    rule: '6/sleep-cycle',
    name: 'sends sleep cycles as time series',
    setup: changing(/sleep_cycle/, (event) => {
      event.event_type = event.event_type.replace('.data.', '.timeseries.')
    }),
  },
  {
    rule: '9/connection-source',
    name: 'removes the former source of connections too early',
    setup: changing(connection, (event) => delete event.data.source),
  },
  {
    rule: '9/connection-source',
    name: 'sends the name as the former source of connections',
    setup: changing(connection, (event) => {
      if (event.data.source) event.data.source = event.data.source.name
    }),
  },
  {
    rule: '9/is-final',
    name: 'removes is_final too early',
    setup: changing(historical, (event) => {
      delete event.is_final
      delete event.data.is_final
    }),
  },
  {
    rule: '6/is-final',
    name: 'sends historical events that are not final',
    only: ['9'],
    setup: changing(historical, (event) => {
      if ('is_final' in event.data) event.data.is_final = false
    }),
  },
  {
    rule: '9/hypnogram',
    name: 'removes the hypnogram events too early',
    setup: sending((event) => (event.event_type.includes('hypnogram') ? [] : [event])),
  },
  {
    rule: '9/source-fields',
    name: 'never sends deprecated fields',
    options: { deprecatedFields: 'never' },
  },
  {
    rule: '9/source-fields',
    name: 'never removes deprecated fields',
    assumes: true,
    options: { deprecatedFields: 'always' },
  },
]

/** Sends no events of users who were imported. */
function withoutImports(): Mutant {
  const imported = new Set<string>()
  return {
    rule: '6/connection',
    name: 'sends no events of imported connections',
    between: before('POST /v2/link/bulk_import', ({ body }) => {
      for (const { user_id } of body.connections) imported.add(user_id)
    }),
    setup: sending((event) => (imported.has(event.user_id) ? [] : [event])),
  }
}
