import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { Source } from '../../src/contract/source.ts'
import { jsonObjectSchema } from '../base/schemas.ts'
import { faultSchema } from '../faults/fault-schema.ts'
import { snapshotFormat } from '../snapshot/snapshot.ts'
import { clockModes } from '../state/clock/clock-modes.ts'
import { dueEventTypes } from '../state/clock/due-event.ts'
import { catalogueCollections, recordCollections } from '../state/collection-names.ts'
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

export const changeSchema = z.object({
  collection: z.enum([...recordCollections, ...catalogueCollections]),
  action: z.enum(['create', 'update', 'delete']),
  key: z.string(),
  before: z.optional(jsonObjectSchema),
  after: z.optional(jsonObjectSchema),
})

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

/** A fault as JSON: its dates are strings. */
export const faultStateSchema = z.object({ id: z.int(), useCount: z.int(), fault: faultSchema })

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
  source: Source,
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
  changes: z.array(changeSchema),
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
