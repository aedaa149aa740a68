import { MockError } from '../../errors.ts'
import type { JournalEntry, JournalResponse } from '../../http/journal/journal-entry.ts'
import { Slices } from '../../shared/slices.ts'
import type { CheckedRequest, Handlers } from '../handler.ts'
import type { journal } from '../operations/journal.ts'
import { filterByText, requestText } from '../search-text.ts'

const reasonLength = 300

export const journalHandlers: Handlers<typeof journal> = {
  'journal.requests': ({ journal }, { query: { on, after = 0, last } }) => {
    const requests = journal.requests(on).filter(({ number }) => number > after)
    return {
      count: journal.count,
      requests: last === undefined ? requests : requests.slice(-last),
    }
  },
  'journal.summaries': async ({ journal, state }, { query: { last = 0, search = '', only } }) => {
    const requests = journal.requests().filter((entry) => isOfFilter(entry, only))
    const slices = new Slices(state.clock.interruption)
    const found =
      search === '' ? requests : await filterByText(requests, requestText, search, slices)
    return found.slice(-last).map(summarizeEntry)
  },
  'journal.get': ({ journal }, { params }) => {
    const found = journal.requests().find(({ number }) => String(number) === params.number)
    if (!found)
      throw new MockError(
        'unknown_record',
        'The journal contains no request with this number. Use a number from journal.requests().',
      )
    return found
  },
  'journal.lines': ({ journal }, { query }) => journal.lines(query.on),
  'journal.har': ({ journal }) => journal.har(),
  'journal.clear': ({ journal }) => journal.clear(),
}

function summarizeEntry({
  request,
  response,
  at,
  changes,
  events,
  failures: _,
  ...facts
}: JournalEntry) {
  const { pathname, search } = new URL(request.url)
  const reason = response && reasonOf(response)
  return {
    ...facts,
    url: pathname + search,
    at,
    ...(response ? { status: response.status } : {}),
    ...(reason ? { reason } : {}),
    changes: changes.length,
    events: events.length,
  }
}

function reasonOf({ status, body }: JournalResponse): string | undefined {
  if (status < 400) return undefined
  const { detail = body }: { detail?: unknown } = Object(body)
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
  filter: CheckedRequest<'journal.summaries'>['query']['only'],
): boolean {
  if (filter === 'faulted') return faults.length > 0
  if (filter === 'changing') return changes.length > 0
  if (filter !== 'failed') return true
  return response ? response.status >= 400 : outcome !== 'waiting'
}
