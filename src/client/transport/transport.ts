import ky, { TimeoutError as KyTimeoutError } from 'ky'
import type { Issue } from '../../contract/schema/check.ts'
import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../contract/schema/endpoint.ts'
import { type Answer, Call, type ResponseInfo } from '../call.ts'
import { Download, LateError } from '../download.ts'
import {
  type Attempt,
  apiError,
  ConnectionError,
  RequestValidationError,
  ResponseValidationError,
  type ServiceError,
} from '../errors.ts'
import { keyHeader } from '../headers.ts'
import { snapshotInput } from '../input-copy.ts'
import { Observer } from '../observer.ts'
import {
  type HookEvent,
  isKey,
  type RequestOptions,
  type Settings,
  snapshotOptions,
  type Validation,
} from '../options.ts'
import { detailLines, requestIdOf } from '../redaction.ts'
import { Attempts } from './attempts.ts'
import { BodyTooLargeError, bodyLimit, cancelBody, parseJson, readText } from './body.ts'
import { abortable, Cancellation, sleep } from './cancellation.ts'
import { fetchFailure } from './fetch-failure.ts'
import type { Gate } from './gate.ts'
import { type Contract, type Loaded, loadContract } from './load-contract.ts'
import type { Input, Prepared } from './prepare-request.ts'
import { type Failure, parseRetryAfter, retryDelay } from './retry.ts'
import { sentOnce } from './single-send.ts'

/** A call's input, typed by its endpoint. */
export type InputOf<E extends Endpoint> = (E extends { params: object }
  ? { params: ParamsOf<E> }
  : {}) &
  (E extends { query: object } ? { query?: QueryOf<E> | undefined } : {}) &
  (E extends { body: object } ? { body: BodyOf<E> } : {})

/** Finds an endpoint in the contract. */
export type EndpointIn<E extends Endpoint> = (contract: Contract) => E

/** An attempt that was answered. */
interface Answered {
  response: Response
  /** The body, read whole; undefined for a download, which is still to be read. */
  text: string | undefined
}

/** Sends calls: checks what goes out, repeats what may be repeated, checks what comes back. The one door to ky. */
export class Transport {
  readonly #settings: Settings
  readonly #observer: Observer

  constructor(settings: Settings) {
    this.#settings = settings
    this.#observer = new Observer(settings.hooks, settings.logger)
  }

  /** A call of an endpoint that answers JSON. */
  send<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<ResultOf<E>> {
    // The answer passed the schema of its endpoint, whose value is the result.
    return new Call(this.exchange(endpoint, input, options) as Promise<Answer<ResultOf<E>>>)
  }

  /** A call of an endpoint that answers anything but JSON. */
  download<E extends Endpoint>(
    endpoint: EndpointIn<E>,
    input: InputOf<E>,
    options?: RequestOptions,
  ): Call<Download> {
    // Endpoints that answer `binary` result in a download.
    return new Call(this.exchange(endpoint, input, options) as Promise<Answer<Download>>)
  }

  /**
   * The answer of an endpoint, with its status. What the caller gave is copied before this returns its promise. Errors
   * show `shownPath` for its path.
   */
  async exchange(
    endpointIn: EndpointIn<Endpoint>,
    given: Input,
    givenOptions?: RequestOptions,
    shownPath?: string,
  ): Promise<Answer<unknown>> {
    const startedAt = performance.now()
    const input = snapshotInput(given)
    const options = snapshotOptions(givenOptions)
    const cancellation = new Cancellation(options.signal)
    try {
      const loading = loadContract()
      const loaded = loading instanceof Promise ? await loading : loading
      cancellation.throwIfAborted()
      const endpoint = endpointIn(loaded.contract)
      const { id: operation, method, path } = endpoint
      const call = { operation, route: `${method} ${shownPath ?? path}` }
      const request = loaded.prepare(call, endpoint, input, this.#settings, options)
      this.#tellDeprecations(call, endpoint, input.body)
      const attempts = new Attempts(call, request.deadline, startedAt)
      const deliver = () => this.#deliver(endpoint, request, attempts, cancellation)
      const { gate } = this.#settings
      const answered = await (gate
        ? this.#inTurn(gate, attempts, cancellation, deliver)
        : deliver())
      const data = this.#resultOf(loaded, endpoint, answered, attempts, request, options)
      return { data, response: infoOf(answered.response, attempts) }
    } finally {
      cancellation.release()
    }
  }

  /** How the responses of a call are checked. */
  validationOf({ validation = this.#settings.validation }: RequestOptions = {}): Validation {
    return validation
  }

  /** Reports what a download turned out to be, when that is not as the specification says. */
  reportInvalid(call: HookEvent, issue: Issue): void {
    this.#observer.drifted(call, 'invalid', issue)
  }

  /** Tells of the deprecated fields that a body uses. */
  #tellDeprecations(call: HookEvent, { deprecatedFields = {} }: Endpoint, body: unknown): void {
    for (const [field, deprecation] of Object.entries(deprecatedFields)) {
      const value = (Object(body) as Record<string, unknown>)[field]
      if (value !== undefined && value !== null) {
        this.#observer.deprecated(call, field, deprecation)
      }
    }
  }

  /** Waits for the call's turn; waiting counts towards the deadline. */
  async #inTurn<T>(
    gate: Gate,
    attempts: Attempts,
    cancellation: Cancellation,
    run: () => Promise<T>,
  ): Promise<T> {
    const waiting = new AbortController()
    const giveUp = () => waiting.abort(cancellation.signal?.reason)
    cancellation.signal?.addEventListener('abort', giveUp, { once: true })
    const timer = setTimeout(() => waiting.abort(attempts.late()), attempts.remaining)
    try {
      cancellation.throwIfAborted()
      await gate.enter(waiting.signal)
    } finally {
      clearTimeout(timer)
      cancellation.signal?.removeEventListener('abort', giveUp)
    }
    try {
      return await run()
    } finally {
      gate.leave()
    }
  }

