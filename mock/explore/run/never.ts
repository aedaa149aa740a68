/** Returns a promise that never settles, like a call of a process that has ended. */
export function never(): Promise<never> {
  return new Promise(() => {})
}
