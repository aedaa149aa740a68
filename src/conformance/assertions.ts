import { describeValue } from '../reports/describe-value.ts'
import type { ReadResponse } from './response.ts'

/** Thrown when the service violates the specification. */
export class ExpectationError extends Error {}

/** Thrown when a case turns out not to apply to the service. */
export class NotApplicable extends Error {}

/** @throws {ExpectationError} with the message unless the condition holds. */
export function assertThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ExpectationError(message)
}

/** @throws {ExpectationError} unless both values are the same JSON, whatever the order of fields. */
export function assertEqual(found: unknown, expected: unknown, name: string): void {
  if (JSON.stringify(sortFields(found)) === JSON.stringify(sortFields(expected))) return
  throw new ExpectationError(
    `Expected ${name} to be ${describeValue(expected)}, found ${describeValue(found)}.`,
  )
}

/**
 * Returns the response when its status is the expected one.
 *
 * @param status Default: any of 200 to 299.
 * @throws {ExpectationError} when the status is another one.
 */
export function assertSuccess(response: ReadResponse, status?: number): ReadResponse {
  const { status: found, operation } = response
  const isExpected = status === undefined ? found >= 200 && found < 300 : found === status
  const expected = status === undefined ? 'a success status' : `status ${status}`
  assertThat(isExpected, `Expected ${operation} to return ${expected}, found status ${found}.`)
  return response
}

/** @throws {ExpectationError} unless the status is from 400 to 499; the specification does not show which one it is. */
export function assertRejected({ status, operation }: ReadResponse, input: string): void {
  const isRejected = status >= 400 && status < 500
  assertThat(isRejected, `Expected ${operation} to reject ${input}, found status ${status}.`)
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, inner]) => [name, sortFields(inner)]))
}
