import type { Attempt, ErrorFacts, Outcome } from './errors.ts'
import type { HookEvent } from './options.ts'
import { combined, type Failure, outcomeOf } from './retry.ts'

/** Keeps the attempts of one call, and what they tell together. */
export class Attempts {
  readonly call: HookEvent
  readonly list: Attempt[] = []
  requestId: string | undefined
  readonly #outcomes: Outcome[] = []
  readonly #startedAt = performance.now()
  readonly #deadline: number

  constructor(call: HookEvent, deadline: number) {
    this.call = call
    this.#deadline = deadline
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
}
