import type { Team } from '../../team.ts'
import { describeDueEvents } from '../agenda.ts'
import type { Handlers } from '../handler.ts'
import type { clock } from '../operations/clock.ts'

export const clockHandlers: Handlers<typeof clock> = {
  'clock.get': readClock,
  'clock.agenda': (team, { query }) => describeDueEvents(team, query.first),
  'clock.update': (team, { body }) => {
    team.clock.mode = body.mode
    return readClock(team)
  },
  'clock.advance': async (team, { body }) => {
    await team.clock.advance(body.by)
    return readClock(team)
  },
  'clock.advanceTo': async (team, { body }) => {
    await team.clock.advanceTo(body.to)
    return readClock(team)
  },
  'clock.runToNext': async (team) => ({ event: (await team.clock.runToNext()) ?? null }),
  'clock.whenWaiting': async (team, { body }) => {
    await team.clock.whenWaiting(body.requests)
    return readClock(team)
  },
}

function readClock({ clock }: Team) {
  return { now: clock.now(), mode: clock.mode, pending: clock.pending() }
}
