import { MockError } from '../../errors.ts'
import { Handlers } from './handlers.ts'

/** How long a request waits: until something is over, at the latest until a moment. */
export interface WaitOptions {
  /** Milliseconds since 1970. Default: no end. */
  until?: number
  /** Ends the wait when the caller aborts the request. */
  signal?: AbortSignal | undefined
  /** The subject of the due events that the request waits for. Default: the wait fails with any event that fails. */
  subject?: string
}

/** A request that waits for virtual time to pass. */
export interface Wait {
  /** Returns whether the wait is over. */
  isOver: () => boolean
  /** Milliseconds since 1970; infinity for a wait without end. */
  until: number
  /** The subject of the due events whose failure ends the wait; undefined for any subject. */
  subject: string | undefined
  /** Ends the wait. */
  resolve: () => void
  /** Fails the request. */
  reject: (reason: unknown) => void
}

/** A timer of a client, such as a timeout. */
interface ClientTimer {
  /** Milliseconds since 1970. */
  end: number
  /** Called at the end. */
  onEnd: () => void
}

interface TrackedWait extends Wait {
  /** Whether a webhook handler may wait for this request. */
  mayBeOfHandler: boolean
}

/**
 * The promise ticks for which the team must be idle before time moves, so that requests sent together also start
 * together although some need a few more ticks.
 */
const idleTicks = 100

/** What keeps a team's time from moving: requests that do not wait for it, and deliveries. */
export class Activity {
  readonly #waits = new Set<TrackedWait>()
  readonly #timers = new Set<ClientTimer>()
  /** Requests without a response, waiting ones included. */
  #requests = 0
  /** Webhooks with a delivery in progress. */
  #deliveries = 0
  readonly #handlers = new Handlers()
  #whenIdle: (() => void)[] = []
  #whenWaiting: { requests: number; resolve: () => void }[] = []

  /** Whether a request has no response yet. */
  get isBusy(): boolean {
    return this.#requests > 0
  }

  /** Whether a request waits. */
  get isWaiting(): boolean {
    return this.#waits.size > 0
  }

  /** The first moment at which a wait or a timer ends; infinity if none has an end. */
  get nextEnd(): number {
    let next = this.nextTimerEnd
    for (const { until } of this.#waits) next = Math.min(next, until)
    return next
  }

  /** The first moment at which a timer ends; infinity without timers. */
  get nextTimerEnd(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { end } of this.#timers) next = Math.min(next, end)
    return next
  }

  /** Starts a timer, which does not move time. Returns the function that stops it. */
  startTimer(end: number, onEnd: () => void): () => void {
    const timer = { end, onEnd }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Ends the timers that are due at a moment. */
  endTimers(moment: number): void {
    for (const timer of this.#timers) {
      if (timer.end > moment) continue
      this.#timers.delete(timer)
      timer.onEnd()
    }
  }

  /** Stops every timer. */
  stopTimers(): void {
    this.#timers.clear()
  }

  /** Counts a request until the returned function is called. */
  trackRequest(): () => void {
    this.#requests += 1
    return () => {
      this.#requests -= 1
      this.#resolveIdle()
    }
  }

  /** Counts a delivery until the returned function is called. */
  trackDelivery(): () => void {
    this.#deliveries += 1
    return () => {
      this.#deliveries -= 1
      this.#resolveIdle()
    }
  }

  /** Runs a webhook handler. */
  runHandler<T>(isWithinMove: boolean, handler: () => T | Promise<T>): Promise<T> {
    return this.#handlers.run(isWithinMove, handler)
  }

  /** @throws {MockError} `invalid_state` inside a webhook handler. */
  checkOutsideHandlers(method: string): void {
    if (!this.#handlers.isInside()) return
    throw new MockError(
      'invalid_state',
      `${method}() cannot run inside a webhook handler: it waits for the handler's response, so neither would ever end. Return the response first, and call ${method}() in the test.`,
    )
  }

  /** Adds a wait. Returns the function that removes it. */
  add(wait: Wait): () => void {
    const tracked = { ...wait, mayBeOfHandler: this.#handlers.size > 0 }
    this.#waits.add(tracked)
    const reached = this.#whenWaiting.filter(({ requests }) => this.#waits.size >= requests)
    this.#whenWaiting = this.#whenWaiting.filter((waiting) => !reached.includes(waiting))
    for (const { resolve } of reached) resolve()
    this.#resolveIdle()
    return () => void this.#waits.delete(tracked)
  }

  /** Ends the waits that match. */
  release(matches: (wait: Wait) => boolean): void {
    for (const wait of this.#waits) {
      if (!matches(wait)) continue
      this.#waits.delete(wait)
      wait.resolve()
    }
  }

  /** Fails the waits that match. Returns whether there were any. */
  fail(reason: unknown, matches: (wait: Wait) => boolean = () => true): boolean {
    const failed = [...this.#waits].filter(matches)
    for (const wait of failed) {
      this.#waits.delete(wait)
      wait.reject(reason)
    }
    return failed.length > 0
  }

  /** Resolves when at least this many requests wait. */
  async whenWaiting(requests: number): Promise<void> {
    if (this.#waits.size >= requests) return
    await new Promise<void>((resolve) => this.#whenWaiting.push({ requests, resolve }))
  }

  /** Resolves when every request waits, no delivery is in progress, and this has been so for some ticks. */
  async idle(): Promise<void> {
    for (let ticks = 0; ticks < idleTicks; ticks += 1) {
      await undefined
      if (this.#isIdle()) continue
      await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
      ticks = 0
    }
  }

  #isIdle(): boolean {
    if (this.#requests !== this.#waits.size) return false
    // A handler may wait for its own request, which waits for time: then time must not wait for the handler.
    return this.#deliveries === 0 || [...this.#waits].some(({ mayBeOfHandler }) => mayBeOfHandler)
  }

  #resolveIdle(): void {
    if (!this.#isIdle()) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}
