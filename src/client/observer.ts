import type { FoundDrift } from '../contract/schema-tools/drift.ts'
import type { Deprecation } from '../contract/schema-tools/endpoint.ts'
import { ownFields } from '../shared/own-fields.ts'
import { UnreadResponseError } from './call.ts'
import { type Attempt, type Outcome, ServiceError } from './errors/service-error.ts'
import type {
  DeprecationEvent,
  DriftEvent,
  HookEvent,
  Hooks,
  ResponseEvent,
  RetryEvent,
} from './hooks.ts'
import type { Log } from './logger.ts'
import { observe } from './observe.ts'
import type { ClientSettings } from './options/settings.ts'
import { removePositions } from './redaction.ts'

const maxReported = 1000

interface EndedAttempt {
  number: number
  attempt: Attempt
  outcome: Outcome | 'succeeded'
  requestId: string | undefined
}

interface EndedCall {
  event: HookEvent
  attempts: readonly Attempt[]
  startedAt: number
  settings: Pick<ClientSettings, 'clock'>
}

export class Observer {
  readonly #hooks: Hooks
  readonly #log: Log
  readonly #reported: Set<string>

  /** @param reported The keys of all differences and deprecations reported so far; the observer adds new ones. */
  constructor(hooks: Hooks, log: Log, reported: Set<string>) {
    this.#hooks = hooks
    this.#log = log
    this.#reported = reported
  }

  /** Whether a drift hook exists. Without one, callers can skip the search for drift. */
  get watchesDrift(): boolean {
    return isPresent(() => this.#hooks.drift)
  }

  reportRequest(call: HookEvent, attempt: number): void {
    if (isPresent(() => this.#hooks.request)) {
      observe(() => this.#hooks.request?.({ ...call, attempt }))
    }
  }

  reportResponse(call: HookEvent, { number, attempt, outcome, requestId }: EndedAttempt): void {
    const isObserved = isPresent(() => this.#hooks.response) || this.#log.writes('debug')
    if (!isObserved) return
    const end = describable(attempt)
    const event = { ...call, attempt: number, ...end, outcome, requestId }
    observe(() => this.#hooks.response?.(event))
    this.#log.write('debug', attemptMessage(event), event)
  }

  reportRetry(call: HookEvent, attempts: readonly Attempt[], delay: number): void {
    const attempt = attempts.length
    const event = { ...call, attempt, delay }
    observe(() => this.#hooks.retry?.(event))
    const end = attempts.at(-1)
    if (end) this.#log.write('warn', retryMessage(event, end), { ...describable(end), ...event })
  }

  /**
   * Logs a failed call as an error, or as `info` if the service rejected the request. Ignores aborted calls and calls
   * without attempts.
   */
  #logFailure({ event, attempts }: EndedCall, { code, outcome, requestId }: ServiceError): void {
    const last = attempts.at(-1)
    if (!last || code === 'aborted') return
    const end = ownFields(last)
    // A response with a success status can still be unusable.
    if (Number(end.status) < 300) end.code ??= code
    const isRejected = end.code === undefined && Number(end.status) < 500
    const fields = { ...event, attempt: attempts.length, ...describable(end), outcome, requestId }
    const message = failureMessage(event, attempts.length, end)
    this.#log.write(isRejected ? 'info' : 'error', message, fields)
  }

  /** Calls the `end` hook, unless a mock's own error ended the call. */
  reportEnd(call: EndedCall, error?: unknown): void {
    const failure = error instanceof ServiceError ? error : undefined
    if (failure) this.#logFailure(call, failure)
    const isReported = failure || error === undefined || error instanceof UnreadResponseError
    if (!isReported || !isPresent(() => this.#hooks.end)) return
    const { event, attempts, startedAt, settings } = call
    observe(() =>
      this.#hooks.end?.({
        ...event,
        attempts: attempts.length,
        outcome: failure?.outcome ?? 'succeeded',
        ...(failure && { code: failure.code }),
        duration: Math.round(Math.max(0, settings.clock.monotonic() - startedAt)),
      }),
    )
  }

  /** Reports a difference only once per operation, kind and path. */
  reportDrift(
    call: HookEvent,
    kind: DriftEvent['kind'],
    issue: Pick<FoundDrift, 'path' | 'expected'>,
  ): void {
    const event = { ...call, kind, path: removePositions(issue), expected: issue.expected }
    if (!this.#isNew(`${call.operation} ${kind} ${event.path}`)) return
    observe(() => this.#hooks.drift?.(event))
    this.#log.write('warn', driftMessage(event), event)
  }

  reportDeprecation(call: HookEvent, field: string, deprecation: Deprecation): void {
    if (!this.#isNew(`${call.operation} ${field}`)) return
    const event = { ...call, field, ...deprecation }
    observe(() => this.#hooks.deprecation?.(event))
    this.#log.write('warn', deprecationMessage(event), event)
  }

  /**
   * Returns whether a key is new, and remembers it. Returns false once `maxReported` keys are stored, so a misbehaving
   * service cannot exhaust memory.
   */
  #isNew(key: string): boolean {
    if (this.#reported.has(key) || this.#reported.size >= maxReported) return false
    this.#reported.add(key)
    return true
  }
}

/** Omits an attempt's delay, because the preceding retry already reported it. */
function describable({ delay: _, ...end }: Attempt): Omit<Attempt, 'delay'> {
  return end
}

/** Returns whether a property exists. A property whose getter throws is treated as absent. */
function isPresent(read: () => unknown): boolean {
  try {
    return read() !== undefined
  } catch {
    return false
  }
}

/** Returns a message such as `orders.create: attempt 1 ended with status 200 after 132 ms (request req_1_7)`. */
function attemptMessage({ operation, attempt, requestId, ...end }: ResponseEvent): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`
  return `${operation}: attempt ${attempt} ${describeEnd(end)}${request}`
}

/** Returns a message such as `orders.create: attempt 1 ended with status 503 after 12 ms, retrying in 500 ms`. */
function retryMessage({ operation, attempt, delay }: RetryEvent, end: Attempt): string {
  return `${operation}: attempt ${attempt} ${describeEnd(end)}, retrying in ${Math.round(delay)} ms`
}

/** Returns a message such as `orders.create failed: attempt 3 ended with status 500 after 12 ms`. */
function failureMessage({ operation }: HookEvent, attempt: number, end: Attempt): string {
  return `${operation} failed: attempt ${attempt} ${describeEnd(end)}`
}

function describeEnd(end: Pick<Attempt, 'status' | 'code' | 'duration'>) {
  const { status, code, duration } = ownFields(end)
  const results = [status === undefined ? [] : `status ${status}`, code ?? []].flat()
  return `ended with ${results.join(' and ')} after ${Math.round(duration)} ms`
}

function driftMessage({ operation, kind, path, expected }: DriftEvent): string {
  return `${operation}: the response does not match the specification (${kind}) at ${path}: expected ${expected}`
}

function deprecationMessage({ operation, field, replacement }: DeprecationEvent): string {
  return `${operation}: ${field} is deprecated; use ${replacement}`
}
