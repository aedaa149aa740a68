/** Calls an observer and ignores what it throws, returns or rejects with. */
export function observe(notify: () => unknown): void {
  try {
    ignoreRejection(notify(), 3)
  } catch {
    // A failing observer must not change the result of a call that succeeded.
  }
}

/**
 * Handles the rejection of a promise of any realm, or of another object with `then`. What `then` returns may also reject
 * when it is an async function; `depth` ends the chain, because `then` of a promise always returns another promise.
 */
function ignoreRejection(returned: unknown, depth: number): void {
  if (depth === 0 || (typeof returned !== 'object' && typeof returned !== 'function')) return
  const { then }: { then?: unknown } = Object(returned)
  if (typeof then === 'function') ignoreRejection(then.call(returned, noop, noop), depth - 1)
}

function noop(): void {}
