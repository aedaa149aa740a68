import type { Clock } from '../client/clock.ts'
import { isSignal } from '../client/transport/cancellation.ts'
import { abortError, type DurableError } from './durable-error.ts'
import type { StartedWrite } from './write.ts'

/**
 * The interval between checks of a write that another run holds, in milliseconds. Doubles after each check, up to
 * `longest`.
 */
const polling = { first: 250, longest: 5_000 }

/** Waits before the next check of a write, until `heldUntil` at the latest. */
type Wait = (heldUntil: number, busyError: () => DurableError) => Promise<void>

/**
 * Returns a function that waits between checks. It rejects with an `AbortError` if the caller aborts, and with the
 * given error if `whenBusy` is `throw` or the call's deadline has passed.
 */
export function startWaiting(
  { operation, options, left }: Pick<StartedWrite<never>, 'operation' | 'options' | 'left'>,
  clock: Clock,
): Wait {
  // The client rejects an invalid signal before it sends anything.
  const signal = isSignal(options.signal) ? options.signal : undefined
  let interval = polling.first
  const timeLeft = (busyError: () => DurableError) => {
    try {
      return left() ?? Number.POSITIVE_INFINITY
    } catch {
      throw busyError()
    }
  }
  return async (heldUntil, busyError) => {
    if (options.whenBusy === 'throw') throw busyError()
    const untilFree = Math.max(1, Math.ceil(heldUntil - clock.now()))
    const wait = Math.min(interval, untilFree, timeLeft(busyError))
    interval = Math.min(interval * 2, polling.longest)
    await clock.sleep(wait, signal).catch((error: unknown) => {
      throw signal?.aborted ? abortError(operation, signal.reason) : error
    })
  }
}
