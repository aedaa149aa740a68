import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { journalOutcomes } from '../http/journal/outcomes.ts'
import { snapshotFormat } from '../snapshot/snapshot.ts'
import { clockModes } from '../state/clock/clock-modes.ts'
import { dueEventTypes } from '../state/clock/due-event.ts'
import { settingsSchema } from '../state/settings.ts'

/** The schemas of responses that are not records. The control API documents them, and the remote handle checks them. */

const count = z.int()

/** The schema of any JSON object. */
export const anyObject = z.record(z.string(), z.unknown())

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
  number: count,
  id: z.string(),
  event_type: z.string(),
  user_id: z.optional(z.string()),
  at: lenient.dateTime,
  body: anyObject,
})

export const eventListSchema = z.object({ count, events: z.array(eventSchema) })

export const webhookStateSchema = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  secret: z.string(),
  types: z.array(z.string()),
  pending: count,
})

const message = { number: count, id: z.string(), event_type: z.string() }

export const deliverySchema = z.object({
  ...message,
  attempt: count,
  isDuplicate: z.boolean(),
  hasInvalidSignature: z.boolean(),
  isOld: z.boolean(),
  at: lenient.dateTime,
  outcome: z.enum(['delivered', 'failed']),
  status: z.optional(count),
  error: z.optional(z.enum(['no_response', 'timeout', 'threw'])),
})

export const deadLetterSchema = z.object({ ...message, body: anyObject })

// The fault was checked when it was added.
export const faultStateSchema = z.object({ id: count, useCount: count, fault: anyObject })

const requestFacts = {
  number: count,
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: lenient.dateTime,
  outcome: z.enum(journalOutcomes),
}

export const journalEntrySchema = z.looseObject({
  ...requestFacts,
  request: anyObject,
  response: z.optional(anyObject),
  changes: z.array(anyObject),
  events: z.array(anyObject),
})

export const journalSchema = z.object({ count, requests: z.array(journalEntrySchema) })

export const journalSummarySchema = z.object({
  ...requestFacts,
  status: z.optional(count),
  changes: count,
  events: count,
})

export const harSchema = z.object({
  log: z.object({ version: z.string(), creator: anyObject, entries: z.array(anyObject) }),
})

export const settingsStateSchema = z.object({ ...settingsSchema.shape, now: lenient.dateTime })

/** The schema of the fields that distinguish a snapshot from other JSON. Restoring one checks all of it. */
export const snapshotHeadSchema = z.looseObject({
  format: z.enum([snapshotFormat]),
  version: count,
  now: lenient.dateTime,
  records: anyObject,
})

export const deletionSchema = z.object({ deleted: z.boolean() })
export const bookingKeySchema = z.object({ booking_key: z.string() })
export const reproductionSchema = z.object({ line: z.string() })
