import ky, {
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky'
import { headers as wireHeaders } from '../../../contract/wire.ts'
import { adopt } from '../../../shared/adopt.ts'
import { isMockError, receiveMockError } from '../../../shared/mock-errors.ts'
import { ownFields, withoutAddedFields } from '../../../shared/own-fields.ts'
import { responseLimits } from '../../../shared/response-limits.ts'
import { callSiteKey } from '../../../shared/stack.ts'
import type { HeaderPair } from '../../headers.ts'
import { requestIdOf } from '../../redaction.ts'
import { BodyReader } from '../body.ts'
import { abortable } from '../cancellation.ts'
import type { RunningCall } from '../running-call.ts'
import { runWithin } from '../time-limit.ts'
import { callKeyFunction } from './api-key.ts'
import { createSingleUseBody, isSentOnce } from './single-use-body.ts'

export interface ReceivedResponse {
  response: Response
  /** The response body, or undefined for a download or `asResponse`, which leave it unread. */
  text: string | undefined
}

export class AttemptTimeoutError extends Error {}

/** Options that ky reads after its call has returned, when fields added to `Object.prototype` are visible again. */
const readLater = ['body', 'onDownloadProgress', 'onUploadProgress', 'parseJson']

export class RunningAttempt {
  readonly #call: RunningCall
  /** The time limit for this attempt in milliseconds: the timeout, or less near the deadline. */
  readonly timeout: number
  /** Whether the request was passed to fetch. */
  isSent = false
  status: number | undefined
  requestId: string | undefined
  #mockError: unknown
  #body: BodyReader | undefined
  #text: string | undefined
  #isOver = false

  constructor(call: RunningCall) {
    this.#call = call
    this.timeout = Math.max(1, Math.min(call.request.timeout, call.remaining))
  }

  /** Sends the request and reads the body within the timeout. */
  async run(): Promise<ReceivedResponse> {
    try {
      const response = await this.#sendInTime()
      return { response, text: this.#text }
    } catch (error) {
      this.#isOver = true
      void this.#body?.cancel()
      throw this.#mockError ?? withoutKy(error)
    } finally {
      // The request's signal keeps this attempt alive until the next full garbage collection, so release the body now.
      this.#body = undefined
      this.#text = undefined
    }
  }

  /** Sends the request and applies the timeout. In real time, ky applies it, because another signal would cost more. */
  #sendInTime(): Promise<Response> {
    const { clock } = this.#call.settings
    const { signal } = this.#call.cancellation
    if (!clock.isVirtual) return this.#send(this.timeout, signal)
    const createError = () => new AttemptTimeoutError()
    return runWithin({ clock, milliseconds: this.timeout, signal, createError }, (end) =>
      this.#send(false, end),
    )
  }

  #send(timeout: number | false, signal: AbortSignal | undefined): Promise<Response> {
    const { request } = this.#call
    const { url, method } = request
    const { body, headers } = isSentOnce(this.#call) ? createSingleUseBody(request) : request
    const options: KyOptions = ownFields({
      timeout,
      retry: 0,
      throwHttpErrors: false,
      redirect: 'manual',
      fetch: (input) => {
        // ky always passes a Request.
        const exchange = this.#exchange(input as Request, headers)
        // ky enforces its timeout even if the exchange ignores the signal, but it does not enforce aborts.
        return signal ? abortable(exchange, signal) : exchange
      },
    })
    // ky copies all options once for each option that is passed, so pass only options that have an effect.
    if (method !== 'GET') options.method = method
    if (signal) options.signal = signal
    if (body !== undefined) options.body = body
    return withoutAddedFields((added) => {
      for (const name of added) {
        if (readLater.includes(name) && !(name in options)) Reflect.set(options, name, undefined)
      }
      return ky(url, options)
    })
  }

  /** Calls fetch, and remembers a mock's own error because ky may replace it. */
  async #fetch(request: Request): Promise<Response> {
    const { callSite, settings } = this.#call
    if (settings.clock.isVirtual) Reflect.set(request, callSiteKey, callSite)
    try {
      const response = await adopt(settings.fetch(request))
      const error = receiveMockError(response.headers)
      if (error) throw error
      // A custom fetch may return anything.
      if (!Number.isInteger(response.status)) throw new TypeError('fetch did not return a Response')
      return response
    } catch (error) {
      if (isMockError(error)) this.#mockError = error
      throw error
    }
  }

  async #exchange(request: Request, given: readonly HeaderPair[]): Promise<Response> {
    const { apiKey } = this.#call.settings
    const { headers, signal } = request
    // Set the headers here, because ky would copy them twice if they were passed as an option.
    for (const [name, value] of given) headers.set(name, value)
    headers.set(
      wireHeaders.apiKey,
      typeof apiKey === 'string' ? apiKey : await callKeyFunction(apiKey),
    )
    signal.throwIfAborted()
    this.isSent = true
    const response = await this.#fetch(request)
    const body = new BodyReader(response)
    if (this.#isOver) {
      await body.cancel()
      return response
    }
    this.#body = body
    this.status = response.status
    this.requestId = requestIdOf(response.headers)
    if (!isSuccess(response)) this.#text = await readErrorText(body, signal)
    else if (response.body === undefined && !this.#call.delivery.isUnread) throw noStream()
    else if (!this.#staysUnread(response)) this.#text = await body.readText(responseLimits.bytes)
    return response
  }

  #staysUnread({ status }: Response): boolean {
    const { delivery, endpoint } = this.#call
    return delivery.isUnread || (endpoint.responses[status] ?? endpoint.responses[200]) === 'binary'
  }
}

/** Returns whether the status is 2xx. Ignores `ok`, because a custom fetch may set it differently. */
export function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300
}

/** Returns the error for `fetch` implementations without streams, such as React Native's, which never set `body`. */
function noStream(): TypeError {
  return new TypeError('fetch returned a response without a body stream')
}

function withoutKy(error: unknown): unknown {
  if (error instanceof KyTimeoutError) return new AttemptTimeoutError()
  return error instanceof KyNetworkError ? error.cause : error
}

/**
 * Reads an error response's body. An unreadable body is treated as empty, unless the attempt timed out or was aborted.
 */
async function readErrorText(body: BodyReader, signal: AbortSignal): Promise<string> {
  try {
    return await body.readText(responseLimits.errorBytes)
  } catch (error) {
    if (signal.aborted) throw error
    return ''
  }
}
