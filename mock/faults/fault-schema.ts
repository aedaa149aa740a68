import * as z from 'zod/mini'
import { spanOf, type TimeSpan, timeSpanSchema } from '../state/clock/time.ts'
import { countSchema, positiveSchema, typed } from '../state/records/schemas.ts'
import { archiveCorruptions, drifts, namedEffects, retryAfterForms } from './effect-names.ts'
import type { OperationPattern } from './operation-pattern.ts'

/** The conditions, keyed by the field that identifies each condition. */
export const conditionSchemas = {
  first: z.strictObject({ first: positiveSchema }),
  nth: z.strictObject({ nth: positiveSchema }),
  probability: z.strictObject({ probability: z.number().check(z.gte(0), z.lte(1)) }),
}

const window = timeSpanSchema.check(
  z.refine((span: TimeSpan) => spanOf(span) > 0, 'a time span greater than 0'),
)

/** The effects with settings, keyed by the field that identifies each effect. */
export const effectSchemas = {
  status: z.strictObject({
    status: z.int().check(z.gte(200), z.lte(599)),
    body: z.optional(z.unknown()),
    retryAfter: z.optional(timeSpanSchema),
    retryAfterAs: z.optional(z.enum(retryAfterForms)),
  }),
  latency: z.strictObject({ latency: timeSpanSchema }),
  rateLimit: z.strictObject({
    rateLimit: z.strictObject({ requests: z.int().check(z.gte(0)), per: window }),
  }),
  redirect: z.strictObject({ redirect: z.string() }),
  drift: z.strictObject({ drift: z.enum(drifts) }),
  archive: z.strictObject({ archive: z.enum(archiveCorruptions) }),
}

const instantInputSchema = z.union([z.string(), z.number(), z.date()])

export const faultSchema = z.strictObject({
  // `checkFault` rejects a pattern that matches no operation.
  on: z.optional(typed<OperationPattern, string>(z.string())),
  when: z.optional(z.union(Object.values(conditionSchemas))),
  during: z.optional(
    z.strictObject({ from: z.optional(instantInputSchema), until: z.optional(instantInputSchema) }),
  ),
  then: z.union([z.enum(namedEffects), ...Object.values(effectSchemas)]),
})

export const faultStateSchema = z.strictObject({
  id: positiveSchema,
  fault: faultSchema,
  counts: z.record(z.string(), countSchema),
  useCount: countSchema,
  window: z.optional(z.strictObject({ began: z.number(), requests: countSchema })),
})
