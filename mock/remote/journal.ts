import * as z from 'zod/mini'
import type { OperationPattern } from '../base/operations.ts'
import { harSchema, journalSchema } from '../control/journal-responses.ts'
import type { Har } from '../http/journal/har-format.ts'
import type { JournalEntry } from '../http/journal/journal-entry.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'

/** The journal of a team in another process. */
export interface RemoteJournal {
  /** Returns the number of requests, dropped ones included. */
  count(): Promise<number>
  /** Returns the requests in the journal, the oldest first: of all operations, or of those that match the pattern. */
  requests(pattern?: OperationPattern): Promise<JournalEntry[]>
  /** Returns the latest request: of all operations, or of those that match the pattern. */
  last(pattern?: OperationPattern): Promise<JournalEntry | undefined>
  /** Returns one line for each request, such as `insurance.create 200`. */
  lines(pattern?: OperationPattern): Promise<string[]>
  /** Returns the requests as a HAR 1.2 document without secrets and health data. */
  har(): Promise<Har>
  /** Deletes the requests in the journal. */
  clear(): Promise<void>
}

interface SentJournal {
  count: number
  requests: Dated<JournalEntry>[]
}

/** Returns the journal of a team. */
export function remoteJournal(client: ControlClient): RemoteJournal {
  const read = (query: Record<string, string>) =>
    client.read<SentJournal>(`GET /journal?${new URLSearchParams(query)}`, journalSchema)
  return {
    count: async () => (await read({ last: '1' })).count,
    requests: async (on = '*') => (await read({ on })).requests.map(reviveDate),
    last: async (on = '*') => (await read({ on, last: '1' })).requests.map(reviveDate)[0],
    lines: (on = '*') =>
      client.read(`GET /journal/lines?${new URLSearchParams({ on })}`, z.array(z.string())),
    har: () => client.read('GET /journal/har', harSchema),
    clear: async () => void (await client.run('DELETE /journal')),
  }
}
