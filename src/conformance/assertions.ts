import { lowerUuid } from '../shared/narrow.ts'
import { describeValue } from '../shared/reports.ts'
import type { ReadResponse } from './operations.ts'
import { type ComparisonOptions, compareJson, type JsonDifference } from './report/diff.ts'

/** Thrown when the service violates the specification. */
export class ExpectationError extends Error {
  /** The differences between JSON values. Empty if the message describes the whole failure. */
  readonly differences: readonly JsonDifference[]

  /** @param message In the form `Expected …, found ….` or `Expected …, but found ….`. */
  constructor(message: string, differences: readonly JsonDifference[] = []) {
    super(message)
    this.differences = differences
  }
}

/** Thrown when a case turns out not to apply to the service. */
export class NotApplicable extends Error {}

/**
 * @param message In the form `Expected …, found ….`, without the service's ids and content.
 * @throws {ExpectationError} unless the condition holds.
 */
export function assertThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ExpectationError(message)
}

/** @throws {ExpectationError} unless both values are equal as JSON. The order of fields does not matter. */
export function assertEqual(found: unknown, expected: unknown, name: string): void {
  assertNoDifferences(found, expected, name, {})
}

/**
 * Asserts that a value contains all expected fields. Objects may have additional fields, and a field that is expected
 * to be null may be absent.
 *
 * @throws {ExpectationError} when a field is missing or has a different value.
 */
export function assertIncludes(found: unknown, expected: unknown, name: string): void {
  assertNoDifferences(found, expected, name, { lenient: true })
}

/**
 * Asserts that both lists contain each string the same number of times, in any order. Ignores letter case in UUIDs.
 *
 * @throws {ExpectationError} when a string is missing or was not expected.
 */
export function assertSameItems(found: unknown, expected: readonly string[], name: string): void {
  assertThat(
    Array.isArray(found),
    `Expected ${name} to be an array, found ${describeValue(found)}.`,
  )
  const sorted = (items: readonly unknown[]) =>
    items.map((item) => lowerUuid(String(item))).toSorted()
  assertEqual(sorted(found), sorted(expected), name)
}

function assertNoDifferences(
  found: unknown,
  expected: unknown,
  name: string,
  how: ComparisonOptions,
) {
  const differences = compareJson(found, expected, name, how)
  const [first] = differences
  if (!first) return
  const message = `Expected ${first.path} to be ${first.expected}, found ${first.found}.`
  throw new ExpectationError(message, differences)
}

/**
 * @param status The expected status. Default: any of 200 to 299.
 * @throws {ExpectationError} when the response has a different status.
 */
export function assertSuccess(response: ReadResponse, status?: number): ReadResponse {
  const { status: found, operation } = response
  const isExpected = status === undefined ? found >= 200 && found < 300 : found === status
  const expected = status === undefined ? 'a success status' : `status ${status}`
  assertThat(isExpected, `Expected ${operation} to return ${expected}, found status ${found}.`)
  return response
}

/** @throws {ExpectationError} unless the status is from 400 to 499. The specification does not define the exact status. */
export function assertRejected({ status, operation }: ReadResponse, input: string): void {
  const isRejected = status >= 400 && status < 500
  assertThat(isRejected, `Expected ${operation} to reject ${input}, found status ${status}.`)
}

/** @throws {ExpectationError} unless both are the same UUID, regardless of letter case. */
export function assertSameId(found: unknown, expected: string, name: string): void {
  assertEqual(String(found).toLowerCase(), expected.toLowerCase(), name)
}
