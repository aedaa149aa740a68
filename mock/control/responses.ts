import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { jsonObjectSchema } from '../base/schemas.ts'
import { journalOutcomes } from '../http/journal/outcomes.ts'
import { snapshotFormat } from '../snapshot/snapshot.ts'
import { clockModes } from '../state/clock/clock-modes.ts'
import { dueEventTypes } from '../state/clock/due-event.ts'
import { pointKinds } from '../state/recorder.ts'
import { collectionPlans } from '../state/records/collection-plans.ts'
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

/** What a due event is about; the fields depend on its type. */
const subjectFields = {
  title: z.string(),
  order_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  webhook: z.optional(z.string()),
}

export const agendaSchema = z.array(z.object({ ...dueEventSchema.shape, ...subjectFields }))

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
  isDisabled: z.boolean(),
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

const headers = z.record(z.string(), z.string())

export const deliveryExchangeSchema = z.object({
  ...deliverySchema.shape,
  duration: z.number(),
  request: z.object({ headers, body: jsonObjectSchema }),
  response: z.optional(z.object({ status: z.int(), headers, body: z.string() })),
})

export const plannedDeliverySchema = z.object({
  number: z.int(),
  attempt: z.int(),
  isDuplicate: z.boolean(),
  at: lenient.dateTime,
  id: z.optional(z.string()),
  event_type: z.optional(z.string()),
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
  faults: z.array(z.union([z.string(), jsonObjectSchema])),
})

export const journalSchema = z.object({ count: z.int(), requests: z.array(journalEntrySchema) })

export const journalSummarySchema = z.object({
  ...requestFacts,
  url: z.string(),
  status: z.optional(z.int()),
  reason: z.optional(z.string()),
  faults: z.array(z.union([z.string(), jsonObjectSchema])),
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

/** The schema of the records that a fixture created or changed. */
export const seededSchema = z.object(
  Object.fromEntries(
    Object.entries(collectionPlans).map(([name, { record }]) => [name, z.array(record)]),
  ),
)

export const truthRowSchema = z.looseObject({
  resource: z.string(),
  user_id: z.string(),
  source: jsonObjectSchema,
})

export const deletionSchema = z.object({ deleted: z.boolean() })
export const bookingKeySchema = z.object({ booking_key: z.string() })
export const reproductionSchema = z.object({ line: z.string() })

export const historyPointSchema = z.object({
  number: z.int(),
  at: lenient.dateTime,
  kind: z.enum(pointKinds),
  title: z.string(),
  request: z.optional(z.int()),
  changes: z.int(),
  latestEvent: z.int(),
})

export const historySchema = z.object({
  isRecording: z.boolean(),
  points: z.array(historyPointSchema),
})

export const pointDetailSchema = z.object({
  point: historyPointSchema,
  changes: z.array(jsonObjectSchema),
  records: z.record(z.string(), z.int()),
})

export const hitKinds = ['request', 'event', 'record', 'delivery'] as const

export const searchHitSchema = z.object({
  kind: z.enum(hitKinds),
  key: z.string(),
  title: z.string(),
  excerpt: z.string(),
})

export const forkSchema = z.object({ api_key: z.string() })
