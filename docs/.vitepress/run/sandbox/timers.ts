/** Like `setTimeout` from `node:timers/promises`. */
export function setTimeout<T>(milliseconds = 0, value?: T): Promise<T | undefined> {
  return new Promise((resolve) => globalThis.setTimeout(() => resolve(value), milliseconds))
}
