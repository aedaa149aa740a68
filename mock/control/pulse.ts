import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import type { Team } from '../team.ts'
import { type ControlOperation, operation } from './endpoint.ts'

/** Where a team is in time, and how much has happened to it. */
export interface Pulse {
  now: string
  mode: Team['clock']['mode']
  /** How much is still to come. */
  pending: number
  requests: number
  /** Requests that have no answer yet, of those that the journal keeps. */
  waiting: number
  changes: number
  events: number
  faults: number
  webhooks: number
  /** Messages that webhooks have still to be told. */
  undelivered: number
}

const Pulse = z.object({
  now: lenient.dateTime,
  mode: z.enum(['auto', 'manual', 'realtime']),
  pending: z.int(),
  requests: z.int(),
  waiting: z.int(),
  changes: z.int(),
  events: z.int(),
  faults: z.int(),
  webhooks: z.int(),
  undelivered: z.int(),
})

/** What a page asks for each second; whatever has changed in it tells what to read anew. */
export const pulse: ControlOperation = operation(
  {
    id: 'pulse',
    method: 'GET',
    path: '/pulse',
    summary: "Tells the team's time, and counts what has happened",
    responses: { 200: Pulse },
  },
  pulseOf,
)

function pulseOf({ clock, journal, changes, events, faults, webhooks }: Team): Pulse {
  const receivers = webhooks.list()
  return {
    now: clock.now().toISOString(),
    mode: clock.mode,
    pending: clock.pending().length,
    requests: journal.count,
    waiting: journal.requests().filter(({ outcome }) => outcome === 'waiting').length,
    changes,
    events: events.count,
    faults: faults.list().length,
    webhooks: receivers.length,
    undelivered: receivers.reduce((sum, { pending }) => sum + pending, 0),
  }
}
