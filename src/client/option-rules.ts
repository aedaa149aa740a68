import type { Issue } from '../contract/schema/check.ts'
import { callIssues, type RequestOptions } from './options.ts'

/** What the value of an option must be. */
export interface OptionRule {
  isValid(value: unknown): boolean
  expected: string
}

export const atLeastOne: OptionRule = {
  isValid: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  expected: 'an integer of at least 1',
}

export const trueOrFalse: OptionRule = {
  isValid: (value) => typeof value === 'boolean',
  expected: 'true or false',
}

export const callback: OptionRule = {
  isValid: (value) => typeof value === 'function',
  expected: 'a function',
}

/** Checks the options of a call, those with rules included. An option that is undefined has its default. */
export function optionIssues(
  options: RequestOptions | undefined,
  rules: Record<string, OptionRule>,
): Issue[] {
  if (options === undefined) return []
  if (typeof options !== 'object' || options === null) {
    return [{ path: 'options', expected: 'an object' }]
  }
  const values: Record<string, unknown> = { ...options }
  const issues = Object.entries(rules).flatMap(([path, { isValid, expected }]) =>
    values[path] === undefined || isValid(values[path]) ? [] : [{ path, expected }],
  )
  return [...issues, ...callIssues(options, Object.keys(rules))]
}

/** The issue of a source that cannot be iterated; a string can, but is none. */
export function sourceIssues(path: string, source: unknown, items: string): Issue[] {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source)
  return isIterable ? [] : [{ path, expected: `an iterable or async iterable of ${items}` }]
}
