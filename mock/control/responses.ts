import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { jsonObjectSchema } from '../base/schemas.ts'
import { journalOutcomes } from '../http/journal/outcomes.ts'
import { snapshotFormat } from '../snapshot/snapshot.ts'
import { clockModes } from '../state/clock/clock-modes.ts'
import { dueEventTypes } from '../state/clock/due-event.ts'
import { settingsSchema } from '../state/settings.ts'

/** The schemas of responses that are not records. The control API documents them, and the remote handle checks them. */

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

export const nextEventSchema = z.object({ event: z.nullable(dueEventSchema) })

export const eventSchema = z.object({
  number: z.int(),
  id: z.string(),
  event_type: z.string(),
  user_id: z.optional(z.string()),
  at: lenient.dateTime,
  body: jsonObjectSchema,
})

export const eventListSchema = z.object({ count: z.int(), events: z.array(eventSchema) })

export const webhookStateSchema = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  secret: z.string(),
  types: z.array(z.string()),
  pending: z.int(),
})

const message = { number: z.int(), id: z.string(), event_type: z.string() }

export const deliverySchema = z.object({
  ...message,
  attempt: z.int(),
  isDuplicate: z.boolean(),
  hasInvalidSignature: z.boolean(),
  isOld: z.boolean(),
  at: lenient.dateTime,
  outcome: z.enum(['delivered', 'failed']),
  status: z.optional(z.int()),
  error: z.optional(z.enum(['no_response', 'timeout', 'threw'])),
})

export const deadLetterSchema = z.object({ ...message, body: jsonObjectSchema })

// The fault was checked when it was added.
export const faultStateSchema = z.object({
  id: z.int(),
  useCount: z.int(),
  fault: jsonObjectSchema,
})

const requestFacts = {
  number: z.int(),
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: lenient.dateTime,
  outcome: z.enum(journalOutcomes),
}

export const journalEntrySchema = z.looseObject({
  ...requestFacts,
  request: jsonObjectSchema,
  response: z.optional(jsonObjectSchema),
  changes: z.array(jsonObjectSchema),
  events: z.array(jsonObjectSchema),
})

export const journalSchema = z.object({ count: z.int(), requests: z.array(journalEntrySchema) })

export const journalSummarySchema = z.object({
  ...requestFacts,
  status: z.optional(z.int()),
  changes: z.int(),
  events: z.int(),
})

export const harSchema = z.object({
  log: z.object({
    version: z.string(),
    creator: jsonObjectSchema,
    entries: z.array(jsonObjectSchema),
  }),
})

export const settingsStateSchema = z.object({ ...settingsSchema.shape, now: lenient.dateTime })

/** The schema of the fields that distinguish a snapshot from other JSON. Restoring one checks all of it. */
export const snapshotHeadSchema = z.looseObject({
  format: z.enum([snapshotFormat]),
  version: z.int(),
  now: lenient.dateTime,
  records: jsonObjectSchema,
})

export const truthRowSchema = z.looseObject({
  resource: z.string(),
  user_id: z.string(),
  source: jsonObjectSchema,
})

export const deletionSchema = z.object({ deleted: z.boolean() })
export const bookingKeySchema = z.object({ booking_key: z.string() })
export const reproductionSchema = z.object({ line: z.string() })
