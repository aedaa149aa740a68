import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import type { OperationPattern } from '../base/operations.ts'
import { MockError } from '../errors.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { anything } from './values.ts'

const Entry = z.looseObject({
  number: z.int(),
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: lenient.dateTime,
  outcome: z.enum(['waiting', 'answered', 'refused', 'lost', 'aborted', 'failed']),
  request: anything,
  answer: z.optional(anything),
  changes: z.array(anything),
  events: z.array(anything),
})

/** A request in short, as lists show it. */
export interface Summary
  extends Pick<JournalEntry, 'number' | 'operation' | 'method' | 'path' | 'outcome'> {
  at: string
  status?: number
  /** How many changes it made, and how many events it caused. */
  changes: number
  events: number
}

const Summary = z.object({
  number: z.int(),
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: lenient.dateTime,
  outcome: Entry.shape.outcome,
  status: z.optional(z.int()),
  changes: z.int(),
  events: z.int(),
})

/** What the team asked, and what came of it. */
export const journal: readonly ControlOperation[] = [
  operation(
    {
      id: 'journal.requests',
      method: 'GET',
      path: '/journal',
      summary: 'Lists the requests the team made, the oldest first, and what came of them',
      query: z.object({
        on: z.optional(z.string()),
        after: z.optional(z.int()),
        last: z.optional(z.int()),
      }),
      responses: { 200: z.object({ count: z.int(), requests: z.array(Entry) }) },
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
      summary: 'Lists the requests in short, the oldest first',
      query: z.object({ last: z.optional(z.int()) }),
      responses: { 200: z.array(Summary) },
    },
    ({ journal }, { query: { last = 0 } }) => journal.requests().slice(-last).map(summaryOf),
  ),
  operation(
    {
      id: 'journal.get',
      method: 'GET',
      path: '/journal/{number}',
      summary: 'Reads a request by its number',
      params: { number: z.string() },
      responses: { 200: Entry },
    },
    ({ journal }, { params }) => {
      const found = journal.requests().find(({ number }) => String(number) === params.number)
      if (!found)
        throw new MockError('unknown_record', 'The journal has no request of this number.')
      return found
    },
  ),
  operation(
    {
      id: 'journal.lines',
      method: 'GET',
      path: '/journal/lines',
      summary: "Lists the requests in a line each, such as 'insurance.create 200'",
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
      summary: 'Gives the requests as HAR 1.2, without secrets and health data',
      responses: { 200: anything },
    },
    ({ journal }) => journal.har(),
  ),
  operation(
    {
      id: 'journal.clear',
      method: 'DELETE',
      path: '/journal',
      summary: 'Forgets every request',
      responses: { 204: z.undefined() },
    },
    ({ journal }) => journal.clear(),
  ),
]

function summaryOf({ request: _, answer, at, changes, events, ...facts }: JournalEntry): Summary {
  return {
    ...facts,
    at: at.toISOString(),
    ...(answer ? { status: answer.status } : {}),
    changes: changes.length,
    events: events.length,
  }
}

/** A pattern that fits no operation is refused where it is used. */
function patternOf(on = '*'): OperationPattern {
  return on as OperationPattern
}
