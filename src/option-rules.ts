import type { Issue } from './contract/check.ts'
import { commonIssues, type RequestOptions } from './options.ts'

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

/** Signals of other realms and of polyfills are taken too. */
export const abortSignal: OptionRule = {
  isValid: (value) => typeof (Object(value) as Partial<AbortSignal>).throwIfAborted === 'function',
  expected: 'an AbortSignal',
}

/** The issues of a call's options; an option that is undefined has its default. */
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
  return [...issues, ...commonIssues(options)]
}

/** The issue of a source that cannot be iterated; a string can, but is none. */
export function sourceIssues(path: string, source: unknown, items: string): Issue[] {
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source)
  return isIterable ? [] : [{ path, expected: `an iterable or async iterable of ${items}` }]
}

/** The options of one call, kept for several: later changes by the caller have no effect. */
export function keptOptions<Options extends RequestOptions>(options: Options): Options {
  return options.headers ? { ...options, headers: { ...options.headers } } : { ...options }
}
