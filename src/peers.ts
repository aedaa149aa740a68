/** The optional packages, each with the flag that npm installs it with. */
const peers = new Map([
  ['@faker-js/faker', '--save-dev '],
  ['@opentelemetry/api', ''],
  ['hyparquet-writer', '--save-dev '],
  ['msw', '--save-dev '],
  ['vitest', '--save-dev '],
])

/**
 * What to do about an import that failed because an optional package is not installed; undefined for any other error.
 *
 * @param user What needs the package, such as `health-lab-sdk/otel`.
 */
export function missingPeer(error: unknown, user: string): string | undefined {
  // Every runtime quotes what it did not find first, then the file that asked for it.
  const [, specifier = ''] = /['"]([^'"]+)['"]/.exec(String(Object(error).message)) ?? []
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? ['']
  const flag = peers.get(name)
  if (flag === undefined) return undefined
  return `${user} needs the package ${name}, which is not installed. Install it: npm install ${flag}${name}`
}
