import { orAbort } from '../../base/abort.ts'
import type { Clock } from './clock.ts'

/** A team's virtual time for a client: the option `clock` of `ServiceClient`. */
export interface ConnectionClock {
  /** Returns the virtual time in milliseconds since 1970. */
  now(): number
  /**
   * Waits for some milliseconds of virtual time, like a request: in `auto` time jumps when everything waits. Rejects with
   * the reason of `signal` as soon as it aborts.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `onEnd` after some milliseconds of virtual time, unless the returned function is called before. Time does not
   * jump because of it.
   */
  startTimer(milliseconds: number, onEnd: () => void): () => void
}

/** Returns the clock of a team's clients. */
export function connectionClock(clock: Clock): ConnectionClock {
  return {
    now: () => clock.moment,
    async sleep(milliseconds, signal) {
      const until = clock.after(Math.ceil(milliseconds))
      const end = clock.trackRequest()
      await orAbort(
        clock.wait(() => false, { until, signal }),
        signal,
      ).finally(end)
    },
    startTimer: (milliseconds, onEnd) => clock.startTimer(Math.ceil(milliseconds), onEnd),
  }
}
