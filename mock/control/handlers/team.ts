import { truthOf } from '../../living/events/truth.ts'
import { Slices } from '../../shared/slices.ts'
import { restoreInSlices } from '../../snapshot/restore.ts'
import { readSnapshot } from '../../snapshot/snapshot.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { pulse, team } from '../operations/team.ts'

/** The estimated time to find one sent row, in microseconds. */
const rowWork = 20

export const teamHandlers: Handlers<typeof pulse & typeof team> = {
  pulse: readPulse,
  'settings.get': readSettings,
  'settings.update': (team, { body }) => {
    team.configure(body)
    return readSettings(team)
  },
  signIn: (team, { body }) => team.signIn(body.sign_in_token),
  truth: ({ state }, { params, query }) =>
    new Slices(state.clock.interruption).run(
      truthOf(params.user_id, query.resource, state),
      rowWork,
    ),
  snapshot: ({ state }) => readSnapshot(state),
  restore: ({ state }, { body }) => restoreInSlices(state, body),
  seed: async ({ state }, { body }) => {
    const { seedInSlices } = await import('../../fixtures/seed.ts')
    return seedInSlices(state, body)
  },
  reset: (team) => team.reset(),
  reproduction: (team) => ({ line: team.reproduction() }),
}

/** Returns the team's settings. Narrows the type of `now`, which is always a string. */
function readSettings({ settings }: Team) {
  return { ...settings, now: String(settings.now) }
}

function readPulse({ clock, journal, changes, events, webhooks, state }: Team) {
  const receivers = webhooks.list()
  return {
    now: clock.now(),
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
