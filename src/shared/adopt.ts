/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>

/** How many results of `then` are followed. `then` of a promise always returns another promise. */
const maxDepth = 10

/**
 * Awaits what a callback returned, without an unhandled rejection. `await` ignores what `then` returns, which is a
 * rejecting promise when `then` is an async function that throws; here that rejects unless `then` called back before.
 */
export function adopt<T>(value: T | PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const then = thenOf(value)
    if (!then) return resolve(value)
    const onFulfilled = (result: T | PromiseLike<T>) => {
      const settled = adopt(result)
      // `then` may call back a second time, which `resolve` ignores.
      settled.catch(noop)
      resolve(settled)
    }
    watch(then(onFulfilled, reject), reject, maxDepth)
  })
}

/** Calls `reject` when what `then` returned rejects. */
function watch(returned: unknown, reject: (reason: unknown) => void, depth: number): void {
  const then = depth > 0 && thenOf(returned)
  if (then) watch(then(noop, reject), reject, depth - 1)
}

type Then = (onFulfilled: (result: never) => void, onRejected: (reason: unknown) => void) => unknown

function thenOf(value: unknown): Then | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const { then }: { then?: unknown } = value
  return typeof then === 'function' ? (...callbacks) => then.apply(value, callbacks) : undefined
}

function noop(): void {}
