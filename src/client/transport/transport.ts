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
import { callSiteOf, captureCallSite } from '../errors/call-site.ts'
import type { HookEvent } from '../hooks.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions, Validation } from '../options/request-options.ts'
import type { Settings } from '../options/settings.ts'
import type { CallRunner } from './call-runner.ts'
import { Cancellation } from './cancellation.ts'
import { type Contract, loadModules } from './load-modules.ts'
import type { CallInput } from './prepare-request.ts'

/** The input of a call, typed by its endpoint. */
export type InputOf<E extends Endpoint> = (E extends { params: object }
  ? { params: ParamsOf<E> }
  : {}) &
  (E extends { query: object } ? { query?: QueryOf<E> | undefined } : {}) &
  (E extends { body: object } ? { body: BodyOf<E> } : {})

/** Selects an endpoint from the contract. */
export type EndpointIn<E extends Endpoint> = (contract: Contract) => E

/** Starts calls: copies their arguments and loads the code that runs them. */
export class Transport {
  readonly #settings: Settings
  #runner: CallRunner | undefined

  constructor(settings: Settings) {
    this.#settings = settings
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
    const callSite = callSiteOf(options) ?? captureCallSite()
    const cancellation = new Cancellation(options.signal)
    try {
      const loading = loadModules()
      const { contract, CallRunner } = loading instanceof Promise ? await loading : loading
      cancellation.throwIfAborted()
      this.#runner ??= new CallRunner(this.#settings)
      const given = { input, options, cancellation, startedAt, callSite, shownPath }
      return await this.#runner.run(endpointIn(contract), given)
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
    this.#runner?.reportInvalid(call, issue)
  }
}
