import { createMock, type Team } from '../../mock/index.ts'
import { spanOf } from '../../mock/state/clock/time.ts'
import { nextTurn } from '../../src/shared/next-turn.ts'
import { call } from '../../test/support/call.ts'
import { ensure, type Target, target } from './target.ts'
import { type Program, ProgramRun, programs, separate } from './team-programs.ts'

/** The maximum number of turns of the event loop within which programs end. */
const maxTurns = 20_000

/** The span by which every team is advanced at the end. */
const lastSpan = '3d'

const idle: Program = { clock: 'manual', waitsForOther: false, steps: [], webhooks: [] }

/**
 * Runs the programs of two teams of one mock concurrently, with webhook handlers that use both teams. The programs must
 * end, their advances must add up, a second run must have the same result, and separate teams must behave as if they
 * were alone.
 */
export const teamsTarget: Target = target('teams', programs, async ({ programs, areSeparate }) => {
  modules ??= loadModules()
  await modules
  const input = areSeparate ? separate(programs) : programs
  const results = await run(input)
  ensureEqual(await run(input), results, 'a second run has the same result')
  if (!areSeparate) return
  for (const index of [0, 1]) {
    const alone = await run(input.map((program, at) => (at === index ? program : idle)))
    ensureEqual(alone[index], results[index], `team ${index + 1} has the same result alone`)
  }
})

let modules: Promise<void> | undefined

/** Loads the modules of the first request and the first delivery, because the number of turns that this takes varies. */
async function loadModules(): Promise<void> {
  const team = createMock().team()
  team.webhooks.add({ handler: () => new Response() })
  team.trigger('unknown.event', {}, { unknown: true })
  await call(team, 'GET /v2/providers')
  await team.webhooks.idle()
}

/** Returns the observable state of each team. */
async function run(programs: readonly Program[]): Promise<unknown[]> {
  const mock = createMock({ seed: 7 })
  const reported: unknown[] = []
  mock.reportTo((error) => reported.push(error))
  const teams = programs.map(({ clock }) => mock.team({ clock }))
  // There are two programs.
  const runs = programs.map((program, at) => {
    return new ProgramRun(program, teams[at] as Team, teams[1 - at] as Team)
  })
  await ensureEnd(end(runs, teams))
  ensure(reported.length === 0, `no error is reported, unlike ${String(reported[0])}`)
  return teams.map((team, at) => ({ log: runs[at]?.log, ...observe(team) }))
}

async function end(runs: readonly ProgramRun[], teams: readonly Team[]): Promise<void> {
  const start = teams.map(({ clock }) => clock.now().getTime())
  const ends = runs.map((one, at) => one.run().then(() => teams[at]?.clock.advance(lastSpan)))
  await Promise.all(ends)
  for (const [at, team] of teams.entries()) checkAdvances(team, start[at] ?? 0, runs)
  // Requests that handlers sent to a team after its last advance must also end.
  for (const { clock } of teams) clock.mode = 'auto'
  await Promise.all(teams.map(({ webhooks }) => webhooks.idle()))
  for (const { pending } of runs) await Promise.all(pending)
}

async function ensureEnd(promise: Promise<void>): Promise<void> {
  let hasEnded = false
  const ended = promise.finally(() => {
    hasEnded = true
  })
  ended.catch(() => {})
  for (let turn = 0; turn < maxTurns && !hasEnded; turn += 1) await nextTurn()
  ensure(hasEnded, `the programs end within ${maxTurns} turns of the event loop`)
  await ended
}

/** In `auto` mode and with `runToNext`, time also passes without advances. */
function checkAdvances(team: Team, start: number, runs: readonly ProgramRun[]): void {
  const spans = runs.map(({ advanced }) => advanced.get(team) ?? 0)
  const sum = spans.reduce((one, other) => one + other, spanOf(lastSpan))
  const passed = team.clock.now().getTime() - start
  const isExact = team.clock.mode === 'manual' && runs.every(({ jumped }) => !jumped.has(team))
  ensure(isExact ? passed === sum : passed >= sum, `advances of ${sum} ms move time, not ${passed}`)
}

function observe(team: Team) {
  return {
    snapshot: team.snapshot(),
    events: team.events.list(),
    journal: team.journal.requests(),
    deliveries: team.webhooks.list().map((webhook) => webhook.deliveries()),
  }
}

function ensureEqual(found: unknown, expected: unknown, expectation: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  const excerpt = (text: string) => text.slice(Math.max(0, at - 100), at + 100)
  ensure(one === other, `${expectation}: ${excerpt(one)} is ${excerpt(other)}`)
}
