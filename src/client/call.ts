import type { Attempt } from './errors.ts'

/** What is known of the answer to a call. */
export interface ResponseInfo {
  status: number
  headers: Headers
  /** The service's id of the request, for its support. */
  requestId: string | undefined
  /** Every attempt made, the first one first. */
  attempts: readonly Attempt[]
}

/** An answer with what is known of it. */
export interface Answer<T> {
  data: T
  response: ResponseInfo
}

/**
 * A running call: a promise of its result. The call starts when the method is called, once, however often it is
 * awaited.
 *
 * @example
 * const providers = await client.link.listProviders()
 * const { data, response } = await client.link.listProviders().withResponse()
 */
export class Call<T> implements Promise<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer
  }

  get [Symbol.toStringTag](): string {
    return 'Call'
  }

  /** The result together with status, headers, request id and the attempts made. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer
  }

  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((result: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    if (onFulfilled) return this.#answer.then(({ data }) => onFulfilled(data), onRejected)
    // Without a handler the result is handed on as it is.
    return this.#answer.then(({ data }) => data as unknown as Fulfilled, onRejected)
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
