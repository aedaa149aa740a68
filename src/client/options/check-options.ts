import type { Issue } from '../../contract/schema/check.ts'
import { isUnreadable } from '../copy-input.ts'
import type { OptionRules } from './rules.ts'
import { unknownOptionIssues } from './unknown-options.ts'

/** Checks copied options against their rules. An undefined option has its default; an option without a rule is unknown. */
export function findOptionIssues(options: object, rules: OptionRules): Issue[] {
  if (isUnreadable(options)) return [{ path: 'options', expected: 'an object of options' }]
  // Options are read by name; the rules check the values.
  const values = options as Record<string, unknown>
  const given = Object.keys(options).filter((name) => values[name] !== undefined)
  const known = given.filter((name) => Object.hasOwn(rules, name))
  const invalid = known.flatMap((name) => rules[name]?.(values[name], name) ?? [])
  return known.length === given.length
    ? invalid
    : [...invalid, ...unknownOptionIssues(options, Object.keys(rules))]
}

/** Checks that a source can be iterated. Strings can, but are rejected. */
export function findIterableIssues(path: string, source: unknown, items: string): Issue[] {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source)
  return isIterable ? [] : [{ path, expected: `an iterable or async iterable of ${items}` }]
}
