import { eventListSchema, eventSchema } from '../control/responses.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides } from '../events/trigger.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'

/** The events that were sent to a team in another process. */
export interface RemoteEvents {
  /** Returns the number of events, dropped ones included. */
  count(): Promise<number>
  /** Returns the events that are kept, the oldest first: all, or those of a type; `*` matches any string. */
  list(type?: string): Promise<EmittedEvent[]>
  /**
   * Returns the events that are kept after a number.
   *
   * @internal
   */
  listAfter(number: number): Promise<EmittedEvent[]>
  /** Returns the latest event: of all types, or of one. */
  last(type?: string): Promise<EmittedEvent | undefined>
  /** Deletes the events that are kept. */
  clear(): Promise<void>
}

interface SentEvents {
  count: number
  events: Dated<EmittedEvent>[]
}

/** Returns the events of a team. */
export function remoteEvents(client: ControlClient): RemoteEvents {
  const read = (type = '*', after = 0) => {
    const query = new URLSearchParams({ type, after: String(after) })
    return client.read<SentEvents>(`GET /events?${query}`, eventListSchema)
  }
  return {
    // No event has this type, so that the response is short.
    count: async () => (await read('-')).count,
    list: async (type) => (await read(type)).events.map(reviveDate),
    listAfter: async (number) => (await read('*', number)).events.map(reviveDate),
    last: async (type) => (await read(type)).events.map(reviveDate).at(-1),
    clear: async () => void (await client.run('DELETE /events')),
  }
}

/** Sends an event to a team. */
export async function triggerEvent(
  client: ControlClient,
  event_type: string,
  overrides?: EventOverrides,
): Promise<EmittedEvent> {
  const body = { event_type, overrides }
  return reviveDate(await client.read<Dated<EmittedEvent>>('POST /events', eventSchema, body))
}
