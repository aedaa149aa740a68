import type { Issue } from '../../contract/schema-tools/check.ts'

/** Checks an option whose value is not undefined. */
export type OptionRule = (value: unknown, path: string) => Issue[]

export type OptionRules = Record<string, OptionRule>

/** The maximum delay of a timer in milliseconds. A timer with a longer delay fires immediately. */
export const maxTimerDelay = 2 ** 31 - 1

export function createRule(expected: string, isValid: (value: unknown) => boolean): OptionRule {
  return (value, path) => (isValid(value) ? [] : [{ path, expected }])
}

export const acceptAny: OptionRule = () => []

export const positiveInteger = createRule(
  'an integer of at least 1',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
)

export const booleanRule = createRule('true or false', (value) => typeof value === 'boolean')

export const callbackRule = createRule('a function', isFunction)

export function timerInteger(minimum: number): OptionRule {
  return createRule(
    `an integer from ${minimum} to ${maxTimerDelay}`,
    (value) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maxTimerDelay,
  )
}

export function oneOf<Value extends string>(...values: readonly Value[]): OptionRule {
  const quoted = values.map((value) => `'${value}'`)
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return createRule(expected, (value) => values.some((known) => known === value))
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
