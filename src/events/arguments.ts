import { suggestName } from '../contract/schema-tools/nearest.ts'
import { isObject } from '../shared/narrow.ts'
import { EventError } from './errors.ts'

/** Returns an error whose message describes the value but never quotes a string. */
export function invalidArgument(what: string, expected: string, value: unknown): EventError {
  return new EventError(
    'argument_invalid',
    `Expected ${what} to be ${expected}, but found ${describeType(value)}.`,
  )
}

export function describeType(value: unknown): string {
  if (typeof value === 'number' || value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

export function checkHandlerOptions(fn: string, options: unknown, names: readonly string[]): void {
  if (!isObject(options)) throw invalidArgument(`the options of ${fn}`, 'an object', options)
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    throw new EventError(
      'argument_invalid',
      `Unknown option '${name}' of ${fn}. ${suggestName(name, names)}`,
    )
  }
}

export function checkTolerance(tolerance: unknown): void {
  if (Number.isFinite(tolerance) && Number(tolerance) >= 0) return
  throw invalidArgument('tolerance', 'a number of seconds, 0 or more', tolerance)
}

export function checkCount(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && Number(value) > 0) return
  throw invalidArgument(name, 'a positive integer', value)
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalidArgument(name, 'a function', value)
}

/** Reads a value from an argument. Throws `argument_invalid` if a getter or a proxy throws. */
export function readArgument<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof EventError) throw error
    throw new EventError(
      'argument_invalid',
      `Cannot read ${what}: a getter or a proxy threw an error.`,
    )
  }
}
