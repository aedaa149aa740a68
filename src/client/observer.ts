import type { Drift } from '../contract/schema/drift.ts'
import type { Deprecation } from '../contract/schema/endpoint.ts'
import type { Attempt } from './errors/service-error.ts'
import type { DriftEvent, HookEvent, Hooks, Logger } from './hooks.ts'
import { observe } from './observe.ts'
import { removePositions } from './redaction.ts'
import { type Failure, outcomeOf } from './transport/retry.ts'

const maxReported = 1000

/** An attempt that ended. */
interface EndedAttempt {
  /** The number of the attempt, from 1. */
  number: number
  attempt: Attempt
  failure: Failure | undefined
  requestId: string | undefined
}

/** Notifies the hooks and the logger. What they throw, return or reject with is ignored. */
export class Observer {
  readonly #hooks: Hooks
  readonly #logger: Logger
  readonly #reported = new Set<string>()

  constructor(hooks: Hooks, logger: Logger) {
    this.#hooks = hooks
    this.#logger = logger
  }

  /** Whether there is a drift hook, so that looking for drift is worth its time. */
  get watchesDrift(): boolean {
    return isPresent(() => this.#hooks.drift)
  }

  /** Reports the start of an attempt. */
  reportRequest(call: HookEvent, attempt: number): void {
    if (isPresent(() => this.#hooks.request)) {
      observe(() => this.#hooks.request?.({ ...call, attempt }))
    }
  }

  /** Reports the end of an attempt. */
  reportResponse(call: HookEvent, { number, attempt, failure, requestId }: EndedAttempt): void {
    const isObserved = isPresent(() => this.#hooks.response) || isPresent(() => this.#logger.debug)
    if (!isObserved) return
    const { delay: _, ...end } = attempt
    const outcome = failure ? outcomeOf(failure) : 'succeeded'
    const event = { ...call, attempt: number, ...end, outcome, requestId }
    observe(() => this.#hooks.response?.(event))
    observe(() => this.#logger.debug?.('attempt ended', event))
  }

  /** Reports that a call is retried after `delay` milliseconds. */
  reportRetry(call: HookEvent, attempt: number, delay: number): void {
    const event = { ...call, attempt, delay }
    observe(() => this.#hooks.retry?.(event))
    observe(() => this.#logger.warn?.('attempt failed, retrying', event))
  }

  /** Reports a difference between a response and the specification, once for each place. */
  reportDrift(
    call: HookEvent,
    kind: DriftEvent['kind'],
    issue: Pick<Drift, 'path' | 'expected'>,
  ): void {
    const event = { ...call, kind, path: removePositions(issue), expected: issue.expected }
    if (!this.#isNew(`${call.operation} ${kind} ${event.path}`)) return
    observe(() => this.#hooks.drift?.(event))
    observe(() => this.#logger.warn?.('response differs from the specification', event))
  }

  /** Reports the first use of a deprecated field. */
  reportDeprecation(call: HookEvent, field: string, deprecation: Deprecation): void {
    if (!this.#isNew(`${call.operation} ${field}`)) return
    const event = { ...call, field, ...deprecation }
    observe(() => this.#hooks.deprecation?.(event))
    observe(() => this.#logger.warn?.('deprecated field used', event))
  }

  /** Remembers a bounded number of keys, so that an unusual service cannot fill the memory. */
  #isNew(key: string): boolean {
    if (this.#reported.has(key) || this.#reported.size >= maxReported) return false
    this.#reported.add(key)
    return true
  }
}

/** Returns whether a callback exists. A getter that throws counts as absent. */
function isPresent(read: () => unknown): boolean {
  try {
    return read() !== undefined
  } catch {
    return false
  }
}
