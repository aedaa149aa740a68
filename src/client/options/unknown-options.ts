import type { Issue } from '../../contract/schema/check.ts'
import { suggestName } from '../../contract/schema/nearest.ts'

/** Returns an issue for each unknown option, with the name that was probably meant. */
export function unknownOptionIssues(options: object, known: readonly string[]): Issue[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => toIssue(name, known))
}

/** A name that does not look like an identifier may be data, so it is not printed. */
function toIssue(name: string, known: readonly string[]): Issue {
  const isPrintable = /^[A-Za-z]\w{0,39}$/.test(name)
  const option = isPrintable ? `option '${name}'` : 'option'
  return {
    path: isPrintable ? name : 'options',
    expected: `one of ${known.join(', ')}`,
    message: `Unknown ${option}. ${suggestName(name, known)}`,
  }
}
