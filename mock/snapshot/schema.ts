import * as z from 'zod/mini'
import { bulkOpStatuses } from '../../src/contract/values/known-values.ts'
import { lazy } from '../../src/shared/memo.ts'
import { deliveryModeSchemas, webhookSchema } from '../events/delivery/webhook-input.ts'
import { transmissionKinds } from '../living/arrivals/transmissions.ts'
import { bookingOutcomes } from '../state/bookings/outcomes.ts'
import { dueEventTypes } from '../state/clock/due-queue.ts'
import { latestDate, latestMoment } from '../state/clock/time.ts'
import { definitions } from '../state/records/definitions.ts'
import { countSchema, jsonObjectSchema, positiveSchema } from '../state/records/schemas.ts'
import { lifeSchemas } from '../state/records/users.ts'
import { bookingOutcomeSchema, settingsSchema } from '../state/settings.ts'

const id = z.string()
const moment = z.int().check(z.gte(-latestDate), z.lte(latestDate))
/** A timestamp that virtual time can reach. */
const dueMoment = z.int().check(z.gte(-latestDate), z.lte(latestMoment))
const word = z.int().check(z.gte(0), z.lte(0xffff_ffff))
const health = z.object({ id, user_id: id, resource: id, values: jsonObjectSchema })

const Booking = z.object({
  id,
  order_id: id,
  appointment_notes: z.nullable(z.string()),
  is_async: z.boolean(),
  outcome: z.enum(bookingOutcomes),
})

const ImportRun = z.object({
  id,
  provider: id,
  status: z.enum(bulkOpStatuses),
  total: countSchema,
  processed: countSchema,
  imported: z.array(id),
  failed: z.array(id),
  connected: z.array(id),
  submitted: dueMoment,
  begins: dueMoment,
  ends: dueMoment,
  recipes: z.array(
    z.object({ user_id: id, provider_id: id, oauth_scopes: z.nullish(z.array(z.string())) }),
  ),
})

const KeptResponse = z.object({
  status: z.int().check(z.gte(200), z.lte(599)),
  body: z.unknown(),
  type: z.string(),
  expires: moment,
})

const Emission = z.union([
  z.object({ kind: z.literal('event'), body: z.looseObject({ event_type: z.string() }) }),
  z.object({
    kind: z.literal('rows'),
    event_type: z.string(),
    chunk: z.object({
      user_id: id,
      resource: id,
      provider: id,
      rows: z.optional(z.array(health)),
      part: z.optional(z.tuple([countSchema, positiveSchema])),
    }),
  }),
  z.object({
    kind: z.literal('connections'),
    provider: id,
    user_ids: z.array(id),
    resources: z.array(id),
    rows: z.record(z.string(), z.array(health)),
    empty: z.optional(z.array(id)),
    chunks: z.optional(z.record(z.string(), countSchema)),
    isNotice: z.optional(z.boolean()),
  }),
  z.object({
    kind: z.literal('arrival'),
    event_type: z.string(),
    user_id: id,
    feed: countSchema,
    transmission: z.object({
      kind: z.enum(transmissionKinds),
      resource: z.string(),
      at: moment,
      slots: z.tuple([countSchema, countSchema]),
    }),
    isNotice: z.optional(z.boolean()),
  }),
])

const EventBatch = z.object({
  first: positiveSchema,
  count: positiveSchema,
  at: moment,
  deprecatedFields: settingsSchema.shape.deprecatedFields,
  summaryEvents: z.optional(settingsSchema.shape.summaryEvents),
  eventEnvelope: z.optional(settingsSchema.shape.eventEnvelope),
  emission: Emission,
})

/** Connections reference users by index, and emissions reference feeds by connection index. */
const LivingUser = z.object({
  user_id: id,
  ...lifeSchemas,
  isCurrent: z.boolean(),
  isDeleted: z.boolean(),
})
const LivingConnection = z.object({
  user: countSchema,
  provider: id,
  from: moment,
  to: z.nullable(moment),
})
const formatSchemas = {
  deprecatedFields: settingsSchema.shape.deprecatedFields,
  historicalEvents: settingsSchema.shape.historicalEvents,
}
const PastFormat = z.object({
  ...formatSchemas,
  until: moment,
  connections: countSchema,
})

const userFacts = z.object({ client_user_id: z.optional(z.string()), ...lifeSchemas })
const pastRecord = { key: id, until: countSchema }

function pastFactSchema(provider: z.ZodMiniType): z.ZodMiniType {
  const users = z.literal('users')
  const providers = z.literal('providers')
  return z.union([
    z.object({ collection: users, ...pastRecord, facts: z.nullable(userFacts) }),
    z.object({ collection: providers, ...pastRecord, facts: z.nullable(provider) }),
  ])
}

const Letter = z.object({
  number: positiveSchema,
  id,
  event_type: z.string(),
  body: z.looseObject({ event_type: z.string() }),
})

const Webhook = z.object({
  id,
  url: z.nullable(z.string()),
  secret: webhookSchema.shape.secret,
  types: z.array(z.string()),
  next: positiveSchema,
  queue: z.array(
    z.object({
      number: positiveSchema,
      attempt: positiveSchema,
      at: moment,
      isDuplicate: z.boolean(),
      letter: z.optional(Letter),
      redelivery: z.optional(positiveSchema),
    }),
  ),
  deadLetters: z.array(Letter),
  health: z.optional(z.object({ failures: z.array(moment), failingSince: z.nullable(moment) })),
  redeliveries: z.optional(positiveSchema),
  ...deliveryModeSchemas,
})

/** Returns the snapshot schema. If `strictRecords` is false, record fields can have any type. */
export function snapshotSchema(strictRecords: boolean): z.ZodMiniType {
  return strictRecords ? strictSchema() : lenientSchema()
}

const strictSchema = lazy(() => makeSchema((record) => record))
const lenientSchema = lazy(() => makeSchema(() => jsonObjectSchema))

function makeSchema(kept: (record: z.ZodMiniType) => z.ZodMiniType): z.ZodMiniType {
  const collections = Object.entries(definitions).map(([name, { record }]) => {
    return [name, z.array(z.tuple([z.string(), z.nullable(kept(record))]))] as const
  })
  return z.object({
    now: z.string(),
    clock: settingsSchema.shape.clock,
    timeZone: z.optional(settingsSchema.shape.timeZone),
    ordinal: positiveSchema,
    random: z.object({ seed: z.string(), words: z.tuple([word, word, word, word]) }),
    due: z.array(z.object({ at: dueMoment, type: z.enum(dueEventTypes), subject: z.string() })),
    records: z.object(Object.fromEntries(collections)),
    bookings: z.object({
      attempts: z.array(Booking),
      keys: z.array(z.tuple([z.string(), z.object({ expires: z.nullable(moment) })])),
      script: z.array(bookingOutcomeSchema),
    }),
    imports: z.array(ImportRun),
    idempotency: z.optional(z.array(z.tuple([z.string(), KeptResponse]))),
    living: z.optional(
      z.object({
        users: z.array(LivingUser),
        connections: z.array(LivingConnection),
        formats: z.optional(z.array(PastFormat)),
        format: z.optional(z.object(formatSchemas)),
      }),
    ),
    arrivals: z.optional(z.object({ feeds: countSchema, processed: moment })),
    outbox: z.object({
      count: countSchema,
      cleared: countSchema,
      batches: z.array(EventBatch),
      added: z.optional(z.array(EventBatch)),
      past: z.optional(z.array(pastFactSchema(kept(definitions.providers.record)))),
      restarts: z.optional(z.array(countSchema)),
    }),
    webhooks: z.array(Webhook),
  })
}
