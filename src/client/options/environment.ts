/** Also returns true in an environment that imitates a browser, such as happy-dom. */
export function isBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis
}

/** Treats an empty variable as unset. */
export function readEnvironment(name: string): string | undefined {
  // Browsers and Workers have no `process`.
  const { process }: { process?: Partial<NodeJS.Process> } = globalThis
  return process?.env?.[name] || undefined
}
