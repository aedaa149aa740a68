export type UserIds = Iterable<string> | AsyncIterable<string>

export interface NextUser {
  /** The user id, or undefined if the source is exhausted. */
  userId: string | undefined
}

/** Reads user ids. Stores the source's error for `throwIfFailed`, so running requests can finish first. */
export class UserSource {
  readonly #iterator: Iterator<string> | AsyncIterator<string>
  #next: Promise<NextUser> | undefined
  #isReading = false
  #failure: { error: unknown } | undefined
  isExhausted = false

  constructor(userIds: UserIds) {
    this.#iterator =
      Symbol.asyncIterator in userIds ? userIds[Symbol.asyncIterator]() : userIds[Symbol.iterator]()
  }

  /** Returns the next user. Repeated calls return the same promise until {@link take} is called. */
  peek(): Promise<NextUser> {
    this.#next ??= this.#read()
    return this.#next
  }

  take(): void {
    this.#next = undefined
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** Closes the source. Does not wait if a read is pending, because an async generator returns only after the read. */
  async close(): Promise<void> {
    if (this.isExhausted) return
    const closed = Promise.resolve(this.#iterator.return?.())
    if (this.#isReading) closed.catch(() => {})
    else await closed
  }

  async #read(): Promise<NextUser> {
    this.#isReading = true
    try {
      const { done, value } = await this.#iterator.next()
      this.isExhausted = done === true
      return { userId: done ? undefined : value }
    } catch (error) {
      this.isExhausted = true
      this.#failure = { error }
      return { userId: undefined }
    } finally {
      this.#isReading = false
    }
  }
}
