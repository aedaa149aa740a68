import type { Clock } from '../clock.ts'
import { once } from './cancellation.ts'

export interface TimeLimit {
  clock: Clock
  milliseconds: number
  signal: AbortSignal | undefined
  createError: () => Error
}

/**
 * Runs work with a signal that aborts when the time limit passes or the caller's signal aborts. If the work then fails,
 * rejects with the signal's reason. Leaves no timer or listener behind.
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
