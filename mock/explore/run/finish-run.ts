import { nextTurn } from '../../shared/settle.ts'
import { spanOf } from '../../state/clock/time.ts'
import type { Team } from '../../team.ts'
import type { Gate } from './gate.ts'
import type { Program } from './program.ts'

/** The virtual time that a run continues after its scenario: longer than any booking, and all retries of deliveries. */
const horizon = spanOf('3d')

/** The most due events after a scenario; more of them are background activity without an end. */
const mostEvents = 500

/** The most requests and waits of the program when nothing else is due, such as those of a loop that polls. */
const mostActions = 200

/** The turns of the event loop in which a program sends its next request, unless it waits for something. */
const quietTurns = 10

/** The milliseconds in which a program loads modules at its first request. */
const loadTime = 150

/** Runs what is due: bookings, imports, deliveries with their retries, and what the program still does in the background. */
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

/** Waits until the program waits for the service, for its clock, or for nothing. */
async function rest(program: Program, quietUntil: number): Promise<void> {
  await program.waitOutside()
  const isOver = (turn: number) => turn >= quietTurns && performance.now() >= quietUntil
  for (let turn = 0; !isOver(turn) && !program.isBusy; turn += 1) await nextTurn()
  await program.waitForTimers()
}
