import { once } from './cancellation.ts'
import type { RunningCall } from './running-call.ts'
import { runWithin } from './time-limit.ts'

/** Limits the number of concurrent calls. Further calls are queued, first in, first out. */
export class ConcurrencyLimit {
  readonly #limit: number
  readonly #queue = new Set<() => void>()
  /** The queue's iterator, kept between calls because a new one would have to skip all deleted entries again. */
  #order = this.#queue.values()
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a slot, or waits for one. If `signal` aborts first, rejects with its reason and takes no slot. */
  async acquire(signal?: AbortSignal): Promise<void> {
    if (this.#running < this.#limit) {
      this.#running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#queue.delete(proceed)
        reject(signal?.reason)
      }
      const proceed = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      this.#queue.add(proceed)
      signal?.addEventListener('abort', abort, once)
    })
  }

  release(): void {
    const { value: next } = this.#order.next()
    if (next) {
      this.#queue.delete(next)
      next()
      return
    }
    // An exhausted iterator does not return entries that are added later.
    this.#order = this.#queue.values()
    this.#running -= 1
  }
}

/** Runs a call when a slot is free. The wait counts towards the deadline. */
export async function runQueued<T>(
  limit: ConcurrencyLimit,
  call: RunningCall,
  run: () => Promise<T>,
): Promise<T> {
  await waitForSlot(limit, call)
  try {
    return await run()
  } finally {
    limit.release()
  }
}

async function waitForSlot(limit: ConcurrencyLimit, call: RunningCall): Promise<void> {
  await runWithin(
    {
      clock: call.settings.clock,
      // Node warns about negative timeouts.
      milliseconds: Math.max(1, call.remaining),
      signal: call.cancellation.signal,
      createError: () => call.timeoutError(),
    },
    (signal) => limit.acquire(signal),
  )
}
