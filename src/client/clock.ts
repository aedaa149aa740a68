import { readField } from '../shared/own-fields.ts'
import { observe } from './observe.ts'
import { abortable, sleep } from './transport/cancellation.ts'

/** A client's clock. A mock's connection provides the team's virtual clock. */
export interface ClientClock {
  /**
   * Returns the time as a Unix timestamp in milliseconds. The client also uses it to measure durations and deadlines.
   */
  now(): number
  /**
   * Waits between attempts or checks. Resolves after `milliseconds`; rejects with `signal.reason` when `signal` aborts.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Starts a timer for a timeout or deadline: calls `onEnd` after `milliseconds`, unless the returned function is
   * called first. The timer must not advance virtual time. Default: `setTimeout`.
   */
  startTimer?(milliseconds: number, onEnd: () => void): () => void
}

/** A client's clock with its optional methods filled in, plus monotonic time. */
export interface Clock extends Required<ClientClock> {
  /**
   * Returns the number of milliseconds since an arbitrary point in time, for measuring durations. Changes to the system
   * time do not affect the real clock's value.
   */
  monotonic(): number
  /** Whether timers run in virtual time. */
  isVirtual: boolean
}

// The platform's functions are looked up on every call, so that fake timers can replace them.
const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
  startTimer(milliseconds, onEnd) {
    const timer = setTimeout(onEnd, milliseconds)
    return () => clearTimeout(timer)
  },
  isVirtual: false,
}

export function resolveClock(given: ClientClock | undefined): Clock {
  if (!given) return realClock
  const hasTimers = readField(given, 'startTimer') !== undefined
  const startTimer = (hasTimers && given.startTimer?.bind(given)) || realClock.startTimer
  const now = () => {
    const time: unknown = given.now()
    if (typeof time === 'number') return time
    // If `now` is async, its promise may reject.
    observe(() => time)
    throw new TypeError('clock.now did not return a number')
  }
  return {
    now,
    monotonic: now,
    // A custom `sleep` may ignore the signal.
    sleep: (milliseconds, signal) => {
      const slept = given.sleep(milliseconds, signal)
      return signal ? abortable(slept, signal) : slept
    },
    startTimer(milliseconds, onEnd) {
      const stop = startTimer(milliseconds, onEnd)
      // An error while stopping a custom timer must not change the result of the call.
      return () => observe(stop)
    },
    isVirtual: hasTimers,
  }
}
