import type { Issue } from '../../contract/schema/check.ts'
import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../contract/schema/endpoint.ts'
import { Call, type WithResponse } from '../call.ts'
import { copyInput } from '../copy-input.ts'
import type { Download } from '../download.ts'
import type { Attempt, ServiceError } from '../errors/service-error.ts'
import type { HookEvent } from '../hooks.ts'
import { Observer } from '../observer.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions, Validation } from '../options/request-options.ts'
import type { Settings } from '../options/settings.ts'
import {
  classifyError,
  permanentError,
  responseError,
  responseFailure,
  transportError,
} from './attempt-errors.ts'
import { Cancellation, sleep } from './cancellation.ts'
import { createDownload } from './create-download.ts'
import { type Contract, loadContract } from './load-contract.ts'
import type { CallInput } from './prepare-request.ts'
import { runQueued } from './queue.ts'
import { type Failure, retryDelay } from './retry.ts'
import { type ReceivedResponse, RunningAttempt } from './running-attempt.ts'
import { RunningCall } from './running-call.ts'

/** The input of a call, typed by its endpoint. */
export type InputOf<E extends Endpoint> = (E extends { params: object }
  ? { params: ParamsOf<E> }
  : {}) &
  (E extends { query: object } ? { query?: QueryOf<E> | undefined } : {}) &
  (E extends { body: object } ? { body: BodyOf<E> } : {})

/** Selects an endpoint from the contract. */
export type EndpointIn<E extends Endpoint> = (contract: Contract) => E

/** An attempt that failed, and the error to throw if the call is not retried. */
interface FailedAttempt {
  failure: Failure
  error: ServiceError
}

/** Sends calls: checks requests, retries failed attempts, checks responses. */
export class Transport {
  readonly #settings: Settings
  readonly #observer: Observer

  constructor(settings: Settings) {
    this.#settings = settings
    this.#observer = new Observer(settings.hooks, settings.logger)
  }

  /** Calls an endpoint that returns JSON. */
  send<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<ResultOf<E>> {
    // The response passed the schema of its endpoint, whose value is the result.
    return new Call(this.exchange(endpoint, input, options) as Promise<WithResponse<ResultOf<E>>>)
  }

  /** Calls an endpoint that returns something other than JSON. */
  download<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<Download> {
    // Endpoints with `binary` responses return a download.
    return new Call(this.exchange(endpoint, input, options) as Promise<WithResponse<Download>>)
  }

  /**
   * Calls an endpoint and returns its result with the response. Input and options are copied before this returns its
   * promise. Errors show `shownPath` instead of the endpoint's path.
   */
  async exchange(
    endpointIn: EndpointIn<Endpoint>,
    givenInput: CallInput,
    givenOptions?: RequestOptions,
    shownPath?: string,
  ): Promise<WithResponse<unknown>> {
    const startedAt = performance.now()
    const input = copyInput(givenInput)
    const options = copyOptions(givenOptions)
    const cancellation = new Cancellation(options.signal)
    try {
      const loading = loadContract()
      const { contract, prepareRequest, readResult } =
        loading instanceof Promise ? await loading : loading
      cancellation.throwIfAborted()
      const endpoint = endpointIn(contract)
      const event = eventOf(endpoint, shownPath)
      const request = prepareRequest(event, { endpoint, input, settings: this.#settings, options })
      const validation = this.validationOf(options)
      const call = new RunningCall({
        endpoint,
        event,
        request,
        cancellation,
        validation,
        startedAt,
      })
      this.#reportDeprecations(call, input.body)
      const received = await this.#deliver(call)
      const { status, headers } = received.response
      const data =
        received.text === undefined
          ? createDownload(received.response, call, options.signal)
          : readResult(received, call, this.#observer)
      const { requestId, attempts } = call
      return { data, response: { status, headers, requestId, attempts } }
    } finally {
      cancellation.release()
    }
  }

  /** Returns how the responses of a call are checked. */
  validationOf({ validation = this.#settings.validation }: RequestOptions = {}): Validation {
    return validation
  }

  /** Reports a download that turns out to be invalid while it is read. */
  reportInvalid(call: HookEvent, issue: Issue): void {
    this.#observer.reportDrift(call, 'invalid', issue)
  }

  #reportDeprecations({ event, endpoint }: RunningCall, body: unknown): void {
    for (const [field, deprecation] of Object.entries(endpoint.deprecatedFields ?? {})) {
      const value = (Object(body) as Record<string, unknown>)[field]
      if (value !== undefined && value !== null) {
        this.#observer.reportDeprecation(event, field, deprecation)
      }
    }
  }

  async #deliver(call: RunningCall): Promise<ReceivedResponse> {
    const { concurrencyLimit } = this.#settings
    const run = () => this.#retry(call)
    return concurrencyLimit ? runQueued(concurrencyLimit, call, run) : run()
  }

  /** Makes attempts until one succeeds or no retry is allowed. */
  async #retry(call: RunningCall): Promise<ReceivedResponse> {
    const { event, endpoint, request, cancellation } = call
    if (call.remaining <= 0) throw call.timeoutError()
    for (let attempt = 1, delay = 0; ; attempt += 1) {
      this.#observer.reportRequest(event, attempt)
      const result = await this.#attempt(call, delay)
      if ('response' in result) return result
      const allowance = { retries: request.maxRetries - (attempt - 1), remaining: call.remaining }
      const next = retryDelay(result.failure, endpoint.effect, allowance, attempt, Math.random())
      if (next === undefined) throw result.error
      this.#observer.reportRetry(event, attempt, next)
      await sleep(next, cancellation.signal)
      delay = next
    }
  }

  /** Makes one attempt. Throws when the call is aborted or a retry cannot help. */
  async #attempt(call: RunningCall, delay: number): Promise<ReceivedResponse | FailedAttempt> {
    const startedAt = performance.now()
    const attempt = new RunningAttempt(call, this.#settings)
    const finish = (failure?: Failure & { code?: string }) => {
      const { status, requestId } = attempt
      const ended: Attempt = { duration: performance.now() - startedAt, delay }
      if (status !== undefined) ended.status = status
      if (failure?.code !== undefined) ended.code = failure.code
      call.addAttempt(ended, failure)
      if (status !== undefined) call.requestId = requestId
      const number = call.attempts.length
      this.#observer.reportResponse(call.event, { number, attempt: ended, failure, requestId })
    }
    try {
      const received = await attempt.run()
      const failure = received.response.ok ? undefined : responseFailure(received.response)
      finish(failure)
      return failure ? { failure, error: responseError(received, failure, call) } : received
    } catch (error) {
      const isAborted = call.cancellation.signal?.aborted ?? false
      const failure = classifyError(error, attempt, isAborted)
      finish(failure)
      call.cancellation.throwIfAborted()
      const permanent = permanentError(error, attempt, call)
      if (permanent) throw permanent
      return { failure, error: transportError(error, attempt, call) }
    }
  }
}

function eventOf({ id, method, path }: Endpoint, shownPath = path): HookEvent {
  return { operation: id, route: `${method} ${shownPath}` }
}
