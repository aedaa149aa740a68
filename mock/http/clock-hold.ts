import { orAbort } from '../shared/abort.ts'
import { settle } from '../shared/settle.ts'
import type { TeamClock } from '../state/clock/clock.ts'

/** The real time after which an incomplete body is treated as slow, in milliseconds. */
const slowAfter = 50

/** Pauses a team's virtual time while a request is handled. */
export class ClockHold {
  readonly #clock: TeamClock
  #resume: (() => void) | undefined
  #hasEnded = false

  constructor(clock: TeamClock) {
    this.#clock = clock
    this.#resume = clock.trackRequest()
  }

  /**
   * Waits for the request's body, or rejects if the signal aborts first. Virtual time continues while a slow body
   * arrives, so other requests can finish.
   */
  async waitForBody<T>(body: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const timer = (await isStreamed(body))
      ? setTimeout(() => this.#release(), slowAfter)
      : undefined
    try {
      return await orAbort(body, signal)
    } finally {
      clearTimeout(timer)
      if (!this.#hasEnded) this.#resume ??= this.#clock.trackRequest()
    }
  }

  end(): void {
    this.#hasEnded = true
    this.#release()
  }

  #release(): void {
    this.#resume?.()
    this.#resume = undefined
  }
}

/** Returns whether a body is still arriving. A body in memory needs no timer. */
async function isStreamed(body: Promise<unknown>): Promise<boolean> {
  let isRead = false
  const end = () => {
    isRead = true
  }
  body.then(end, end)
  return !(await settle(() => isRead))
}
