import type { Handlers } from '../handler.ts'
import type { events } from '../operations/events.ts'

/** The events that were sent to the team. */
export const eventsHandlers: Handlers<typeof events> = {
  'events.list': ({ state }, { query: { type, after = 0, first } }) => ({
    count: state.outbox.count,
    events: state.outbox.listAfter(after, type).slice(0, first),
  }),
  'events.trigger': (team, { body: { event_type, overrides, ...options } }) =>
    team.trigger(event_type, overrides, options),
  'events.clear': ({ events }) => events.clear(),
}
