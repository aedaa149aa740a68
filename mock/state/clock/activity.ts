import { MockError } from '../../errors.ts'
import { PriorityQueue } from '../../shared/priority-queue.ts'
import { mostSteps } from '../../shared/settle.ts'
import { invalidOption } from '../plain.ts'
import { DueHandlers } from './handlers.ts'
import { type Wait, Waits } from './waits.ts'

/** Options for a waiting request. */
export interface WaitOptions {
  /** The latest virtual time at which the wait ends, as a Unix timestamp in milliseconds. Default: infinity. */
  until?: number
  /** Aborting this signal rejects the wait with the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * The subject of the scheduled events that the request is waiting for. Default: only the passage of time ends the
   * wait.
   */
  subject?: string
}

/**
 * Tracks a team's requests, waits, client timers and deliveries. Except in `realtime` mode, virtual time stops during
 * deliveries, and while a request is in progress but not waiting for time to pass.
 */
export class Activity {
  readonly waits = new Waits()
  /** Client timers, such as timeouts, by end time. */
  readonly #timers = new PriorityQueue<() => void>()
  /** The number of requests and client waits in progress. */
  #requests = 0
  #deliveries = 0
  readonly #handlers = new DueHandlers()
  #interruption: AbortController | undefined
  arrivals = 0
  #whenIdle: (() => void)[] = []
  #whenWaiting: { requests: number; resolve: () => void }[] = []

  get isBusy(): boolean {
    return this.#requests > 0
  }

  get isWaiting(): boolean {
    return this.waits.size > 0
  }

  /** The earliest end time of all timers and waits, or infinity. */
  get nextEnd(): number {
    return Math.min(this.nextTimerEnd, this.waits.nextEnd)
  }

  /** The earliest end time of all timers, or infinity. */
  get nextTimerEnd(): number {
    return this.#timers.next
  }

  /** Starts a timer, which does not advance virtual time. Returns a function that stops the timer. */
  startTimer(end: number, onEnd: () => void): () => void {
    const timer = this.#timers.add(end, onEnd)
    return () => void this.#timers.remove(timer)
  }

  endTimers(moment: number): void {
    for (let onEnd = this.#timers.take(moment); onEnd; onEnd = this.#timers.take(moment)) onEnd()
  }

  /** A signal that aborts at the next interruption, with the interruption's reason. */
  get interruption(): AbortSignal {
    this.#interruption ??= new AbortController()
    return this.#interruption.signal
  }

  /** Fails every wait and every sliced task, and stops every timer. */
  interrupt(reason: unknown): void {
    this.#interruption?.abort(reason)
    this.#interruption = undefined
    this.#timers.clear()
    this.waits.failAll(reason)
  }

  trackRequest(): () => void {
    this.arrivals += 1
    this.#requests += 1
    return () => {
      this.#requests -= 1
      this.#resolveIdle()
    }
  }

  trackDelivery(): () => void {
    this.#deliveries += 1
    return () => {
      this.#deliveries -= 1
      this.#resolveIdle()
    }
  }

  /** Runs a webhook handler. Calls `onWait` when the handler first waits for the team's time to pass. */
  runHandler<T>(
    isOfTestMove: boolean,
    handler: () => T | Promise<T>,
    onWait?: () => void,
  ): Promise<T> {
    return this.#handlers.run(isOfTestMove, handler, onWait)
  }

  /** @throws {MockError} `invalid_state` inside one of the team's webhook handlers. */
  checkOutsideOwnHandlers(method: string): void {
    if (this.#handlers.isOwn) throw insideHandler(method)
  }

  /**
   * Runs a method that waits until the webhook handlers have responded.
   *
   * @throws {MockError} `invalid_state` inside one of these handlers, or inside another team's handler that one of them
   * awaits.
   */
  async runOutsideHandlers<T>(method: string, run: () => Promise<T>): Promise<T> {
    if (this.#handlers.isInside()) throw insideHandler(method)
    return this.#handlers.trackWait(run)
  }

  /** Waits for virtual time to pass. Calls `onChange` when the wait starts and when it is aborted. */
  async wait(
    isOver: () => boolean,
    { until = Number.POSITIVE_INFINITY, signal, subject }: WaitOptions,
    onChange: () => void,
  ): Promise<void> {
    let leave = () => {}
    const over = new Promise<void>((resolve, reject) => {
      const remove = this.#add({ isOver, until, subject, resolve, reject })
      leave = () => {
        remove()
        reject(signal?.reason)
        onChange()
      }
      signal?.addEventListener('abort', leave, { once: true })
      onChange()
    })
    // Remove the listener, because callers often reuse one signal for many requests.
    const wait = over.finally(() => signal?.removeEventListener('abort', leave))
    // If a running handler sent the request, the handler can respond only after time has passed.
    if (this.#handlers.size === 0) return this.#handlers.trackWait(() => wait)
    this.#handlers.noteWait()
    await wait
  }

  /** @throws {MockError} `invalid_option` if the count is negative or not an integer. */
  async whenWaiting(requests: number): Promise<void> {
    if (!Number.isInteger(requests) || requests < 0) {
      throw invalidOption('requests', 'an integer of at least 0', requests)
    }
    if (this.waits.size >= requests) return
    await new Promise<void>((resolve) => this.#whenWaiting.push({ requests, resolve }))
  }

  /** Resolves when time can pass: all sent requests have arrived and are waiting, and no delivery prevents it. */
  async idle(): Promise<void> {
    for (let steps = 0; steps < mostSteps; steps += 1) {
      await undefined
      if (this.#isIdle()) continue
      await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
      steps = 0
    }
  }

  #add(wait: Wait): () => void {
    const remove = this.waits.add(wait, this.#handlers.size > 0)
    const reached = this.#whenWaiting.filter(({ requests }) => this.waits.size >= requests)
    this.#whenWaiting = this.#whenWaiting.filter((waiting) => !reached.includes(waiting))
    for (const { resolve } of reached) resolve()
    this.#resolveIdle()
    return remove
  }

  #isIdle(): boolean {
    if (this.#requests !== this.waits.size) return false
    // A handler may be waiting for the response to its own request, which waits for time to pass. In that case, let
    // time pass while the handler runs.
    return this.#deliveries === 0 || this.waits.mayBeOfHandler
  }

  #resolveIdle(): void {
    if (!this.#isIdle()) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

function insideHandler(method: string): MockError {
  return new MockError(
    'invalid_state',
    `${method}() cannot run inside a webhook handler, because the delivery is still in progress. Return the response first, and call ${method}() in the test.`,
  )
}
