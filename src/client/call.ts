import type { Attempt } from './errors/service-error.ts'

/** Status, headers and attempts of a call. */
export interface ResponseInfo {
  /** The HTTP status. */
  status: number
  /** The response headers. */
  headers: Headers
  /** The service's id of the request, for its support; undefined when it sent none. */
  requestId: string | undefined
  /** Every attempt made, in order. */
  attempts: readonly Attempt[]
}

/** The result of a call together with its response. */
export interface WithResponse<T> {
  /** The result that `await call` gives. */
  data: T
  /** Status, headers and attempts. */
  response: ResponseInfo
}

/**
 * A running call: a promise of its result. The call starts when the method is called, once, however often you await it.
 *
 * @example
 * const providers = await client.link.listProviders()
 * const { data, response } = await client.link.listProviders().withResponse()
 */
export class Call<T> implements Promise<T> {
  readonly #result: Promise<WithResponse<T>>

  /** Creates a call of a result that is on its way; only the client does this. */
  constructor(result: Promise<WithResponse<T>>) {
    this.#result = result
  }

  /** The name that `Object.prototype.toString` shows. */
  get [Symbol.toStringTag](): string {
    return 'Call'
  }

  /**
   * Returns the result together with status, headers, request id and attempts.
   *
   * @throws {ServiceError} when the call fails.
   */
  withResponse(): Promise<WithResponse<T>> {
    return this.#result
  }

  /** Attaches callbacks, as `Promise.prototype.then` does. */
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((result: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    if (onFulfilled) return this.#result.then(({ data }) => onFulfilled(data), onRejected)
    // Without a callback, the result itself is passed on.
    return this.#result.then(({ data }) => data as unknown as Fulfilled, onRejected)
  }

  /** Attaches a callback for a rejection, as `Promise.prototype.catch` does. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected)
  }

  /** Attaches a callback for the end of the call, as `Promise.prototype.finally` does. */
  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