  /** Attempts until one is answered with success, or none may follow. */
  async #deliver(
    endpoint: Endpoint,
    request: Prepared,
    attempts: Attempts,
    cancellation: Cancellation,
  ): Promise<Answered> {
    if (attempts.remaining <= 0) throw attempts.late()
    for (let attempt = 1, delay = 0; ; attempt += 1) {
      this.#observer.begins(attempts.call, attempt)
      const result = await this.#attempt(endpoint, request, attempts, cancellation, delay)
      if ('text' in result) return result
      const allowance = {
        retries: request.maxRetries - (attempt - 1),
        remaining: attempts.remaining,
      }
      const next = retryDelay(result.failure, endpoint.effect, allowance, attempt, Math.random())
      if (next === undefined) throw result.error
      this.#observer.retries(attempts.call, attempt, next)
      await sleep(next, cancellation.signal)
      delay = next
    }
  }

  /** One attempt: its answer, or its failure and the error to throw when no attempt follows. */
  async #attempt(
    endpoint: Endpoint,
    request: Prepared,
    attempts: Attempts,
    cancellation: Cancellation,
    delay: number,
  ): Promise<Answered | { failure: Failure; error: ServiceError }> {
    const started = performance.now()
    const progress: Progress = { sent: false, isOver: false }
    const end = (code?: string, failure?: Failure) => {
      const { status, requestId } = progress
      const attempt: Attempt = { duration: performance.now() - started, delay }
      if (status !== undefined) attempt.status = status
      if (code !== undefined) attempt.code = code
      attempts.add(attempt, failure)
      if (status !== undefined) attempts.requestId = requestId
      this.#observer.ended(attempts.call, attempts.list.length, attempt, failure, requestId)
    }
    const timeout = Math.max(1, Math.min(request.timeout, attempts.remaining))
    try {
      const answered = await this.#fetchOnce(endpoint, request, timeout, cancellation, progress)
      const { response, text } = answered
      if (response.ok) {
        end()
        return answered
      }
      const failure = answerFailure(response)
      end(undefined, failure)
      return { failure, error: answerError(endpoint, response, text ?? '', failure, attempts) }
    } catch (error) {
      const { code, neverSent } = cancellation.signal?.aborted ? aborted : brokenBy(error)
      const failure = { neverSent: neverSent || !progress.sent }
      end(code, failure)
      cancellation.throwIfAborted()
      if (error instanceof KeyError) throw keyError(error, attempts)
      if (error instanceof BodyTooLargeError) throw tooLarge(progress, attempts)
      if (code !== timeoutCode)
        return { failure, error: new ConnectionError(attempts.facts(error)) }
      return { failure, error: attempts.late(request.timeout <= timeout ? timeout : undefined) }
    }
  }

  /** One exchange through ky. The body is read inside ky's timeout, so that the timeout covers it. */
  async #fetchOnce(
    endpoint: Endpoint,
    request: Prepared,
    timeout: number,
    { signal }: Cancellation,
    progress: Progress,
  ): Promise<Answered> {
    const { body, headers } =
      endpoint.effect === 'unsafe' ? sentOnce(request.body) : { body: request.body, headers: {} }
    const signed = { ...request.headers, ...headers }
    try {
      const response = await ky(request.url, {
        method: request.method,
        timeout,
        retry: 0,
        throwHttpErrors: false,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
        fetch: (input) => {
          // ky always passes a Request.
          const exchanged = this.#exchange(endpoint, input as Request, signed, progress)
          // ky ends the attempt at its timeout by itself, also where the exchange does not listen.
          return signal ? abortable(exchanged, signal) : exchanged
        },
      })
      return { response, text: progress.text }
    } catch (error) {
      progress.isOver = true
      if (progress.response) void cancelBody(progress.response)
      throw error
    }
  }

  /** Sends a request and reads its response, unless that is a download. */
  async #exchange(
    endpoint: Endpoint,
    request: Request,
    headers: Record<string, string>,
    progress: Progress,
  ): Promise<Response> {
    const { apiKey, fetch } = this.#settings
    // Headers that ky is given it copies twice.
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    const key = typeof apiKey === 'string' ? apiKey : await givenKey(apiKey)
    request.headers.set(keyHeader, key)
    request.signal.throwIfAborted()
    progress.sent = true
    const response = await fetch(request)
    if (progress.isOver) {
      await cancelBody(response)
      return response
    }
    progress.response = response
    progress.status = response.status
    progress.requestId = requestIdOf(response.headers)
    const { signal } = request
    if (!response.ok) progress.text = await readText(response, signal).catch(unlessAborted(signal))
    else if (!isBinary(endpoint, response)) progress.text = await readText(response, signal)
    return response
  }

  #resultOf(
    { readAnswer }: Loaded,
    endpoint: Endpoint,
    { response, text }: Answered,
    attempts: Attempts,
    { timeout }: Prepared,
    { signal, validation = this.#settings.validation }: RequestOptions,
  ): unknown {
    if (text !== undefined) {
      return readAnswer(endpoint, response.status, text, validation, attempts, this.#observer)
    }
    return new Download(response, {
      idleTimeout: timeout,
      remaining: () => attempts.remaining,
      signal,
      fail: (cause) =>
        cause instanceof LateError
          ? attempts.late(cause.isIdle ? timeout : undefined, 'unknown')
          : new ConnectionError(attempts.facts(cause, 'unknown')),
    })
  }
}

