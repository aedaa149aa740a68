import { suggestName } from '../../src/contract/schema-tools/nearest.ts'
import { isObject } from '../../src/shared/narrow.ts'
import { MockError, messageOf } from '../errors.ts'

/** @throws {MockError} `invalid_option` if the value contains a function or anything else that cannot be copied. */
export function plainCopy<T>(value: T, name: string): T {
  try {
    return structuredClone(value)
  } catch (cause) {
    // Jest's jsdom environment lacks this function.
    const advice =
      typeof structuredClone === 'function'
        ? 'use plain values, without functions, symbols or proxies'
        : 'structuredClone is missing; use the node environment'
    throw new MockError('invalid_option', `Cannot copy ${name}: ${advice}.`, { cause })
  }
}

/** Deletes the undefined fields of an object and of all nested objects, in place. */
export function withoutUndefined<T>(copy: T): T {
  for (const [name, value] of Object.entries(Object(copy))) {
    if (value === undefined) Reflect.deleteProperty(Object(copy), name)
    else if (typeof value === 'object') withoutUndefined(value)
  }
  return copy
}

/** @throws {MockError} `invalid_option` if the value is not an object or has an unknown field. */
export function checkFields(value: unknown, names: readonly string[], name: string): void {
  if (!isObject(value)) {
    throw invalidOption(name, 'an object', value)
  }
  const unknown = Object.keys(value).find((field) => !names.includes(field))
  if (unknown === undefined) return
  throw new MockError(
    'invalid_option',
    `Unknown option '${unknown}' in ${name}. ${suggestName(unknown, names)}`,
  )
}

export function invalidOption(name: string, expected: string, value: unknown): MockError {
  const found = formatValue(value)
  return new MockError('invalid_option', `Expected ${name} to be ${expected}, but got ${found}.`)
}

export function formatValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return messageOf(value)
  }
}
