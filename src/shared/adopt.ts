/** A value, or a promise for it. */
export type Awaitable<T> = T | PromiseLike<T>

/**
 * The maximum number of nested thenables to watch. A promise's `then` always returns another promise, so the nesting
 * never ends.
 */
const maxDepth = 10

/**
 * Awaits a callback's result without causing unhandled rejections. If a thenable's `then` is an async function that
 * throws, `await` ignores the rejected promise that `then` returns. This function rejects instead, unless `then` has
 * already called back.
 */
export function adopt<T>(value: T | PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const then = thenOf(value)
    // Do not watch the standard `then`: watching would create two more promises.
    if (!then || then === Promise.prototype.then) return resolve(value)
    const onFulfilled = (result: T | PromiseLike<T>) => {
      const settled = adopt(result)
      // `then` may call back twice. `resolve` ignores the second result, so its rejection is handled here.
      settled.catch(noop)
      resolve(settled)
    }
    watch(then.call(value, onFulfilled, reject), reject, maxDepth)
  })
}

function watch(returned: unknown, reject: (reason: unknown) => void, depth: number): void {
  const then = depth > 0 && thenOf(returned)
  if (then) watch(then.call(returned, noop, reject), reject, depth - 1)
}

type Then = (onFulfilled: (result: never) => void, onRejected: (reason: unknown) => void) => unknown

function thenOf(value: unknown): Then | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const { then }: { then?: Then } = value
  // Despite the declared type, `then` can be any value.
  return typeof then === 'function' ? then : undefined
}

function noop(): void {}
