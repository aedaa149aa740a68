/** The optional packages, mapped to flags for `npm install`. */
const peers = new Map([
  ['@electric-sql/pglite', ''],
  ['@modelcontextprotocol/sdk', ''],
  ['@faker-js/faker', '--save-dev '],
  ['@opentelemetry/api', ''],
  ['@playwright/test', '--save-dev '],
  ['hyparquet-writer', '--save-dev '],
  ['msw', '--save-dev '],
  ['pg', ''],
  ['vitest', '--save-dev '],
])

/**
 * Returns the message for an import that failed because an optional package is not installed, or undefined for any
 * other error.
 *
 * @param user The module that needs the package, such as `health-lab-sdk/otel`.
 */
export function missingPeer(error: unknown, user: string): string | undefined {
  // Every runtime quotes the missing package first, then the file that imports it.
  const [, specifier = ''] = /['"]([^'"]+)['"]/.exec(String(Object(error).message)) ?? []
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? ['']
  const flag = peers.get(name)
  if (flag === undefined) return undefined
  return `${user} needs the package ${name}, which is not installed. Install it: npm install ${flag}${name}`
}
