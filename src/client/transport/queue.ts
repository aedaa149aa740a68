import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { RunningCall } from './running-call.ts'

/** Runs a call's work when the concurrency limit allows it. Waiting counts towards the deadline. */
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
  const { signal } = call.cancellation
  const waiting = new AbortController()
  const abort = () => waiting.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => waiting.abort(call.timeoutError()), call.remaining)
  try {
    signal?.throwIfAborted()
    await limit.acquire(waiting.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
