import type { Issue } from '../../contract/schema-tools/check.ts'
import { suggestName } from '../../contract/schema-tools/nearest.ts'
import { isUnreadable } from '../copy-input.ts'
import type { OptionRules } from './rules.ts'

/** Returns an issue for each invalid or unknown option. An undefined option takes its default. */
export function findOptionIssues(options: object, rules: OptionRules): Issue[] {
  if (isUnreadable(options)) return [{ path: 'options', expected: 'an object of options' }]
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const known = given.filter(([name]) => Object.hasOwn(rules, name))
  const invalid = known.flatMap(([name, value]) => rules[name]?.(value, name) ?? [])
  return known.length === given.length
    ? invalid
    : [...invalid, ...unknownOptionIssues(options, Object.keys(rules))]
}

/**
 * Returns an issue unless the source is an iterable or async iterable object. Rejects strings, although they are
 * iterable.
 */
export function findIterableIssues(path: string, source: unknown, items: string): Issue[] {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source)
  return isIterable ? [] : [{ path, expected: `an iterable or async iterable of ${items}` }]
}

export function unknownOptionIssues(options: object, known: readonly string[]): Issue[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => toIssue(name, known))
}

/** Hides a name that is not an identifier, because it may be sensitive data. */
function toIssue(name: string, known: readonly string[]): Issue {
  const isPrintable = /^[A-Za-z]\w{0,39}$/.test(name)
  const option = isPrintable ? `option '${name}'` : 'option'
  return {
    path: isPrintable ? name : 'options',
    expected: `one of ${known.join(', ')}`,
    message: `Unknown ${option}. ${suggestName(name, known)}`,
  }
}