/** How far an attempt came. */
interface Progress {
  sent: boolean
  /** Whether the attempt has ended; a response that comes later has no reader. */
  isOver: boolean
  response?: Response
  status?: number
  requestId?: string | undefined
  /** The body, read whole; undefined for a download. */
  text?: string
}

async function givenKey(apiKey: () => string | Promise<string>): Promise<string> {
  try {
    const key = await apiKey()
    if (isKey(key)) return key
  } catch (cause) {
    throw new KeyError('', { cause })
  }
  throw new KeyError()
}

/** The function that gives the key threw, or gave none. */
class KeyError extends Error {}

function keyError({ cause }: KeyError, attempts: Attempts): ServiceError {
  const expected = 'a function that gives the API key, in visible ASCII characters'
  return new RequestValidationError([{ path: 'apiKey', expected }], attempts.facts(cause))
}

const timeoutCode = 'TIMEOUT'
const aborted = { code: 'ABORTED', neverSent: false }

function brokenBy(error: unknown): { code: string; neverSent: boolean } {
  if (error instanceof KyTimeoutError) return { code: timeoutCode, neverSent: false }
  if (error instanceof KeyError) return { code: 'NO_KEY', neverSent: true }
  if (error instanceof BodyTooLargeError) return { code: 'BODY_TOO_LARGE', neverSent: false }
  return fetchFailure(error)
}

/** An error answer whose body cannot be read is still an answer, unless the attempt itself was ended. */
function unlessAborted(signal: AbortSignal): (error: unknown) => string {
  return (error) => {
    if (signal.aborted) throw error
    return ''
  }
}

function isBinary(endpoint: Endpoint, { status }: Response): boolean {
  return (endpoint.responses[status] ?? endpoint.responses[200]) === 'binary'
}

function answerFailure({ status, headers }: Response): Failure {
  const retryAfter = parseRetryAfter(headers.get('retry-after'), Date.now())
  return { status, neverSent: false, retryAfter }
}

function answerError(
  endpoint: Endpoint,
  { status, headers }: Response,
  text: string,
  { retryAfter }: Failure,
  attempts: Attempts,
): ServiceError {
  const { value: body } = parseJson(text)
  const details = status === 422 ? detailLines(endpoint, body) : []
  const retryAt = momentAfter(retryAfter)
  return apiError({ status, headers, body, details, retryAt }, attempts.facts())
}

/** A moment so many milliseconds from now; undefined where no calendar has it. */
function momentAfter(milliseconds: number | undefined): Date | undefined {
  const moment = new Date(Date.now() + (milliseconds ?? Number.NaN))
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

function tooLarge({ status = 0 }: Progress, attempts: Attempts): ServiceError {
  const issue = { path: 'answer', expected: `at most ${bodyLimit} bytes` }
  return new ResponseValidationError(
    [issue],
    undefined,
    status,
    attempts.facts(undefined, 'unknown'),
  )
}

function infoOf({ status, headers }: Response, attempts: Attempts): ResponseInfo {
  return { status, headers, requestId: attempts.requestId, attempts: attempts.list }
}
