import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import type { TimeSpan } from '../state/clock/time.ts'
import type { Team } from '../team.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { instant, span } from './values.ts'

const Event = z.object({ at: lenient.dateTime, type: z.string(), subject: z.string() })
const modes = ['auto', 'manual', 'realtime'] as const
const ClockState = z.object({
  now: lenient.dateTime,
  mode: z.enum(modes),
  pending: z.array(Event),
})

/** Reading and moving the team's time. */
export const clock: readonly ControlOperation[] = [
  operation(
    {
      id: 'clock.get',
      method: 'GET',
      path: '/clock',
      summary: "Tells the team's time, how it passes, and what is still to come",
      responses: { 200: ClockState },
    },
    clockOf,
  ),
  operation(
    {
      id: 'clock.update',
      method: 'PATCH',
      path: '/clock',
      summary: 'Changes how time passes',
      body: z.object({ mode: z.enum(modes) }),
      responses: { 200: ClockState },
    },
    (team, { body }) => {
      team.clock.mode = body.mode
      return clockOf(team)
    },
  ),
  operation(
    {
      id: 'clock.advance',
      method: 'POST',
      path: '/clock/advance',
      summary: "Moves time by milliseconds, or by text such as '15m'",
      body: z.object({ by: span }),
      responses: { 200: ClockState },
    },
    async (team, { body }) => {
      // Text that is no length of time is refused there.
      await team.clock.advance(body.by as TimeSpan)
      return clockOf(team)
    },
  ),
  operation(
    {
      id: 'clock.advanceTo',
      method: 'POST',
      path: '/clock/advance_to',
      summary: 'Moves time to a moment',
      body: z.object({ to: instant }),
      responses: { 200: ClockState },
    },
    async (team, { body }) => {
      await team.clock.advanceTo(body.to)
      return clockOf(team)
    },
  ),
  operation(
    {
      id: 'clock.runToNext',
      method: 'POST',
      path: '/clock/run_to_next',
      summary: 'Moves time to the next event; null when none is to come',
      responses: { 200: z.object({ event: z.nullable(Event) }) },
    },
    async (team) => ({ event: (await team.clock.runToNext()) ?? null }),
  ),
  operation(
    {
      id: 'clock.whenWaiting',
      method: 'POST',
      path: '/clock/when_waiting',
      summary: 'Answers as soon as at least so many requests wait for time to pass',
      body: z.object({ requests: z.optional(z.int().check(z.gte(1))) }),
      responses: { 200: ClockState },
    },
    async (team, { body }) => {
      await team.clock.whenWaiting(body.requests)
      return clockOf(team)
    },
  ),
]

function clockOf({ clock }: Team) {
  return { now: clock.now(), mode: clock.mode, pending: clock.pending() }
}
