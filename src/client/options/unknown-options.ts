import type { Issue } from '../../contract/schema/check.ts'
import { similarName } from '../../contract/schema/nearest.ts'

/** Returns an issue for each unknown option, with the name that was probably meant. */
export function unknownOptionIssues(options: object, known: readonly string[]): Issue[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => ({ path: printableName(name), expected: expectedName(name, known) }))
}

/** A name that does not look like an identifier may be data, so it is not printed. */
function printableName(name: string): string {
  return /^[A-Za-z]\w{0,39}$/.test(name) ? name : 'options'
}

function expectedName(name: string, known: readonly string[]): string {
  const similar = similarName(name, known)
  return similar ? `a known option (did you mean ${similar}?)` : `one of ${known.join(', ')}`
}
