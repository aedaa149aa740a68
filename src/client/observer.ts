import type { Drift } from '../contract/schema/drift.ts'
import type { Deprecation } from '../contract/schema/endpoint.ts'
import type { Attempt } from './errors.ts'
import type { DriftEvent, HookEvent, Hooks, Logger } from './options.ts'
import { withoutPositions } from './redaction.ts'
import { type Failure, outcomeOf } from './transport/retry.ts'

const rememberedEvents = 1000

/** Notifies the hooks and the logger. Whatever they throw, return or reject with is ignored. */
export class Observer {
  readonly #hooks: Hooks
  readonly #logger: Logger
  readonly #told = new Set<string>()

  constructor(hooks: Hooks, logger: Logger) {
    this.#hooks = hooks
    this.#logger = logger
  }

  get watchesDrift(): boolean {
    return isPresent(() => this.#hooks.drift)
  }

  begins(call: HookEvent, attempt: number): void {
    if (isPresent(() => this.#hooks.request)) {
      observe(() => this.#hooks.request?.({ ...call, attempt }))
    }
  }

  ended(
    call: HookEvent,
    attempt: number,
    ended: Attempt,
    failure?: Failure,
    requestId?: string,
  ): void {
    const isObserved = isPresent(() => this.#hooks.response) || isPresent(() => this.#logger.debug)
    if (!isObserved) return
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

/** Whether a callback is there. A getter that throws has none. */
function isPresent(read: () => unknown): boolean {
  try {
    return read() !== undefined
  } catch {
    return false
  }
}

/** Calls an observer, and ignores what it throws, returns or rejects with. */
export function observe(notify: () => unknown): void {
  try {
    ignore(notify(), 3)
  } catch {
    // An observer's failure is its own; a booking that succeeded stays a success.
  }
}

/**
 * Handles the rejection of a promise of any realm, or of anything else with `then`. What `then` returns may reject, too,
 * where it is an async function; `depth` ends the chain, because the `then` of a promise always returns another one.
 */
function ignore(returned: unknown, depth: number): void {
  if (depth === 0 || (typeof returned !== 'object' && typeof returned !== 'function')) return
  const then = (returned as { then?: unknown } | null)?.then
  if (typeof then === 'function') ignore(then.call(returned, noop, noop), depth - 1)
}

function noop(): void {}
