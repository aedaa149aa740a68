import { type Json, type Mutant, sending, sendingAll } from '../mutant.ts'
import { deletion, imports } from '../mutants/targets.ts'

const connected = (event: Json) => event.event_type === 'provider.connection.created'
const isData = (event: Json) => /^(?:daily|historical)\.data\./.test(event.event_type)
const isHistorical = (event: Json) => /^historical\./.test(event.event_type)
const slugOf = (event: Json) => event.data?.provider?.slug ?? event.data?.source?.provider

/** Sends further events after requests: those that `make` returns from the response and the sent body. */
function adds(
  name: string,
  lines: string | RegExp,
  make: (facts: {
    status: number
    reply: Json
    body: Json
    user: string
    provider: string
  }) => Json[],
  rule = '6/connection',
): Mutant {
  const extra: Json[] = []
  const sent: Json[] = []
  let read = 0
  return {
    rule,
    name,
    only: ['6'],
    between:
      (fetch) =>
      async (input, init = {}) => {
        const path = new URL(String(input)).pathname
        const line = `${init.method} ${path}`
        const response = await fetch(input, init)
        if (typeof lines === 'string' ? line !== lines : !lines.test(line)) return response
        const [, , , user = '', provider = ''] = path.split('/')
        try {
          const reply = await response.clone().json()
          const body = init.body ? JSON.parse(String(init.body)) : undefined
          extra.push(...make({ status: response.status, reply, body, user, provider }))
        } catch {
          // Neither is JSON.
        }
        return response
      },
    setup: (setup) => {
      extra.length = sent.length = read = 0
      return sendingAll((events) => {
        sent.push(...events.slice(read), ...extra.splice(0))
        read = events.length
        return [...sent]
      })(setup)
    },
  }
}

const connection = (user_id: string, slug: string) => ({
  event_type: 'provider.connection.created',
  user_id,
  data: { user_id, provider: { name: slug, slug, logo: null }, resource_availability: {} },
})

const data = (user_id: string, provider: string, event_type: string) => ({
  event_type,
  user_id,
  data: { data: [], source: { provider, type: 'unknown', app_id: null } },
})

/** Sends only events that a filter with a memory of its own keeps. */
function filtered(name: string, rule: string, make: () => (event: Json) => boolean): Mutant {
  return { rule, name, only: ['6'], setup: sendingAll((events) => events.filter(make())) }
}

/** Keeps the first event with each key. */
const firstOf = (keyOf: (event: Json) => string | undefined) => () => {
  const known = new Set<string>()
  return (event: Json) => {
    const key = keyOf(event)
    if (key === undefined) return true
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  }
}

/** Changes events, with a memory by user. */
function changes(
  name: string,
  rule: string,
  change: (event: Json, known: Map<string, Json>) => void,
): Mutant {
  const known = new Map<string, Json>()
  return {
    rule,
    name,
    only: ['6'],
    setup: (setup) => {
      known.clear()
      return sending((event) => {
        change(event, known)
        return [event]
      })(setup)
    },
  }
}

