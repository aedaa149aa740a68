import type { Attempt } from './errors/service-error.ts'

/** A call's status, headers and attempts. */
export interface ResponseInfo {
  /** The HTTP status, from 200 to 299. */
  status: number
  /** The response headers. */
  headers: Headers
  /** The service's request id, for support requests, or undefined if the response has none. */
  requestId: string | undefined
  /** Every attempt, in order. */
  attempts: readonly Attempt[]
}

/** The result of a call together with its response. */
export interface WithResponse<T> {
  /** The result that `await call` returns. */
  data: T
  /** Status, headers and attempts. */
  response: ResponseInfo
}

/** How a call delivers its response. */
export interface CallDelivery {
  /** Whether the caller receives the response with its body unread. */
  isUnread: boolean
}

/** Thrown when a call has no result because `asResponse` returned the response instead. */
export class UnreadResponseError extends TypeError {
  readonly #response: Response

  constructor(response: Response) {
    super('asResponse() returned the response. Call the method again.')
    this.#response = response
  }

  /** The response. This is a getter, so the response is not printed with the error. */
  get response(): Response {
    return this.#response
  }
}

/**
 * A running call, which is also a promise for its result. The call starts when you call the method and runs only once,
 * no matter how often you await it.
 *
 * @example
 * const providers = await client.link.listProviders()
 * const { data, response } = await client.link.listProviders().withResponse()
 */
export class Call<T> implements Promise<T> {
  readonly #result: Promise<WithResponse<T>>
  /**
   * How the response is delivered.
   *
   * @internal
   */
  readonly delivery: CallDelivery

  /** Creates a call for a pending result. Used only by the client. */
  constructor(result: Promise<WithResponse<T>>, delivery: CallDelivery = { isUnread: false }) {
    this.#result = result
    this.delivery = delivery
  }

  /**
   * Returns a call with a different result for the same response.
   *
   * @internal
   */
  map<Other>(
    transform: (result: WithResponse<T>) => WithResponse<Other> | Promise<WithResponse<Other>>,
  ): Call<Other> {
    return new Call(this.#result.then(transform), this.delivery)
  }

  /** The name that `Object.prototype.toString` uses. */
  get [Symbol.toStringTag](): string {
    return 'Call'
  }

  /**
   * Returns the result, plus the status, headers, request id and attempts.
   *
   * @throws {ServiceError} when the call fails.
   */
  withResponse(): Promise<WithResponse<T>> {
    return this.#result
  }

  /**
   * Returns the `Response` with its body unread and unchecked, instead of the result. Retries and errors work as
   * usual. Call `asResponse` immediately, before the response arrives. `timeout`, `deadline` and `signal` do not
   * apply to reading the body. The connection stays open until you read or cancel the body.
   *
   * @throws {ServiceError} when the call fails or returns an error status.
   * @throws {TypeError} when the response has already been read.
   * @example
   * const response = await client.link.listProviders().asResponse()
   * console.log(response.status, await response.text())
   */
  async asResponse(): Promise<Response> {
    this.delivery.isUnread = true
    try {
      await this.#result
    } catch (error) {
      if (error instanceof UnreadResponseError) return error.response
      throw error
    }
    throw new TypeError(
      'The response was already read. Call asResponse() before you await the call.',
    )
  }

  /** Attaches callbacks, as `Promise.prototype.then` does. */
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((result: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    if (onFulfilled) return this.#result.then(({ data }) => onFulfilled(data), onRejected)
    // Without a callback, `Fulfilled` is `T`.
    return this.#result.then(({ data }) => data as unknown as Fulfilled, onRejected)
  }

  /** Attaches a callback for a rejection, as `Promise.prototype.catch` does. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected)
  }

  /** Attaches a callback that runs when the call settles, as `Promise.prototype.finally` does. */
  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
