import { eventListSchema, eventSchema } from '../control/responses.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'
import type { RemoteEvents, RemoteTeam } from './remote-team.ts'

interface SentEvents {
  count: number
  events: Dated<EmittedEvent>[]
}

/** Returns the events of a team. */
export function remoteEvents(client: ControlClient): RemoteEvents {
  const read = (type = '*') =>
    client.read<SentEvents>(`GET /events?${new URLSearchParams({ type })}`, eventListSchema)
  return {
    // No event has this type, so that the response is short.
    count: async () => (await read('-')).count,
    list: async (type) => (await read(type)).events.map(reviveDate),
    last: async (type) => (await read(type)).events.map(reviveDate).at(-1),
    clear: async () => void (await client.run('DELETE /events')),
  }
}

/** Returns the function that sends an event to a team. */
export function remoteTrigger(client: ControlClient): RemoteTeam['trigger'] {
  return async (event_type, overrides) =>
    reviveDate(
      await client.read<Dated<EmittedEvent>>('POST /events', eventSchema, {
        event_type,
        overrides,
      }),
    )
}