/** Events of connections and data (specification part 6). */
export const events: Mutant[] = [
  adds('sends a connection for failed imports', imports, ({ reply, body }) =>
    (reply.user_ids_failed ?? []).map((user: string) => connection(user, body.provider)),
  ),
  adds(
    'sends historical events for failed imports',
    imports,
    ({ reply, body }) =>
      (reply.user_ids_failed ?? []).map((user: string) =>
        data(user, body.provider, 'historical.data.sleep.created'),
      ),
    '6/historical',
  ),
  adds('sends a connection for refused imports', imports, ({ status, body }) =>
    status >= 400
      ? body.connections
          .slice(0, 1)
          .map(({ user_id }: Json) => connection(user_id, String(body.provider)))
      : [],
  ),
  adds('sends a connection to imported users for another provider as well', imports, ({ reply }) =>
    (reply.user_ids_imported ?? []).map((user: string) => connection(user, 'strava')),
  ),
  adds('sends a connection of an import twice', imports, ({ reply, body }) =>
    (reply.user_ids_imported ?? []).map((user: string) => connection(user, body.provider)),
  ),
  adds('sends a created connection when one is deleted', deletion, ({ status, user, provider }) =>
    status < 400 ? [connection(user, provider)] : [],
  ),
  adds(
    'sends a created connection when the deletion is refused',
    deletion,
    ({ status, user, provider }) => (status >= 400 ? [connection(user, provider)] : []),
  ),
  adds(
    'sends historical events when a connection is deleted',
    deletion,
    ({ status, user, provider }) =>
      status < 400 ? [data(user, provider, 'historical.data.sleep.created')] : [],
    '6/historical',
  ),
  adds('sends connections of other providers when one is deleted', deletion, ({ status, user }) =>
    status < 400 ? [connection(user, 'garmin')] : [],
  ),
  adds(
    'sends new data of a provider whose connection is deleted',
    deletion,
    ({ status, user, provider }) =>
      status < 400 ? [data(user, provider, 'daily.data.sleep.created')] : [],
    '6/daily',
  ),
  filtered(
    'sends only the first connection of each user',
    '6/connection',
    firstOf((event) => (connected(event) ? event.user_id : undefined)),
  ),
  filtered(
    'sends only the first connection of each provider',
    '6/connection',
    firstOf((event) => (connected(event) ? slugOf(event) : undefined)),
  ),
  filtered(
    'sends a connection to the same provider only once for a user',
    '6/connection',
    firstOf((event) => (connected(event) ? event.user_id + slugOf(event) : undefined)),
  ),
  filtered(
    'sends historical events only for the first connection of a user',
    '6/historical',
    () => {
      const known = new Map<string, string>()
      return (event) => {
        if (!isHistorical(event)) return true
        const first = known.get(event.user_id) ?? slugOf(event)
        known.set(event.user_id, first)
        return first === slugOf(event)
      }
    },
  ),
  filtered(
    'sends historical events of a resource only once for a user',
    '6/historical',
    firstOf((event) => (isHistorical(event) ? event.user_id + event.event_type : undefined)),
  ),
  filtered('sends no historical events after a second connection', '6/historical', () => {
    const count = new Map<string, number>()
    return (event) => {
      if (connected(event)) count.set(event.user_id, (count.get(event.user_id) ?? 0) + 1)
      return !isHistorical(event) || (count.get(event.user_id) ?? 0) < 2
    }
  }),
  filtered(
    'sends no connections to phones',
    '6/connection',
    () => (event) => !connected(event) || !/health/.test(slugOf(event)),
  ),
  filtered(
    'sends created data of each resource only once for a user',
    '6/daily',
    firstOf((event) =>
      /^daily.*created$/.test(event.event_type) ? event.user_id + event.event_type : undefined,
    ),
  ),
  filtered(
    'sends updated data of each resource only once for a user',
    '6/daily',
    firstOf((event) =>
      /^daily.*updated$/.test(event.event_type) ? event.user_id + event.event_type : undefined,
    ),
  ),
  changes('sends data with the first source of the user', '6/source', (event, known) => {
    if (!isData(event)) return
    known.set(event.user_id, known.get(event.user_id) ?? event.data.source)
    event.data.source = known.get(event.user_id)
  }),
  changes('sends connections with the first provider of the user', '6/provider', (event, known) => {
    if (!connected(event)) return
    known.set(event.user_id, known.get(event.user_id) ?? event.data.provider)
    event.data.provider = known.get(event.user_id)
  }),
  changes('sends the slug of a source in upper case', '6/source', (event) => {
    if (isData(event)) event.data.source.provider = event.data.source.provider.toUpperCase()
  }),
  changes('sends an app as a provider', '6/source', (event) => {
    if (isData(event)) event.data.source.provider = 'app'
  }),
  changes(
    'sends connections with the user of the connection before',
    '6/connection',
    (event, known) => {
      if (!connected(event)) return
      const before = known.get('') ?? event.user_id
      known.set('', event.user_id)
      event.data.user_id = before
    },
  ),
]
