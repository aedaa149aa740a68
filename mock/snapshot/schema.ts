import * as z from 'zod/mini'
import { Appointment } from '../../src/contract/appointments.ts'
import { countSchema, jsonObjectSchema, positiveSchema } from '../base/schemas.ts'
import { deliveryModeSchemas, webhookSchema } from '../events/delivery/webhook-input.ts'
import { transmissionKinds } from '../life/arrivals/transmissions.ts'
import { bookingOutcomes } from '../state/bookings/booking-outcomes.ts'
import { dueEventTypes } from '../state/clock/due-event.ts'
import { latestMoment } from '../state/clock/time.ts'
import type { CollectionName } from '../state/collection-names.ts'
import * as records from '../state/records/schemas.ts'
import { lifeSchemas } from '../state/records/user-life.ts'
import { bookingOutcomeSchema, settingsSchema } from '../state/settings.ts'

const id = z.string()
const moment = z.int().check(z.gte(-latestMoment), z.lte(latestMoment))
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
  status: z.enum(['in_progress', 'success', 'failure', 'aborted']),
  total: countSchema,
  processed: countSchema,
  imported: z.array(id),
  failed: z.array(id),
  connected: z.array(id),
  submitted: moment,
  begins: moment,
  ends: moment,
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

/** Living users: the ids, and indexes into the list before. */
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
    }),
  ),
  deadLetters: z.array(Letter),
  health: z.optional(z.object({ failures: z.array(moment), failingSince: z.nullable(moment) })),
  ...deliveryModeSchemas,
})

/** The schemas of records by collection. The details and address of a patient are in no response, so any fields are valid. */
const recordSchemas: Record<CollectionName, z.ZodMiniType> = {
  users: records.User,
  insurances: records.UserInsurance,
  connections: records.Connection,
  orders: z.object({
    ...records.LabOrder.shape,
    patient_details: jsonObjectSchema,
    patient_address: jsonObjectSchema,
  }),
  appointments: Appointment,
  providers: records.TeamProvider,
  payors: records.Payor,
  data: records.HealthRow,
  labs: records.CatalogueLab,
  labTests: records.CatalogueLabTest,
  markers: records.CatalogueMarker,
  labAccounts: records.LabAccount,
}

/** The schema of a snapshot; without strict records, they may have fields of any type. */
export function snapshotSchema({ strictRecords }: { strictRecords: boolean }): z.ZodMiniType {
  const collections = Object.entries(recordSchemas).map(([name, record]) => {
    const kept = z.nullable(strictRecords ? record : jsonObjectSchema)
    return [name, z.array(z.tuple([z.string(), kept]))] as const
  })
  return z.object({
    now: z.string(),
    clock: settingsSchema.shape.clock,
    ordinal: positiveSchema,
    random: z.object({ seed: z.string(), words: z.tuple([word, word, word, word]) }),
    due: z.array(z.object({ at: moment, type: z.enum(dueEventTypes), subject: z.string() })),
    records: z.object(Object.fromEntries(collections)),
    bookings: z.object({
      attempts: z.array(Booking),
      keys: z.array(z.tuple([z.string(), z.object({ expires: z.nullable(moment) })])),
      script: z.array(bookingOutcomeSchema),
    }),
    imports: z.array(ImportRun),
    idempotency: z.optional(z.array(z.tuple([z.string(), KeptResponse]))),
    living: z.optional(
      z.object({ users: z.array(LivingUser), connections: z.array(LivingConnection) }),
    ),
    arrivals: z.optional(z.object({ feeds: countSchema, processed: moment })),
    outbox: z.object({
      count: countSchema,
      cleared: countSchema,
      batches: z.array(
        z.object({
          first: positiveSchema,
          count: positiveSchema,
          at: moment,
          deprecatedFields: settingsSchema.shape.deprecatedFields,
          summaryEvents: z.optional(settingsSchema.shape.summaryEvents),
          eventEnvelope: z.optional(settingsSchema.shape.eventEnvelope),
          emission: Emission,
        }),
      ),
    }),
    webhooks: z.array(Webhook),
  })
}
