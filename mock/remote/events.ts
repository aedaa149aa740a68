import type { ControlOutput, Send } from '../control/api.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides, TriggerOptions } from '../events/trigger.ts'
import { reviveDate } from './collection.ts'

/** The events of a team in another process. */
export interface RemoteEvents {
  /** Returns the number of events, including dropped ones. */
  count(): Promise<number>
  /** Returns the stored events, or only those with a matching type, oldest first. `*` matches any string. */
  list(type?: string): Promise<EmittedEvent[]>
  /**
   * Returns the stored events with a higher number than the given one.
   *
   * @internal
   */
  listAfter(number: number): Promise<EmittedEvent[]>
  /** Returns the latest event, or the latest with a matching type. Returns undefined if there is none. */
  last(type?: string): Promise<EmittedEvent | undefined>
  /** Deletes the stored events. */
  clear(): Promise<void>
}

export function remoteEvents(send: Send): RemoteEvents {
  const list = async (type = '*', after = 0) =>
    (await send('events.list', { query: { type, after } })).events.map(toEvent)
  return {
    // No event has the type `-`, so the response contains no events.
    count: async () => (await send('events.list', { query: { type: '-' } })).count,
    list: (type) => list(type),
    listAfter: (number) => list('*', number),
    last: async (type) => (await list(type)).at(-1),
    clear: () => send('events.clear'),
  }
}

export async function triggerEvent(
  send: Send,
  event_type: string,
  overrides?: EventOverrides,
  options?: TriggerOptions,
): Promise<EmittedEvent> {
  return toEvent(await send('events.trigger', { body: { event_type, overrides, ...options } }))
}

export function toEvent(event: ControlOutput<'events.trigger'>): EmittedEvent {
  return { user_id: undefined, ...reviveDate(event) }
}
