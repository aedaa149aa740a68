import type { Issue } from '../../contract/schema-tools/check.ts'

/** Checks an option's value, which is not undefined, and returns what is wrong with it. */
export type OptionRule = (value: unknown, path: string) => Issue[]

/** Rules for options, keyed by name. */
export type OptionRules = Record<string, OptionRule>

/** The longest time in milliseconds that a timer can run; a longer one would end at once. */
export const maxTimerDelay = 2 ** 31 - 1

/** Creates a rule from what it expects and a predicate. */
export function createRule(expected: string, isValid: (value: unknown) => boolean): OptionRule {
  return (value, path) => (isValid(value) ? [] : [{ path, expected }])
}

/** A rule for options without restrictions. */
export const acceptAny: OptionRule = () => []

/** An integer of at least 1. */
export const positiveInteger = createRule(
  'an integer of at least 1',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
)

/** A boolean. */
export const booleanRule = createRule('true or false', (value) => typeof value === 'boolean')

/** A function. */
export const callbackRule = createRule('a function', isFunction)

/** Creates a rule for integers from a minimum to {@link maxTimerDelay}. */
export function timerInteger(minimum: number): OptionRule {
  return createRule(
    `an integer from ${minimum} to ${maxTimerDelay}`,
    (value) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maxTimerDelay,
  )
}

/** Creates a rule for a fixed set of strings. */
export function oneOf<Value extends string>(...values: readonly Value[]): OptionRule {
  const quoted = values.map((value) => `'${value}'`)
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return createRule(expected, (value) => values.some((known) => known === value))
}

/** Returns whether a value is a function. */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
