import ky, {
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky'
import { headers as wireHeaders } from '../../../contract/wire.ts'
import { adopt } from '../../../shared/adopt.ts'
import { isMockError, receiveMockError } from '../../../shared/mock-errors.ts'
import { ownFields, shield, withoutAddedFields } from '../../../shared/own-fields.ts'
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

/** A response that arrived, of any status. */
export interface ReceivedResponse {
  response: Response
  /** The whole body; undefined while it is unread, for a download or `asResponse`. */
  text: string | undefined
}

/** Thrown when an attempt does not end within its timeout. */
export class AttemptTimeoutError extends Error {}

/** Options that ky reads after it has returned. */
const readLater = ['body', 'onDownloadProgress', 'onUploadProgress', 'parseJson']

/** A single attempt to make a call: sends the request through ky and reads the response. */
export class RunningAttempt {
  readonly #call: RunningCall
  /** Milliseconds until this attempt ends: the timeout, or less near the deadline. */
  readonly timeout: number
  /** Whether the request was handed to fetch. */
  isSent = false
  /** The response status, once it arrived. */
  status: number | undefined
  /** The service's id of the request, once the response arrived. */
  requestId: string | undefined
  /** The error of a mock that ended the attempt. */
  #mockError: unknown
  #body: BodyReader | undefined
  #text: string | undefined
  #isOver = false

  constructor(call: RunningCall) {
    this.#call = call
    this.timeout = Math.max(1, Math.min(call.request.timeout, call.remaining))
  }

  /** Sends the request once. The body is read within the timeout. */
  async run(): Promise<ReceivedResponse> {
    try {
      const response = await this.#sendInTime()
      return { response, text: this.#text }
    } catch (error) {
      this.#isOver = true
      void this.#body?.cancel()
      throw this.#mockError ?? withoutKy(error)
    } finally {
      // The signal of the request refers to this attempt until the next full garbage collection.
      this.#body = undefined
      this.#text = undefined
    }
  }

  /** In real time, ky applies the timeout, which costs less than another signal. */
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
        // ky ends the attempt at its timeout by itself, even if the exchange ignores its signal.
        return signal ? abortable(exchange, signal) : exchange
      },
    })
    // ky copies all options for each option it is given, so it is given only those that have an effect.
    if (method !== 'GET') options.method = method
    if (signal) options.signal = signal
    if (body !== undefined) options.body = body
    shield(options, readLater)
    return withoutAddedFields(() => ky(url, options))
  }

  /** Keeps errors of a mock, because ky replaces some errors. */
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

  /** Sends a request and reads its response, unless it is a download or the user takes the response itself. */
  async #exchange(request: Request, given: readonly HeaderPair[]): Promise<Response> {
    const { apiKey } = this.#call.settings
    const { headers, signal } = request
    // ky would copy headers that it is given twice.
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

/** Returns whether a response has a success status; `ok` of a custom fetch may say something else. */
export function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300
}

/** The body of a `fetch` without streams, such as that of React Native, is not empty. */
function noStream(): TypeError {
  return new TypeError('fetch returned a response without a body stream')
}

/** Replaces an error of ky: its timeout by ours, its network error by what fetch threw. */
function withoutKy(error: unknown): unknown {
  if (error instanceof KyTimeoutError) return new AttemptTimeoutError()
  return error instanceof KyNetworkError ? error.cause : error
}

/** Reads the body of an error response. If it cannot be read, the status is still valid, unless the attempt was ended. */
async function readErrorText(body: BodyReader, signal: AbortSignal): Promise<string> {
  try {
    return await body.readText(responseLimits.errorBytes)
  } catch (error) {
    if (signal.aborted) throw error
    return ''
  }
}
