import * as z from 'zod/mini'
import { answered } from '../../src/contract/schema.ts'
import type { OperationPattern } from '../operations.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { anything } from './values.ts'

const Entry = z.looseObject({
  number: z.int(),
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  at: answered.dateTime,
  outcome: z.enum(['waiting', 'answered', 'refused', 'lost', 'aborted', 'failed']),
  request: anything,
  answer: z.optional(anything),
  changes: z.array(anything),
  events: z.array(anything),
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

/** A pattern that fits no operation is refused where it is used. */
function patternOf(on = '*'): OperationPattern {
  return on as OperationPattern
}
