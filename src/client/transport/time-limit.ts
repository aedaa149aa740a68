import type { Clock } from '../clock.ts'
import type { RequestOptions } from '../options/request-options.ts'
import { maxTimerDelay } from '../options/rules.ts'
import type { ClientSettings } from '../options/settings.ts'
import { once } from './cancellation.ts'

const defaultDeadline = 90_000

/**
 * Returns the limits for one attempt and for the whole call, in milliseconds.
 *
 * @param wait How long the service itself may wait before it responds, such as for a booking. It is added to the
 * client's `timeout` and to the default `deadline`, but not to limits set for the call or to the client's `deadline`.
 */
export function timeLimitsOf(
  wait: number,
  options: RequestOptions,
  settings: ClientSettings,
): { timeout: number; deadline: number } {
  return {
    timeout: options.timeout ?? Math.min(maxTimerDelay, settings.timeout + wait),
    deadline: options.deadline ?? settings.deadline ?? defaultDeadline + wait,
  }
}

export interface TimeLimit {
  clock: Clock
  milliseconds: number
  signal: AbortSignal | undefined
  createError: () => Error
}

/**
 * Runs work with a signal that aborts when the time limit expires or the caller's signal aborts. If the work then
 * fails, rejects with the signal's reason. Leaves no timer or listener behind.
 */
export async function runWithin<T>(
  { clock, milliseconds, signal, createError }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const end = new AbortController()
  const abort = () => end.abort(signal?.reason)
  let stopTimer: (() => void) | undefined
  try {
    signal?.addEventListener('abort', abort, once)
    stopTimer = clock.startTimer(milliseconds, () => end.abort(createError()))
    return await run(end.signal)
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : error
  } finally {
    stopTimer?.()
    signal?.removeEventListener('abort', abort)
  }
}
