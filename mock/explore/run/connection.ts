import type { ConnectionClock } from '../../state/clock/connection-clock.ts'
import type { Team } from '../../team.ts'
import type { ExploreTools } from '../options.ts'
import type { Gate } from './gate.ts'

/**
 * Returns the options of the program's client. In memory it waits in virtual time, and its waits end with a crash. Over
 * HTTP it uses real time.
 */
export function connectProgram(
  team: Team,
  gate: Gate,
  url: string | undefined,
): ExploreTools['connection'] {
  const { clock, ...connection } = team.connection()
  if (url === undefined) return { ...connection, clock: programClock(clock, gate) }
  return { ...connection, baseUrl: url, fetch: (input, init) => fetch(input, init) }
}

function programClock(clock: ConnectionClock, gate: Gate): ConnectionClock {
  return {
    now: clock.now,
    sleep: (milliseconds, signal) => {
      const program = gate.currentProgram()
      if (!program) return clock.sleep(milliseconds, signal)
      const signals = [program.signal, ...(signal ? [signal] : [])]
      return program.guard(() => clock.sleep(milliseconds, AbortSignal.any(signals)))
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
