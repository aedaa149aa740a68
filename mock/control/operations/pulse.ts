import * as z from 'zod/mini'
import type { Team } from '../../team.ts'
import { type ControlOperation, operation } from '../endpoint.ts'
import { clockSchema } from '../responses.ts'

/** The time of a team, and counts that show what has changed. */
export interface Pulse {
  /** Virtual time, ISO 8601. */
  now: string
  /** The mode of the clock. */
  mode: Team['clock']['mode']
  /** The number of due events. */
  pending: number
  /** The number of requests, dropped ones included. */
  requests: number
  /** The number of requests in the journal without a response. */
  waiting: number
  /** The number of changes of records. */
  changes: number
  /** The number of events, dropped ones included. */
  events: number
  /** The number of faults. */
  faults: number
  /** The number of webhooks. */
  webhooks: number
  /** The number of messages that the webhooks have not yet delivered. */
  undelivered: number
  /** The number of delivery attempts. */
  deliveries: number
  /** The number of points in the history, dropped ones included; 0 while it is not recorded. */
  points: number
}

const { now, mode } = clockSchema.shape
const pulseSchema = z.object({
  now,
  mode,
  pending: z.int(),
  requests: z.int(),
  waiting: z.int(),
  changes: z.int(),
  events: z.int(),
  faults: z.int(),
  webhooks: z.int(),
  undelivered: z.int(),
  deliveries: z.int(),
  points: z.int(),
})

/** Lets a page poll one small response, and read again only what has changed. */
export const pulse: ControlOperation = operation(
  {
    id: 'pulse',
    method: 'GET',
    path: '/pulse',
    summary: 'Returns the virtual time, and counts of requests, changes, events and faults',
    responses: { 200: pulseSchema },
  },
  readPulse,
)

function readPulse({ clock, journal, changes, events, webhooks, state }: Team): Pulse {
  const receivers = webhooks.list()
  return {
    now: clock.now().toISOString(),
    mode: clock.mode,
    pending: state.clock.pendingCount,
    requests: journal.count,
    waiting: journal.requests().filter(({ outcome }) => outcome === 'waiting').length,
    changes,
    events: events.count,
    faults: state.faults.size,
    webhooks: receivers.length,
    undelivered: receivers.reduce((sum, { pending }) => sum + pending, 0),
    deliveries: state.webhooks.attempts,
    points: state.recorder?.count ?? 0,
  }
}
