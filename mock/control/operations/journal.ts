import * as z from 'zod/mini'
import type { OperationPattern } from '../../base/operations.ts'
import { MockError } from '../../errors.ts'
import type { JournalEntry, JournalResponse } from '../../http/journal/journal-entry.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import {
  harSchema,
  journalEntrySchema,
  journalSchema,
  journalSummarySchema,
} from '../journal-responses.ts'
import { requestText, textMatcher } from '../search-text.ts'

/** A summary of a request, for lists. */
export interface JournalSummary
  extends Pick<JournalEntry, 'number' | 'operation' | 'method' | 'path' | 'outcome' | 'faults'> {
  /** Virtual time, ISO 8601. */
  at: string
  /** The path and the query that were sent. */
  url: string
  /** The status of the response; absent without a response. */
  status?: number
  /** Why the service rejected the request; absent for a success, and without a response. */
  reason?: string
  /** The number of changes that the request made. */
  changes: number
  /** The number of events that the request caused. */
  events: number
}

/** The requests that a list may be limited to: those that failed, met a fault or changed records. */
const requestFilters = ['failed', 'faulted', 'changing'] as const

/** The longest reason in a summary. */
const reasonLength = 300

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
      summary:
        'Lists summaries of the requests, the oldest first: all, or those that contain every word of a search',
      query: z.object({
        last: z.optional(z.int()),
        search: z.optional(z.string()),
        only: z.optional(z.enum(requestFilters)),
      }),
      responses: { 200: z.array(journalSummarySchema) },
    },
    ({ journal }, { query: { last = 0, search = '', only } }) => {
      const matches = textMatcher(search)
      return journal
        .requests()
        .filter((entry) => isOfFilter(entry, only) && matches(() => requestText(entry)))
        .slice(-last)
        .map(summarizeEntry)
    },
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
  request,
  response,
  at,
  changes,
  events,
  failures: _,
  ...facts
}: JournalEntry): JournalSummary {
  const { pathname, search } = new URL(request.url)
  const reason = response && reasonOf(response)
  return {
    ...facts,
    url: pathname + search,
    at: at.toISOString(),
    ...(response ? { status: response.status } : {}),
    ...(reason ? { reason } : {}),
    changes: changes.length,
    events: events.length,
  }
}

/** Returns the explanation of an error response; undefined for a success. */
function reasonOf({ status, body }: JournalResponse): string | undefined {
  if (status < 400) return undefined
  const { detail = body } = Object(body) as { detail?: unknown }
  if (!Array.isArray(detail)) return shorten(detail)
  const reasons = detail.map(({ loc, msg }) => `${[loc].flat().join('.')}: ${msg}`)
  return shorten(reasons.join('; '))
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > reasonLength ? `${text.slice(0, reasonLength)}…` : text
}

function isOfFilter(
  { response, outcome, faults, changes }: JournalEntry,
  filter: (typeof requestFilters)[number] | undefined,
): boolean {
  if (filter === 'faulted') return faults.length > 0
  if (filter === 'changing') return changes.length > 0
  if (filter !== 'failed') return true
  return response ? response.status >= 400 : outcome !== 'waiting'
}

/** The journal rejects a pattern that matches no operation. */
function patternOf(on = '*'): OperationPattern {
  return on as OperationPattern
}
