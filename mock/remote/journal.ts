import type { ControlOutput, Send } from '../control/api.ts'
import type { OperationPattern } from '../faults/operation-pattern.ts'
import type { Har } from '../http/journal/har-format.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import { reviveDate } from './collection.ts'
import { toEvent } from './events.ts'

/** The journal of a team in another process. */
export interface RemoteJournal {
  /** Returns the number of requests since the journal was last cleared, including dropped ones. */
  count(): Promise<number>
  /** Returns the requests in the journal, or only those for matching operations, oldest first. */
  requests(pattern?: OperationPattern): Promise<JournalEntry[]>
  /** Returns the latest request, or the latest for a matching operation. Returns undefined if there is none. */
  last(pattern?: OperationPattern): Promise<JournalEntry | undefined>
  /** Returns one line for each request, such as `insurance.create 200`. */
  lines(pattern?: OperationPattern): Promise<string[]>
  /** Returns the requests as a HAR 1.2 document without secrets or health data. */
  har(): Promise<Har>
  /** Deletes the requests in the journal. */
  clear(): Promise<void>
}

export function remoteJournal(send: Send): RemoteJournal {
  const read = (query: { on?: OperationPattern; last?: number }) =>
    send('journal.requests', { query })
  return {
    count: async () => (await read({ last: 1 })).count,
    requests: async (on = '*') => (await read({ on })).requests.map(toEntry),
    last: async (on = '*') => (await read({ on, last: 1 })).requests.map(toEntry)[0],
    lines: (on = '*') => send('journal.lines', { query: { on } }),
    har: () => send('journal.har'),
    clear: () => send('journal.clear'),
  }
}

function toEntry({
  request,
  response,
  events,
  ...entry
}: ControlOutput<'journal.get'>): JournalEntry {
  return {
    operation: undefined,
    ...reviveDate(entry),
    request: { body: undefined, ...request },
    ...(response ? { response: { body: undefined, ...response } } : {}),
    events: events.map(toEvent),
  }
}
