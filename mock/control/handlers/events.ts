import type { EmittedEvent } from '../../events/outbox.ts'
import { Slices } from '../../shared/slices.ts'
import type { Handlers } from '../handler.ts'
import type { events } from '../operations/events.ts'

/** The estimated time to create an event without its body, in microseconds. */
const eventWork = 10

export const eventsHandlers: Handlers<typeof events> = {
  'events.list': async ({ state }, { query: { type, after = 0, first } }) => {
    const { count } = state.outbox
    const events: EmittedEvent[] = []
    const slices = new Slices(state.clock.interruption)
    for (const event of state.outbox.eachAfter(after, type)) {
      if (events.length === first) break
      events.push(event)
      const pause = slices.spend(eventWork)
      if (pause) await pause
    }
    return { count, events }
  },
  'events.trigger': (team, { body: { event_type, overrides, ...options } }) =>
    team.trigger(event_type, overrides, options),
  'events.clear': ({ events }) => events.clear(),
}
