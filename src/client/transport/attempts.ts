import type { Attempt, ErrorFacts, Outcome } from '../errors.ts'
import { TimeoutError } from '../errors.ts'
import type { HookEvent } from '../options.ts'
import { combined, type Failure, outcomeOf } from './retry.ts'

/** Keeps the attempts of one call, what they tell together, and how much time is left. */
export class Attempts {
  readonly call: HookEvent
  readonly list: Attempt[] = []
  requestId: string | undefined
  readonly #outcomes: Outcome[] = []
  readonly #startedAt: number
  readonly #deadline: number

  /** `startedAt` is a time of `performance.now()`, `deadline` is in milliseconds. */
  constructor(call: HookEvent, deadline: number, startedAt: number) {
    this.call = call
    this.#deadline = deadline
    this.#startedAt = startedAt
  }

  /** Milliseconds until the call's deadline. */
  get remaining(): number {
    return this.#deadline - (performance.now() - this.#startedAt)
  }

  get outcome(): Outcome {
    return combined(this.#outcomes)
  }

  add(attempt: Attempt, failure?: Failure): void {
    this.list.push(attempt)
    if (failure) this.#outcomes.push(outcomeOf(failure))
  }

  /** The facts of an error of this call. */
  facts(cause?: unknown, outcome: Outcome = this.outcome): ErrorFacts {
    const { list: attempts, requestId } = this
    return { ...this.call, outcome, attempts, requestId, cause }
  }

  /** The error of a call that met its timeout; without one it is the deadline that ended it. */
  late(timeout?: number, outcome?: Outcome): TimeoutError {
    const limit =
      timeout === undefined ? `deadline (${this.#deadline} ms)` : `timeout (${timeout} ms)`
    return new TimeoutError(limit, this.facts(undefined, outcome))
  }
}
