import { ownFields, readField } from '../../shared/own-fields.ts'
import { observe } from '../observe.ts'

/** The options of a listener that is called once. */
export const once: AddEventListenerOptions = ownFields({ once: true })

/** Returns whether a value is an `AbortSignal`, of this realm or another one. */
export function isSignal(value: unknown): value is AbortSignal {
  const isListenable = typeof readField(value, 'addEventListener') === 'function'
  return isListenable && typeof readField(value, 'aborted') === 'boolean'
}

/** Follows a caller's signal for one call, and removes its listener afterwards. */
export class Cancellation {
  /** The call's own signal; undefined when the caller passed none, because a signal costs time. */
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
      // A signal that cannot be followed must not be ignored.
      controller.abort(error)
    }
    this.signal = controller.signal
    this.#release = () => observe(() => caller.removeEventListener('abort', abort))
  }

  /** Removes the listener: callers often reuse one signal for many calls. */
  release(): void {
    this.#release?.()
  }

  /** @throws the reason of the caller's signal when it is aborted. */
  throwIfAborted(): void {
    this.signal?.throwIfAborted()
  }
}

/** Waits for a number of milliseconds; rejects with the reason of `signal`. Leaves no timer and no listener. */
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

/** Returns the result of `work`; rejects with the reason of `signal` as soon as it aborts, even if `work` ignores it. */
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
