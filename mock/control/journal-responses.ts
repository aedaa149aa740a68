import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { jsonObjectSchema } from '../base/schemas.ts'
import { faultSchema } from '../faults/fault-schema.ts'
import { journalOutcomes } from '../http/journal/outcomes.ts'
import { changeSchema, eventSchema } from './responses.ts'

/** The schemas of the requests of a team. The control API documents them, and the remote handle checks them. */

const headers = z.record(z.string(), z.string())

const requestFacts = {
  number: z.int(),
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: lenient.dateTime,
  outcome: z.enum(journalOutcomes),
  faults: z.array(faultSchema.shape.then),
}

export const journalEntrySchema = z.object({
  ...requestFacts,
  request: z.object({
    url: z.string(),
    headers,
    params: headers,
    query: jsonObjectSchema,
    body: z.optional(z.unknown()),
  }),
  response: z.optional(z.object({ status: z.int(), headers, body: z.optional(z.unknown()) })),
  changes: z.array(changeSchema),
  events: z.array(eventSchema),
  failures: z.array(z.string()),
})

export const journalSchema = z.object({ count: z.int(), requests: z.array(journalEntrySchema) })

export const journalSummarySchema = z.object({
  ...requestFacts,
  url: z.string(),
  status: z.optional(z.int()),
  reason: z.optional(z.string()),
  changes: z.int(),
  events: z.int(),
})

const pairs = z.array(z.object({ name: z.string(), value: z.string() }))
const content = z.object({ mimeType: z.string(), text: z.string(), size: z.optional(z.int()) })
const message = {
  httpVersion: z.string(),
  cookies: z.array(jsonObjectSchema),
  headers: pairs,
  headersSize: z.int(),
  bodySize: z.int(),
}

const harEntrySchema = z.object({
  startedDateTime: lenient.dateTime,
  time: z.number(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    queryString: pairs,
    postData: z.optional(content),
    ...message,
  }),
  response: z.object({
    status: z.int(),
    statusText: z.string(),
    content,
    redirectURL: z.string(),
    ...message,
  }),
  cache: jsonObjectSchema,
  timings: z.object({ send: z.number(), wait: z.number(), receive: z.number() }),
  comment: z.string(),
})

export const harSchema = z.object({
  log: z.object({
    version: z.string(),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(harEntrySchema),
  }),
})
