import * as z from 'zod/mini'
import type { OperationId } from '../../../src/contract/operations.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { faultSchema } from '../../faults/fault-schema.ts'
import type { OperationPattern } from '../../faults/operation-pattern.ts'
import type { Har } from '../../http/journal/har-format.ts'
import { journalOutcomes } from '../../http/journal/journal-entry.ts'
import { jsonObjectSchema, typed } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'
import { eventSchema } from './events.ts'
import { changeSchema } from './history.ts'

const headers = z.record(z.string(), z.string())

const requestFacts = {
  number: z.int(),
  operation: z.optional(typed<OperationId>(z.string())),
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

/** The `Har` type is narrower than the schema, because it contains the constants that the mock writes. */
export const harSchema = typed<Har>(
  z.object({
    log: z.object({
      version: z.string(),
      creator: z.object({ name: z.string(), version: z.string() }),
      entries: z.array(harEntrySchema),
    }),
  }),
)

// The journal itself rejects a pattern that matches no operation.
const on = z.optional(typed<OperationPattern, string>(z.string()))

export const journal = {
  'journal.requests': {
    summary: "Lists the team's requests with their responses and effects, oldest first",
    query: z.object({ on, after: z.optional(z.int()), last: z.optional(z.int()) }),
    output: z.object({ count: z.int(), requests: z.array(journalEntrySchema) }),
  },
  'journal.summaries': {
    summary:
      'Lists request summaries, oldest first: all of them, or only those that failed, were affected by a fault, changed records or contain every search word',
    query: z.object({
      last: z.optional(z.int()),
      search: z.optional(z.string()),
      only: z.optional(z.enum(['failed', 'faulted', 'changing'])),
    }),
    output: z.array(journalSummarySchema),
  },
  'journal.get': {
    summary: 'Returns the request with the given number',
    output: journalEntrySchema,
  },
  'journal.lines': {
    summary: "Lists the requests, one line for each, such as 'insurance.create 200'",
    query: z.object({ on }),
    output: z.array(z.string()),
  },
  'journal.har': {
    summary: 'Returns the requests as HAR 1.2, without secrets or health data',
    output: harSchema,
  },
  'journal.clear': { summary: 'Deletes all requests' },
} satisfies Record<string, ControlOperation>
