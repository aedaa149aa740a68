import { MockError } from '../errors.ts'

/**
 * Returns a copy of plain values.
 *
 * @throws {MockError} `invalid_option` for what cannot be copied, such as a function.
 */
export function plainCopy<T>(value: T, name: string): T {
  try {
    return structuredClone(value)
  } catch (cause) {
    throw new MockError(
      'invalid_option',
      `Expected plain values in ${name}: no functions, symbols or proxies.`,
      { cause },
    )
  }
}

/**
 * Refuses a value that is not an object, or that has fields that have no effect.
 *
 * @throws {MockError} `invalid_option`
 */
export function checkFields(value: unknown, names: readonly string[], name: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MockError(
      'invalid_option',
      `Expected ${name} to be an object, but got ${formatValue(value)}.`,
    )
  }
  const odd = Object.keys(value).find((field) => !names.includes(field))
  if (odd === undefined) return
  throw new MockError(
    'invalid_option',
    `There is no field '${odd}' in ${name}. Expected ${names.join(', ')}.`,
  )
}

/** A value as messages show it. */
export function formatValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
