import { nextTurn } from '../../../src/shared/next-turn.ts'
import { settle } from '../../shared/settle.ts'
import type { TeamClock } from './clock.ts'

/** A team's virtual clock, for the `clock` option of `ServiceClient`. */
export interface ConnectionClock {
  /** Returns the virtual time as a Unix timestamp in milliseconds. */
  now(): number
  /**
   * Waits for this many milliseconds of virtual time. In `auto` mode, the wait makes time jump ahead, as a waiting
   * request does. Rejects with `signal.reason` when `signal` aborts.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `onEnd` after this many milliseconds of virtual time, or of real time if the mock receives no request. The
   * returned function stops the timer. A timer never makes time jump ahead.
   */
  startTimer(milliseconds: number, onEnd: () => void): () => void
}

/**
 * After this many waits, the clock waits for the next turn of the event loop. Otherwise, platform timers, such as a
 * test's timeout, could not run while time jumps ahead.
 */
const waitsPerTurn = 100

export function connectionClock(clock: TeamClock): ConnectionClock {
  let waits = 0
  return {
    now: () => clock.moment,
    async sleep(milliseconds, signal) {
      const until = clock.after(Math.ceil(milliseconds))
      const end = clock.trackRequest()
      try {
        waits += 1
        if (waits % waitsPerTurn === 0) await nextTurn()
        await clock.wait(() => false, { until, signal })
      } finally {
        end()
      }
    },
    startTimer(milliseconds, onEnd) {
      const timer = new Timer(onEnd)
      timer.start(() => clock.startTimer(Math.ceil(milliseconds), timer.end))
      void limitArrival(timer, clock, milliseconds)
      return timer.stop
    },
  }
}

/**
 * Also starts the timer in real time if no request arrives, because nothing would then advance virtual time. For
 * example, a custom `fetch` function may never settle.
 */
async function limitArrival(timer: Timer, clock: TeamClock, milliseconds: number): Promise<void> {
  const { arrivals } = clock
  if (await settle(() => timer.isOver || clock.arrivals > arrivals)) return
  timer.start(() => startPlatformTimer(milliseconds, timer.end))
}

/** A timer that can run in virtual time, in real time, or in both. It fires once, at whichever end comes first. */
export class Timer {
  readonly #onEnd: () => void
  #stops: (() => void)[] = []
  /** Whether the timer has ended or was stopped. */
  isOver = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** `run` starts the timer, in virtual or real time, and returns a function that stops it. */
  start(run: () => () => void): void {
    this.#stops.push(run())
  }

  readonly stop = () => {
    this.isOver = true
    for (const stop of this.#stops) stop()
  }

  readonly end = () => {
    this.stop()
    this.#onEnd()
  }
}

export function startPlatformTimer(milliseconds: number, onEnd: () => void): () => void {
  const id = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(id)
}
