import type { TeamClock } from './clock.ts'

/** A team's virtual time for a client: the option `clock` of `ServiceClient`. */
export interface ConnectionClock {
  /** Returns the virtual time in milliseconds since 1970. */
  now(): number
  /**
   * Waits for some milliseconds of virtual time, like a request: in `auto`, time jumps when everything waits. Rejects with
   * the reason of `signal` as soon as it aborts.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `onEnd` after some milliseconds of virtual time, unless the returned function is called before. Time does not
   * jump because of it.
   */
  startTimer(milliseconds: number, onEnd: () => void): () => void
}

/** The promise ticks within which the request of a client arrives, unless its `fetch` does something else first. */
const sendingTicks = 100

/** Returns the clock of a team's clients. */
export function connectionClock(clock: TeamClock): ConnectionClock {
  return {
    now: () => clock.moment,
    async sleep(milliseconds, signal) {
      const until = clock.after(Math.ceil(milliseconds))
      const end = clock.trackRequest()
      await clock.wait(() => false, { until, signal }).finally(end)
    },
    startTimer(milliseconds, onEnd) {
      const timer = new ClientTimer(onEnd)
      timer.start(() => clock.startTimer(Math.ceil(milliseconds), timer.end))
      void startPlatformTimer(timer, clock, milliseconds)
      return timer.stop
    },
  }
}

/** A timer that runs in virtual time, and maybe also in real time. The first to end stops the other. */
class ClientTimer {
  readonly #onEnd: () => void
  #stops: (() => void)[] = []
  /** Whether the timer has ended or was stopped. */
  isOver = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** Adds a way to end. */
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

/**
 * Limits a call whose request does not arrive, such as that of a `fetch` function that never ends: nothing would move
 * virtual time.
 */
async function startPlatformTimer(
  timer: ClientTimer,
  clock: TeamClock,
  milliseconds: number,
): Promise<void> {
  const { arrivals } = clock
  for (let tick = 0; tick < sendingTicks && !timer.isOver; tick += 1) await undefined
  if (timer.isOver || clock.arrivals > arrivals) return
  timer.start(() => {
    const id = setTimeout(timer.end, milliseconds)
    return () => clearTimeout(id)
  })
}
