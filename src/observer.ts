import type { Drift } from './contract/drift.ts'
import type { Deprecation } from './contract/endpoint.ts'
import type { Attempt } from './errors.ts'
import type { DriftEvent, HookEvent, Hooks, Logger } from './options.ts'
import { withoutPositions } from './redact.ts'
import { type Failure, outcomeOf } from './retry.ts'

const rememberedEvents = 1000

/** Tells hooks and logger what happens. Whatever they throw is ignored. */
export class Observer {
  readonly #hooks: Hooks
  readonly #logger: Logger
  readonly #told = new Set<string>()

  constructor(hooks: Hooks, logger: Logger) {
    this.#hooks = hooks
    this.#logger = logger
  }

  get watchesDrift(): boolean {
    return this.#hooks.drift !== undefined
  }

  begins(call: HookEvent, attempt: number): void {
    if (this.#hooks.request) observe(() => this.#hooks.request?.({ ...call, attempt }))
  }

  ended(
    call: HookEvent,
    attempt: number,
    ended: Attempt,
    failure?: Failure,
    requestId?: string,
  ): void {
    if (!this.#hooks.response && !this.#logger.debug) return
    const { delay: _, ...end } = ended
    const outcome = failure ? outcomeOf(failure) : 'succeeded'
    const event = { ...call, attempt, ...end, outcome, requestId }
    observe(() => this.#hooks.response?.(event))
    observe(() => this.#logger.debug?.('attempt ended', event))
  }

  retries(call: HookEvent, attempt: number, delay: number): void {
    const event = { ...call, attempt, delay }
    observe(() => this.#hooks.retry?.(event))
    observe(() => this.#logger.warn?.('attempt failed, another follows', event))
  }

  drifted(
    call: HookEvent,
    kind: DriftEvent['kind'],
    issue: Pick<Drift, 'path' | 'expected'>,
  ): void {
    const event = { ...call, kind, path: withoutPositions(issue), expected: issue.expected }
    if (!this.#isNew(`${call.operation} ${kind} ${event.path}`)) return
    observe(() => this.#hooks.drift?.(event))
    observe(() => this.#logger.warn?.('answer departs from the specification', event))
  }

  deprecated(call: HookEvent, field: string, deprecation: Deprecation): void {
    if (!this.#isNew(`${call.operation} ${field}`)) return
    const event = { ...call, field, ...deprecation }
    observe(() => this.#hooks.deprecation?.(event))
    observe(() => this.#logger.warn?.('deprecated field used', event))
  }

  /** Remembers a bounded number of keys, so that an odd service cannot fill the memory. */
  #isNew(key: string): boolean {
    if (this.#told.has(key) || this.#told.size >= rememberedEvents) return false
    this.#told.add(key)
    return true
  }
}

/** Tells an observer, and ignores what it throws. */
export function observe(tell: () => unknown): void {
  try {
    const told = tell()
    if (told instanceof Promise) told.catch(() => {})
  } catch {
    // An observer's failure is its own; a booking that succeeded stays a success.
  }
}
