import { nextTurn } from '../../../src/shared/next-turn.ts'
import { spanOf } from '../../state/clock/time.ts'
import type { Team } from '../../team.ts'
import type { Gate } from './gate.ts'
import { type Program, quietTurns } from './program.ts'

/** How long a run continues after its scenario, in virtual time. Bookings and delivery retries take less time. */
const horizon = spanOf('3d')

/** The maximum number of events after a scenario. A higher number is treated as endless background activity. */
const mostEvents = 500

/** The maximum number of requests and waits between two events. A polling loop exceeds it. */
const mostActions = 200

/** How long a run without faults waits for the first request, in milliseconds. The program may be loading modules. */
const loadTime = 150

/**
 * Runs everything that is pending: bookings, imports, deliveries with their retries, and the program's background work.
 */
export async function finishRun(team: Team, program: Program, gate: Gate): Promise<void> {
  const quietUntil = gate.isUnplanned ? performance.now() + loadTime : 0
  let actionsAtEvent = gate.actions
  const end = team.clock.now().getTime() + horizon
  for (let events = 0; events < mostEvents && program.isAlive; events += 1) {
    await rest(program, gate.actions === 0 ? quietUntil : 0)
    await team.webhooks.idle()
    const [next] = team.clock.pending()
    const isPolling = gate.actions > actionsAtEvent + mostActions
    const isOver = next
      ? next.at.getTime() > end
      : !program.isBusy || isPolling || team.clock.now().getTime() > end
    if (!program.isAlive || isOver) return
    if (!next) continue
    actionsAtEvent = gate.actions
    await team.clock.advanceTo(new Date(Math.max(next.at.getTime(), team.clock.now().getTime())))
  }
}

/** Resolves once the program is waiting for the service or the clock, or has nothing left to do. */
async function rest(program: Program, quietUntil: number): Promise<void> {
  await program.waitOutside()
  const isOver = (turn: number) => turn >= quietTurns && performance.now() >= quietUntil
  for (let turn = 0; !isOver(turn) && !program.isBusy; turn += 1) await nextTurn()
  await program.waitForTimers()
}
