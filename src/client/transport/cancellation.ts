import { ownFields, readField } from '../../shared/own-fields.ts'
import { observe } from '../observe.ts'

export const once: AddEventListenerOptions = ownFields({ once: true })

/** Returns whether a value is an `AbortSignal`, possibly from another realm. */
export function isSignal(value: unknown): value is AbortSignal {
  const isListenable = typeof readField(value, 'addEventListener') === 'function'
  return isListenable && typeof readField(value, 'aborted') === 'boolean'
}

export class Cancellation {
  /** The signal for this call, or undefined if the caller passed none, because creating a signal is slow. */
  readonly signal: AbortSignal | undefined
  readonly #release: (() => void) | undefined

  constructor(caller: AbortSignal | undefined) {
    if (!isSignal(caller)) return
    const controller = new AbortController()
    const abort = () => controller.abort(caller.reason)
    try {
      if (caller.aborted) abort()
      else caller.addEventListener('abort', abort, once)
    } catch (error) {
      // If the signal cannot be observed, the call fails: ignoring the signal would be worse.
      controller.abort(error)
    }
    this.signal = controller.signal
    this.#release = () => observe(() => caller.removeEventListener('abort', abort))
  }

  /** Removes the listener, because callers often reuse one signal for many calls. */
  release(): void {
    this.#release?.()
  }

  throwIfAborted(): void {
    this.signal?.throwIfAborted()
  }
}

/** Waits in real time, and leaves no timer or listener behind. */
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
    signal?.addEventListener('abort', abort, once)
  })
}

/**
 * Returns the result of `work`, but rejects with `signal.reason` when `signal` aborts, even if `work` ignores the
 * signal.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, once)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
