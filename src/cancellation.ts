/** Follows a caller's signal for one call, and leaves no listener on it. */
export class Cancellation {
  readonly #caller: AbortSignal | undefined
  readonly #controller = new AbortController()
  readonly #abort = () => this.#controller.abort(this.#caller?.reason)

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted) this.#abort()
    else caller?.addEventListener('abort', this.#abort, { once: true })
  }

  /** The call's own signal; undefined when the caller gave none, for a signal costs time. */
  get signal(): AbortSignal | undefined {
    return this.#caller && this.#controller.signal
  }

  throwIfAborted(): void {
    this.#controller.signal.throwIfAborted()
  }

  release(): void {
    this.#caller?.removeEventListener('abort', this.#abort)
  }
}

/** Waits; rejects with `signal`'s reason. Timer and listener end with it. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** The work's result; rejects with `signal`'s reason as soon as it aborts, also where the work does not listen to it. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
