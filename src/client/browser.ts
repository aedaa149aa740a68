/** Returns whether the program runs in a browser, or in an environment that imitates one, such as happy-dom. */
export function isBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis
}
