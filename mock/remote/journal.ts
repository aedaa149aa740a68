import * as z from 'zod/mini'
import { harSchema, journalSchema } from '../control/responses.ts'
import type { JournalEntry } from '../http/journal-entry.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'
import type { RemoteJournal } from './remote-team.ts'

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
