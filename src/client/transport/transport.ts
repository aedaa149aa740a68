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
import { createDownload } from '../create-download.ts'
import type { Download } from '../download.ts'
import type { HookEvent } from '../hooks.ts'
import { Observer } from '../observer.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions, Validation } from '../options/request-options.ts'
import type { Settings } from '../options/settings.ts'
import { Cancellation } from './cancellation.ts'
import { ConcurrencyLimit, runQueued } from './concurrency-limit.ts'
import { type Contract, loadContract } from './load-contract.ts'
import type { CallInput } from './prepare-request.ts'
import { RunningCall } from './running-call.ts'
import { sendWithRetries } from './send-with-retries.ts'

/** The input of a call, typed by its endpoint. */
export type InputOf<E extends Endpoint> = (E extends { params: object }
  ? { params: ParamsOf<E> }
  : {}) &
  (E extends { query: object } ? { query?: QueryOf<E> | undefined } : {}) &
  (E extends { body: object } ? { body: BodyOf<E> } : {})

/** Selects an endpoint from the contract. */
export type EndpointIn<E extends Endpoint> = (contract: Contract) => E

/** Sends calls: checks requests, retries failed attempts, checks responses. */
export class Transport {
  readonly #settings: Settings
  readonly #observer: Observer
  readonly #limit: ConcurrencyLimit | undefined

  constructor(settings: Settings) {
    this.#settings = settings
    this.#observer = new Observer(settings.hooks, settings.logger)
    const { maxConcurrency } = settings
    this.#limit = maxConcurrency === undefined ? undefined : new ConcurrencyLimit(maxConcurrency)
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
    const settings = this.#settings
    const observer = this.#observer
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
      const request = prepareRequest(event, { endpoint, input, settings, options })
      const validation = this.validationOf(options)
      const parts = { endpoint, event, request, cancellation, validation, startedAt }
      const call = new RunningCall({ ...parts, settings, observer })
      this.#reportDeprecations(call, input.body)
      const received = await runQueued(this.#limit, call, () => sendWithRetries(call))
      const { status, headers } = received.response
      const data =
        received.text === undefined
          ? createDownload(received.response, call, options.signal)
          : readResult(received, call)
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
}

function eventOf({ id, method, path }: Endpoint, shownPath = path): HookEvent {
  return { operation: id, route: `${method} ${shownPath}` }
}
