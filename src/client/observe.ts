/** Calls an observer and ignores its result, its errors and its rejections. */
export function observe(notify: () => unknown): void {
  try {
    ignoreRejection(notify(), 3)
  } catch {
    // A failing observer must not change the call's result.
  }
}

/**
 * Handles the rejection of a promise from any realm, or of any other thenable. If `then` is an async function, its own
 * promise may also reject. `depth` ends the recursion, because a promise's `then` always returns another promise.
 */
function ignoreRejection(returned: unknown, depth: number): void {
  if (depth === 0 || (typeof returned !== 'object' && typeof returned !== 'function')) return
  const { then }: { then?: unknown } = Object(returned)
  if (typeof then === 'function') ignoreRejection(then.call(returned, noop, noop), depth - 1)
}

function noop(): void {}
