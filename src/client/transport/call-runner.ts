import type { Issue } from '../../contract/schema-tools/check.ts'
import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import { isMockError } from '../../shared/mock-errors.ts'
import type { CallSite } from '../../shared/stack.ts'
import { type CallDelivery, UnreadResponseError, type WithResponse } from '../call.ts'
import { createDownload } from '../download/create-download.ts'
import { AbortError } from '../errors/abort-error.ts'
import { ConnectionError } from '../errors/connection-errors.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { HookEvent } from '../hooks.ts'
import { Observer } from '../observer.ts'
import type { CreateOrderOptions } from '../options/create-order-options.ts'
import type { ClientSettings } from '../options/settings.ts'
import { sendWithRetries } from '../retries/send-with-retries.ts'
import type { ReceivedResponse } from './attempt/running-attempt.ts'
import type { Cancellation } from './cancellation.ts'
import { ConcurrencyLimit, runQueued } from './concurrency-limit.ts'
import { type CallInput, prepareRequest } from './prepare-request.ts'
import { readResult } from './read-response.ts'
import { RunningCall } from './running-call.ts'
import type { SharedState } from './shared-state.ts'

export interface GivenCall {
  input: CallInput
  /** The options for this call. Only `orders.create` accepts `idempotencyKey`. */
  options: CreateOrderOptions
  cancellation: Cancellation
  /** The `clock.monotonic()` time at which the method was called, or NaN if the clock failed. */
  startedAt: number
  callSite: CallSite
  /** The path that errors and hooks show. Default: the endpoint's path. */
  shownPath: string | undefined
  delivery: CallDelivery
}

export class CallRunner {
  readonly #settings: ClientSettings
  readonly #observer: Observer
  readonly #limit: ConcurrencyLimit | undefined

  constructor(settings: ClientSettings, { slots, reported }: SharedState) {
    this.#settings = settings
    this.#observer = new Observer(settings.hooks, settings.log, reported)
    const { maxConcurrency } = settings
    if (maxConcurrency !== undefined) slots.limit ??= new ConcurrencyLimit(maxConcurrency)
    this.#limit = slots.limit
  }

  async run(endpoint: Endpoint, given: GivenCall): Promise<WithResponse<unknown>> {
    const { input, options, callSite, shownPath } = given
    const settings = this.#settings
    const event = eventOf(endpoint, shownPath)
    const call = new RunningCall({
      ...given,
      endpoint,
      effect: effectOf(endpoint, options),
      event,
      request: prepareRequest(event, { endpoint, input, settings, options, callSite }),
      validation: options.validation ?? settings.validation,
      settings,
      observer: this.#observer,
    })
    this.#reportDeprecations(call, input.body)
    try {
      const result = resultOf(await this.#send(call), call, options.signal)
      this.#observer.reportEnd(call)
      return result
    } catch (error) {
      this.#observer.reportEnd(call, error)
      throw error
    }
  }

  /** Sends a call. Converts every failure to a `ServiceError` with an outcome, except a mock's own errors. */
  async #send(call: RunningCall): Promise<ReceivedResponse> {
    try {
      call.cancellation.throwIfAborted()
      if (Number.isNaN(call.startedAt))
        throw new ConnectionError(call.errorFacts(noTime(), 'not-sent'))
      const send = () => sendWithRetries(call)
      return await (this.#limit ? runQueued(this.#limit, call, send) : send())
    } catch (error) {
      const { signal } = call.cancellation
      if (signal?.aborted && Object.is(error, signal.reason)) {
        throw new AbortError(call.errorFacts(error))
      }
      if (error instanceof ServiceError || isMockError(error)) throw error
      // Other code failed, such as a custom clock, possibly after the request took effect.
      throw new ConnectionError(call.errorFacts(error, 'unknown'))
    }
  }

  reportInvalid(call: HookEvent, issue: Issue): void {
    this.#observer.reportDrift(call, 'invalid', issue)
  }

  #reportDeprecations({ event, endpoint }: RunningCall, body: unknown): void {
    if (!endpoint.deprecatedFields) return
    for (const [field, deprecation] of Object.entries(endpoint.deprecatedFields)) {
      const value: unknown = Object(body)[field]
      if (value !== undefined && value !== null) {
        this.#observer.reportDeprecation(event, field, deprecation)
      }
    }
  }
}

function resultOf(
  received: ReceivedResponse,
  call: RunningCall,
  signal: AbortSignal | undefined,
): WithResponse<unknown> {
  const { response, text } = received
  if (call.delivery.isUnread && text === undefined) throw new UnreadResponseError(response)
  const data =
    text === undefined ? createDownload(response, call, signal) : readResult(received, call)
  const { status, headers } = response
  const { requestId, attempts } = call
  return { data, response: { status, headers, requestId, attempts } }
}

function effectOf({ effect, acceptsIdempotencyKey }: Endpoint, options: CreateOrderOptions) {
  return acceptsIdempotencyKey && options.idempotencyKey !== undefined ? 'keyed' : effect
}

function noTime(): TypeError {
  return new TypeError("The client's clock failed.")
}

function eventOf({ id, method, path }: Endpoint, shownPath = path): HookEvent {
  return { operation: id, route: `${method} ${shownPath}` }
}
