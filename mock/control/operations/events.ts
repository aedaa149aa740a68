import * as z from 'zod/mini'
import { jsonObjectSchema, positiveSchema } from '../../base/schemas.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import { eventListSchema, eventSchema } from '../responses.ts'

/** The events that were sent to the team. */
export const events: readonly ControlOperation[] = [
  operation(
    {
      id: 'events.list',
      method: 'GET',
      path: '/events',
      summary:
        'Lists the events that were sent to the team, the oldest first; * in a type matches any string',
      query: z.object({
        type: z.optional(z.string()),
        after: z.optional(z.int()),
        first: z.optional(positiveSchema),
      }),
      responses: { 200: eventListSchema },
    },
    ({ state }, { query: { type, after = 0, first } }) => ({
      count: state.outbox.count,
      events: state.outbox.listAfter(after, type).slice(0, first),
    }),
  ),
  operation(
    {
      id: 'events.trigger',
      method: 'POST',
      path: '/events',
      summary: 'Sends an event of any type; omitted fields are generated',
      body: z.object({ event_type: z.string(), overrides: z.optional(jsonObjectSchema) }),
      responses: { 200: eventSchema },
    },
    (team, { body: { event_type, overrides } }) => team.trigger(event_type, overrides),
  ),
  operation(
    {
      id: 'events.clear',
      method: 'DELETE',
      path: '/events',
      summary: 'Deletes the events',
      responses: noContent,
    },
    ({ events }) => events.clear(),
  ),
]
