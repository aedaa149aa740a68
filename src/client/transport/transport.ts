import type { Issue } from '../../contract/schema-tools/check.ts'
import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../contract/schema-tools/endpoint.ts'
import type { CallSite } from '../../shared/stack.ts'
import { Call, type CallDelivery, type WithResponse } from '../call.ts'
import type { Clock } from '../clock.ts'
import { copyInput } from '../copy-input.ts'
import type { Download } from '../download/download.ts'
import { callSiteOf } from '../errors/call-site.ts'
import type { HookEvent } from '../hooks.ts'
import type { Log } from '../logger.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions, Validation } from '../options/request-options.ts'
import type { ClientSettings } from '../options/settings.ts'
import type { CallRunner } from './call-runner.ts'
import { Cancellation } from './cancellation.ts'
import { type Contract, loadModules } from './load-modules.ts'
import type { CallInput } from './prepare-request.ts'
import { createSharedState, type SharedState } from './shared-state.ts'

export type InputOf<E extends Endpoint> = (E extends { params: object }
  ? { params: ParamsOf<E> }
  : {}) &
  (E extends { query: object } ? { query?: QueryOf<E> | undefined } : {}) &
  (E extends { body: object } ? { body: BodyOf<E> } : {})

export type EndpointIn<E extends Endpoint> = (contract: Contract) => E

interface StartedCall {
  endpoint: EndpointIn<Endpoint>
  input: CallInput
  options: RequestOptions | undefined
  shownPath: string | undefined
  callSite: CallSite
}

export class Transport {
  readonly #settings: ClientSettings
  #runner: CallRunner | undefined
  /** The state shared with copies of the client. Set it before the first call. */
  shared: SharedState = createSharedState()

  constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  send<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<ResultOf<E>> {
    // With strict validation, the response has passed the endpoint's schema.
    return this.#start({
      endpoint,
      input,
      options,
      shownPath: undefined,
      callSite: callSiteOf(options) ?? new Error(),
    }) as Call<ResultOf<E>>
  }

  download<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<Download> {
    // Endpoints with `binary` responses return a download.
    return this.#start({
      endpoint,
      input,
      options,
      shownPath: undefined,
      callSite: callSiteOf(options) ?? new Error(),
    }) as Call<Download>
  }

  /** Starts a call. Errors and hooks show `shownPath` instead of the endpoint's path. */
  exchange(
    endpoint: EndpointIn<Endpoint>,
    input: CallInput,
    options?: RequestOptions,
    shownPath?: string,
  ): Call<unknown> {
    return this.#start({
      endpoint,
      input,
      options,
      shownPath,
      callSite: callSiteOf(options) ?? new Error(),
    })
  }

  #start(call: StartedCall): Call<unknown> {
    const delivery: CallDelivery = { isUnread: false }
    return new Call(this.#run(call, delivery), delivery)
  }

  /** Copies the input and options synchronously, so later changes have no effect. */
  async #run(call: StartedCall, delivery: CallDelivery): Promise<WithResponse<unknown>> {
    const { endpoint, shownPath, callSite } = call
    const startedAt = this.#readStart()
    const input = copyInput(call.input)
    const options = copyOptions(call.options)
    const cancellation = new Cancellation(options.signal)
    try {
      const loading = loadModules()
      const { contract, CallRunner } = loading instanceof Promise ? await loading : loading
      this.#runner ??= new CallRunner(this.#settings, this.shared)
      const given = { input, options, cancellation, startedAt, callSite, shownPath, delivery }
      return await this.#runner.run(endpoint(contract), given)
    } finally {
      cancellation.release()
    }
  }

  /** Returns the start time, or NaN if the clock fails. The call then rejects with the outcome `not-sent`. */
  #readStart(): number {
    try {
      return this.#settings.clock.monotonic()
    } catch {
      return Number.NaN
    }
  }

  async readApiKey(): Promise<string> {
    const { apiKey } = this.#settings
    if (typeof apiKey === 'string') return apiKey
    const { callKeyFunction } = await import('./attempt/api-key.ts')
    return callKeyFunction(apiKey)
  }

  get clock(): Clock {
    return this.#settings.clock
  }

  get log(): Log {
    return this.#settings.log
  }

  validationOf({ validation = this.#settings.validation }: RequestOptions = {}): Validation {
    return validation
  }

  reportInvalid(call: HookEvent, issue: Issue): void {
    this.#runner?.reportInvalid(call, issue)
  }
}
