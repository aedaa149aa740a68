import * as z from 'zod/mini'
import type { OperationPattern } from '../../base/operations.ts'
import { MockError } from '../../errors.ts'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import { harSchema, journalEntrySchema, journalSchema, journalSummarySchema } from '../responses.ts'

/** A summary of a request, for lists. */
export interface JournalSummary
  extends Pick<JournalEntry, 'number' | 'operation' | 'method' | 'path' | 'outcome'> {
  /** Virtual time, ISO 8601. */
  at: string
  /** The status of the response; absent without a response. */
  status?: number
  /** The number of changes that the request made. */
  changes: number
  /** The number of events that the request caused. */
  events: number
}

/** The requests of the team, with their responses and effects. */
export const journal: readonly ControlOperation[] = [
  operation(
    {
      id: 'journal.requests',
      method: 'GET',
      path: '/journal',
      summary: 'Lists the requests of the team with their responses and effects, the oldest first',
      query: z.object({
        on: z.optional(z.string()),
        after: z.optional(z.int()),
        last: z.optional(z.int()),
      }),
      responses: { 200: journalSchema },
    },
    ({ journal }, { query: { on, after = 0, last } }) => {
      const requests = journal.requests(patternOf(on)).filter(({ number }) => number > after)
      return {
        count: journal.count,
        requests: last === undefined ? requests : requests.slice(-last),
      }
    },
  ),
  operation(
    {
      id: 'journal.summaries',
      method: 'GET',
      path: '/journal/summaries',
      summary: 'Lists summaries of the requests, the oldest first',
      query: z.object({ last: z.optional(z.int()) }),
      responses: { 200: z.array(journalSummarySchema) },
    },
    ({ journal }, { query: { last = 0 } }) => journal.requests().slice(-last).map(summarizeEntry),
  ),
  operation(
    {
      id: 'journal.get',
      method: 'GET',
      path: '/journal/{number}',
      summary: 'Returns a request by its number',
      params: { number: z.string() },
      responses: { 200: journalEntrySchema },
    },
    ({ journal }, { params }) => {
      const found = journal.requests().find(({ number }) => String(number) === params.number)
      if (!found)
        throw new MockError('unknown_record', 'The journal has no request with this number.')
      return found
    },
  ),
  operation(
    {
      id: 'journal.lines',
      method: 'GET',
      path: '/journal/lines',
      summary: "Lists the requests, each in one line such as 'insurance.create 200'",
      query: z.object({ on: z.optional(z.string()) }),
      responses: { 200: z.array(z.string()) },
    },
    ({ journal }, { query }) => journal.lines(patternOf(query.on)),
  ),
  operation(
    {
      id: 'journal.har',
      method: 'GET',
      path: '/journal/har',
      summary: 'Returns the requests as HAR 1.2, without secrets and health data',
      responses: { 200: harSchema },
    },
    ({ journal }) => journal.har(),
  ),
  operation(
    {
      id: 'journal.clear',
      method: 'DELETE',
      path: '/journal',
      summary: 'Deletes the requests',
      responses: noContent,
    },
    ({ journal }) => journal.clear(),
  ),
]

function summarizeEntry({
  request: _,
  response,
  at,
  changes,
  events,
  ...facts
}: JournalEntry): JournalSummary {
  return {
    ...facts,
    at: at.toISOString(),
    ...(response ? { status: response.status } : {}),
    changes: changes.length,
    events: events.length,
  }
}

/** The journal rejects a pattern that matches no operation. */
function patternOf(on = '*'): OperationPattern {
  return on as OperationPattern
}
