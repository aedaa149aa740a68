import type { ExchangeResult } from '../../faults/effects.ts'
import type { IncomingRequest } from '../../http/request/request.ts'
import { Mock } from '../../mock.ts'
import type { ConnectionClock } from '../../state/clock/connection-clock.ts'
import type { Team } from '../../team.ts'
import type { ExploreTools } from '../options.ts'
import type { Gate } from './gate.ts'
import { callerStack } from './lines.ts'
import { never, runAt } from './program.ts'

/**
 * Returns the client options. In memory, the client waits in virtual time, and a crash cancels its timers. Over HTTP,
 * the client uses real time.
 */
export function connectProgram(
  team: Team,
  gate: Gate,
  url: string | undefined,
): ExploreTools['connection'] {
  const { clock, ...connection } = team.connection()
  if (url === undefined) {
    const fetch: typeof connection.fetch = (input, init) =>
      runAt(callerStack(input), () => connection.fetch(input, init))
    return { ...connection, fetch, clock: programClock(clock, gate) }
  }
  return { ...connection, baseUrl: url, fetch: (input, init) => fetch(input, init) }
}

function programClock(clock: ConnectionClock, gate: Gate): ConnectionClock {
  return {
    now: clock.now,
    sleep: (milliseconds, signal) => {
      const program = gate.currentProgram()
      if (!program) return clock.sleep(milliseconds, signal)
      if (program.isAlive && gate.countAction(program)) return never()
      const either = signal ? AbortSignal.any([program.signal, signal]) : program.signal
      return program.guard(() => clock.sleep(milliseconds, either))
    },
    startTimer: (milliseconds, onEnd) => {
      const program = gate.currentProgram()
      if (!program) return clock.startTimer(milliseconds, onEnd)
      if (!program.isAlive) return () => {}
      const stop = clock.startTimer(milliseconds, onEnd)
      program.signal.addEventListener('abort', stop, { once: true })
      return () => {
        program.signal.removeEventListener('abort', stop)
        stop()
      }
    },
  }
}

/** A mock whose requests pass through a gate while a program runs. */
export class ExploredMock extends Mock {
  /** The current run's gate. Requests before and after the run are handled as usual. */
  gate: Gate | undefined

  override handle(request: IncomingRequest, baseUrl: string): Promise<ExchangeResult> {
    const handle = async (passed: IncomingRequest) => super.handle(passed, baseUrl)
    return this.gate ? this.gate.pass(request, baseUrl, handle) : handle(request)
  }
}
