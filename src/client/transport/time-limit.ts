import type { Clock } from '../clock.ts'
import { once } from './cancellation.ts'

/** What ends work early. */
export interface TimeLimit {
  clock: Clock
  /** Milliseconds until the end. */
  milliseconds: number
  /** The caller's signal, which also ends the work. */
  signal: AbortSignal | undefined
  /** Creates the reason of the end. */
  createError: () => Error
}

/**
 * Runs work with a signal that aborts after a time, or with the caller's signal. Rejects with the reason of the signal
 * once it is aborted. Leaves no timer and no listener.
 */
export async function runWithin<T>(
  { clock, milliseconds, signal, createError }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const end = new AbortController()
  const abort = () => end.abort(signal?.reason)
  signal?.addEventListener('abort', abort, once)
  const stopTimer = clock.startTimer(milliseconds, () => end.abort(createError()))
  try {
    return await run(end.signal)
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : error
  } finally {
    stopTimer()
    signal?.removeEventListener('abort', abort)
  }
}
