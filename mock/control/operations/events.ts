import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import type { EventBody } from '../../events/bodies.ts'
import { jsonObjectSchema, positiveSchema, typed } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'

export const eventBodySchema = typed<EventBody>(jsonObjectSchema)

export const eventSchema = z.object({
  number: z.int(),
  id: z.string(),
  event_type: z.string(),
  user_id: z.optional(z.string()),
  at: lenient.dateTime,
  body: eventBodySchema,
})

export const events = {
  'events.list': {
    summary:
      'Lists the events that were sent to the team, oldest first; * in a type matches any string',
    query: z.object({
      type: z.optional(z.string()),
      after: z.optional(z.int()),
      first: z.optional(positiveSchema),
    }),
    output: z.object({ count: z.int(), events: z.array(eventSchema) }),
  },
  'events.trigger': {
    summary:
      'Sends an event. Omitted fields are generated, and an unknown type is rejected unless unknown is true',
    body: z.object({
      event_type: z.string(),
      overrides: z.optional(jsonObjectSchema),
      unknown: z.optional(z.boolean()),
    }),
    output: eventSchema,
  },
  'events.clear': { summary: 'Deletes all events, but still delivers pending ones' },
} satisfies Record<string, ControlOperation>
