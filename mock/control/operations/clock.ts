import * as z from 'zod/mini'
import { clockModes } from '../../state/clock/clock-modes.ts'
import { type TimeSpan, timeSpanSchema } from '../../state/clock/time.ts'
import type { Team } from '../../team.ts'
import { describeDueEvents } from '../agenda.ts'
import { type ControlOperation, instantSchema, operation } from '../endpoint.ts'
import { agendaSchema, clockSchema, nextEventSchema } from '../responses.ts'

/** The team's virtual time. */
export const clock: readonly ControlOperation[] = [
  operation(
    {
      id: 'clock.get',
      method: 'GET',
      path: '/clock',
      summary: 'Returns the virtual time, its mode and the due events',
      responses: { 200: clockSchema },
    },
    readClock,
  ),
  operation(
    {
      id: 'clock.agenda',
      method: 'GET',
      path: '/clock/agenda',
      summary: 'Lists the due events with what each of them is about, the next one first',
      query: z.object({ first: z.optional(z.int().check(z.gte(1))) }),
      responses: { 200: agendaSchema },
    },
    (team, { query }) => describeDueEvents(team, query.first),
  ),
  operation(
    {
      id: 'clock.update',
      method: 'PATCH',
      path: '/clock',
      summary: 'Sets the mode of the clock',
      body: z.object({ mode: z.enum(clockModes) }),
      responses: { 200: clockSchema },
    },
    (team, { body }) => {
      team.clock.mode = body.mode
      return readClock(team)
    },
  ),
  operation(
    {
      id: 'clock.advance',
      method: 'POST',
      path: '/clock/advance',
      summary: "Advances the virtual time by milliseconds, or by a string such as '15m'",
      body: z.object({ by: timeSpanSchema }),
      responses: { 200: clockSchema },
    },
    async (team, { body }) => {
      // The schema is that of the type; zod cannot express a string such as '15m'.
      await team.clock.advance(body.by as TimeSpan)
      return readClock(team)
    },
  ),
  operation(
    {
      id: 'clock.advanceTo',
      method: 'POST',
      path: '/clock/advance_to',
      summary: 'Advances the virtual time to a moment',
      body: z.object({ to: instantSchema }),
      responses: { 200: clockSchema },
    },
    async (team, { body }) => {
      await team.clock.advanceTo(body.to)
      return readClock(team)
    },
  ),
  operation(
    {
      id: 'clock.runToNext',
      method: 'POST',
      path: '/clock/run_to_next',
      summary: 'Advances the virtual time to the next due event, and returns it; null without one',
      responses: { 200: nextEventSchema },
    },
    async (team) => ({ event: (await team.clock.runToNext()) ?? null }),
  ),
  operation(
    {
      id: 'clock.whenWaiting',
      isUnrecorded: true,
      method: 'POST',
      path: '/clock/when_waiting',
      summary: 'Responds when at least this number of requests wait for virtual time; default 1',
      body: z.object({ requests: z.optional(z.int().check(z.gte(1))) }),
      responses: { 200: clockSchema },
    },
    async (team, { body }) => {
      await team.clock.whenWaiting(body.requests)
      return readClock(team)
    },
  ),
]

function readClock({ clock }: Team) {
  return { now: clock.now(), mode: clock.mode, pending: clock.pending() }
}
