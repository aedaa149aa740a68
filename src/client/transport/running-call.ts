import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import type { CallSite } from '../../shared/stack.ts'
import type { CallDelivery } from '../call.ts'
import { TimeoutError } from '../errors/connection-errors.ts'
import type { Attempt, CallEffect, ErrorFacts, Outcome } from '../errors/service-error.ts'
import type { HookEvent } from '../hooks.ts'
import type { Observer } from '../observer.ts'
import type { Validation } from '../options/request-options.ts'
import type { ClientSettings } from '../options/settings.ts'
import { combineOutcomes, type Failure, outcomeOf } from '../retries/retry.ts'
import type { Cancellation } from './cancellation.ts'
import type { PreparedRequest } from './prepare-request.ts'

interface CallParts {
  endpoint: Endpoint
  effect: CallEffect
  event: HookEvent
  request: PreparedRequest
  cancellation: Cancellation
  delivery: CallDelivery
  validation: Validation
  /** The `clock.monotonic()` time at which the method was called. */
  startedAt: number
  callSite: CallSite
  settings: ClientSettings
  observer: Observer
}

export class RunningCall implements CallParts {
  readonly endpoint: Endpoint
  readonly effect: CallEffect
  readonly event: HookEvent
  readonly request: PreparedRequest
  readonly cancellation: Cancellation
  readonly delivery: CallDelivery
  readonly validation: Validation
  readonly startedAt: number
  readonly callSite: CallSite
  readonly settings: ClientSettings
  readonly observer: Observer
  readonly attempts: Attempt[] = []
  requestId: string | undefined
  readonly #outcomes: Outcome[] = []

  constructor(parts: CallParts) {
    this.endpoint = parts.endpoint
    this.effect = parts.effect
    this.event = parts.event
    this.request = parts.request
    this.cancellation = parts.cancellation
    this.delivery = parts.delivery
    this.validation = parts.validation
    this.startedAt = parts.startedAt
    this.callSite = parts.callSite
    this.settings = parts.settings
    this.observer = parts.observer
  }

  /** The milliseconds until the deadline. Negative after the deadline. */
  get remaining(): number {
    return this.request.deadline - (this.settings.clock.monotonic() - this.startedAt)
  }

  addAttempt(attempt: Attempt, failure?: Failure): Outcome | 'succeeded' {
    this.attempts.push(attempt)
    if (!failure) return 'succeeded'
    const outcome = outcomeOf(failure, this.effect)
    this.#outcomes.push(outcome)
    return outcome
  }

  errorFacts(cause?: unknown, outcome: Outcome = combineOutcomes(this.#outcomes)): ErrorFacts {
    const { attempts, requestId, callSite, effect } = this
    return { ...this.event, outcome, attempts, effect, requestId, cause, callSite }
  }

  /** Creates the error for a timeout in milliseconds, or for the deadline if no timeout is given. */
  timeoutError(timeout?: number, outcome?: Outcome): TimeoutError {
    const limit =
      timeout === undefined ? `deadline (${this.request.deadline} ms)` : `timeout (${timeout} ms)`
    return new TimeoutError(limit, this.errorFacts(undefined, outcome))
  }
}
