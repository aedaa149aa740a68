/** Returns whether the code runs in a browser, or in an environment that imitates one, such as happy-dom. */
export function isBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis
}

/** Returns an environment variable, or undefined if it is unset or empty. */
export function readEnvironment(name: string): string | undefined {
  // Browsers and Workers have no `process`.
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  return process?.env?.[name] || undefined
}
