import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { clockModes } from '../../state/clock/clock-modes.ts'
import { dueEventTypes } from '../../state/clock/due-queue.ts'
import { timeSpanSchema } from '../../state/clock/time.ts'
import { positiveSchema } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'

export const dueEventSchema = z.object({
  at: lenient.dateTime,
  type: z.enum(dueEventTypes),
  subject: z.string(),
})

export const clockSchema = z.object({
  now: lenient.dateTime,
  mode: z.enum(clockModes),
  pending: z.array(dueEventSchema),
})

/** The event's type determines which of the optional fields are set. */
const subjectFields = {
  title: z.string(),
  order_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  webhook: z.optional(z.string()),
}

export const agendaSchema = z.array(z.object({ ...dueEventSchema.shape, ...subjectFields }))

export const clock = {
  'clock.get': {
    summary: 'Returns the virtual time, the clock mode and the scheduled events',
    output: clockSchema,
  },
  'clock.agenda': {
    summary: 'Lists the scheduled events with a description of each, earliest first',
    query: z.object({ first: z.optional(positiveSchema) }),
    output: agendaSchema,
  },
  'clock.update': {
    summary: 'Sets the clock mode',
    body: z.object({ mode: z.enum(clockModes) }),
    output: clockSchema,
  },
  'clock.advance': {
    summary: "Advances the virtual time by a time span: milliseconds or a string such as '15m'",
    body: z.object({ by: timeSpanSchema }),
    output: clockSchema,
  },
  'clock.advanceTo': {
    summary: 'Advances the virtual time to the given time',
    body: z.object({ to: z.union([z.string(), z.number()]) }),
    output: clockSchema,
  },
  'clock.runToNext': {
    summary:
      'Advances the virtual time to the next scheduled event, and returns that event, or null if there is none',
    output: z.object({ event: z.nullable(dueEventSchema) }),
  },
  'clock.whenWaiting': {
    isUnrecorded: true,
    summary:
      'Responds once at least the given number of requests (default: 1) are waiting for virtual time to pass',
    body: z.object({ requests: z.optional(positiveSchema) }),
    output: clockSchema,
  },
} satisfies Record<string, ControlOperation>
