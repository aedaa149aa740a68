import * as z from 'zod/mini'
import { type OperationPattern, operationMatcher } from '../base/operations.ts'
import { positiveSchema } from '../base/schemas.ts'
import { MockError } from '../errors.ts'
import { checkOptions } from '../state/check-options.ts'
import {
  type Instant,
  momentOf,
  spanOf,
  type TimeSpan,
  timeSpanSchema,
} from '../state/clock/time.ts'
import { checkFields, formatValue } from '../state/plain.ts'
import {
  type ArchiveCorruption,
  archiveCorruptions,
  type DriftEffect,
  drifts,
  type NamedEffect,
  namedEffects,
  retryAfterForms,
} from './effect-names.ts'

/** The requests of an operation that a fault affects. Each operation has its own count, which starts with the fault. */
export type FaultCondition =
  | {
      /** The number of requests from the start, at least 1. */
      first: number
    }
  | {
      /** The number of one request, from 1. */
      nth: number
    }
  | {
      /** The share of random requests, from 0 to 1; the seed of the mock determines which. */
      probability: number
    }

/** Responds with a status instead of the service, like a gateway. */
export interface StatusEffect {
  /** The status, from 200 to 599. */
  status: number
  /** The body: a string is sent as plain text. Default: `{"detail": ...}`; 204, 205 and 304 have none. */
  body?: unknown
  /** The wait in the Retry-After header, such as `'1h'`; a number is in milliseconds. It is sent in whole seconds. Default: no header. */
  retryAfter?: TimeSpan
  /** The form of the Retry-After header; a date is in virtual time. Default: `seconds`. */
  retryAfterAs?: (typeof retryAfterForms)[number]
}

/** What happens to a request. */
export type FaultEffect =
  | StatusEffect
  | NamedEffect
  | {
      /** The virtual time by which the request takes longer. */
      latency: TimeSpan
    }
  | {
      /** Responds with 429 and a Retry-After header above this rate. */
      rateLimit: {
        /** The number of requests in each period, at least 0. */
        requests: number
        /** The period in virtual time, greater than 0. */
        per: TimeSpan
      }
    }
  | {
      /** The address of a redirect with status 307. */
      redirect: string
    }
  | {
      /** The difference of the response from the specification. */
      drift: DriftEffect
    }
  | {
      /** The corruption of the archive that replaces the response. */
      archive: ArchiveCorruption
    }

/** A failure that the mock simulates. */
export interface Fault {
  /** The operations. Default: every operation. */
  on?: OperationPattern
  /** The requests. Default: every request. */
  when?: FaultCondition
  /** The virtual time in which the fault is active. Default: always. */
  during?: {
    /** The start, inclusive. Default: no start. */
    from?: Instant
    /** The end, exclusive. Default: no end. */
    until?: Instant
  }
  /** What happens to the requests: exactly one effect. */
  then: FaultEffect
}

/** The schemas of a condition, by the field that names it. */
const conditionSchemas = {
  first: z.strictObject({ first: positiveSchema }),
  nth: z.strictObject({ nth: positiveSchema }),
  probability: z.strictObject({ probability: z.number().check(z.gte(0), z.lte(1)) }),
}

const window = timeSpanSchema.check(
  z.refine((span) => spanOf(span as TimeSpan) > 0, 'a time span greater than 0'),
)

/** The schemas of the effects that are objects, by the field that names the effect. */
const effectSchemas = {
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

/** The schema of a {@link Fault}. */
export const faultSchema = z.strictObject({
  on: z.optional(z.string()),
  when: z.optional(z.union(Object.values(conditionSchemas))),
  during: z.optional(
    z.strictObject({ from: z.optional(instantInputSchema), until: z.optional(instantInputSchema) }),
  ),
  then: z.union([z.enum(namedEffects), ...Object.values(effectSchemas)]),
})

/**
 * Checks a fault, also that it can affect a request at all.
 *
 * @throws {MockError} `unknown_operation`, `invalid_option`, or `invalid_time` for an invalid moment or time span.
 */
export function checkFault(fault: Fault): void {
  checkFields(fault, Object.keys(faultSchema.shape), 'a fault')
  const { on, when, then } = fault
  operationMatcher(on ?? '*')
  checkTimes(fault)
  // The schema of one member names the invalid field; the schema of the union does not.
  if (when !== undefined) checkMember(when, conditionSchemas, 'fault.when')
  checkMember(then, effectSchemas, 'fault.then', namedEffects)
  checkOptions(faultSchema, fault, 'fault')
}

function checkTimes({ during, then }: Fault): void {
  const { latency, retryAfter, rateLimit } = Object(then)
  for (const span of [latency, retryAfter, rateLimit?.per]) if (span !== undefined) spanOf(span)
  const from = during?.from === undefined ? Number.NEGATIVE_INFINITY : momentOf(during.from)
  const until = during?.until === undefined ? Number.POSITIVE_INFINITY : momentOf(during.until)
  if (from < until) return
  throw new MockError(
    'invalid_option',
    `Expected fault.during.from to be before fault.during.until, but got ${formatValue(during)}.`,
  )
}

function checkMember(
  value: unknown,
  schemas: Record<string, z.ZodMiniType>,
  name: string,
  names: readonly string[] = [],
): void {
  if (names.some((known) => known === value)) return
  const keys = Object.keys(schemas)
  const [key = '', ...others] = keys.filter((field) => Object.hasOwn(Object(value), field))
  const schema = schemas[key]
  if (!schema || others.length > 0) {
    const named = names.length > 0 ? `one of ${names.join(', ')}, or ` : ''
    throw new MockError(
      'invalid_option',
      `Expected ${name} to be ${named}an object with exactly one of ${keys.join(', ')}, but got ${formatValue(value)}.`,
    )
  }
  checkOptions(schema, value, name)
}
