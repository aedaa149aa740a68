import {
  describeExpectedValue,
  describeFound,
  describeValue,
} from '../contract/schema-tools/describe-value.ts'
import { isObject, lowerUuid } from '../shared/narrow.ts'
import type { ReadResponse } from './operations.ts'

interface JsonDifference {
  /** The path of the compared value, such as `insured.address.zip`. */
  path: string
  expected: string
  /** Describes the value found. Quotes a string only if it is a known value that reveals nothing about a person. */
  found: string
}

/** Thrown when the service violates the specification. */
export class ExpectationError extends Error {
  /** The differences between JSON values. Empty if the message describes the whole failure. */
  readonly differences: readonly JsonDifference[]

  /** @param message A sentence such as `Expected …, found ….` or `Expected …, but found ….`. */
  constructor(message: string, differences: readonly JsonDifference[] = []) {
    super(message)
    this.differences = differences
  }
}

/** Thrown when a case turns out not to apply to the service. */
export class NotApplicable extends Error {}

/** @param message A sentence such as `Expected …, found ….`, without ids or content from the service. */
export function assertThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ExpectationError(message)
}

/** Asserts that two values are equal as JSON. The order of fields does not matter. */
export function assertEqual(found: unknown, expected: unknown, name: string): void {
  assertNoDifferences(found, expected, name, {})
}

/** Like {@link assertEqual}, but for data read earlier from the service, which the message must not contain. */
export function assertSameData(found: unknown, earlier: unknown, name: string): void {
  assertNoDifferences(found, earlier, name, { describe: describeValue })
}

/** Like {@link assertEqual}, but allows additional fields and treats absent fields as null. */
export function assertIncludes(found: unknown, expected: unknown, name: string): void {
  assertNoDifferences(found, expected, name, { isLenient: true })
}

/** Asserts that both lists contain each string the same number of times, in any order. Ignores letter case in UUIDs. */
export function assertSameItems(found: unknown, expected: readonly string[], name: string): void {
  assertThat(
    Array.isArray(found),
    `Expected ${name} to be an array, found ${describeValue(found)}.`,
  )
  const sorted = (items: readonly unknown[]) =>
    items.map((item) => lowerUuid(String(item))).toSorted()
  assertEqual(sorted(found), sorted(expected), name)
}

/** @param status The expected status. Default: any status from 200 to 299. */
export function assertSuccess(response: ReadResponse, status?: number): ReadResponse {
  const { status: found, operation } = response
  const isExpected = status === undefined ? found >= 200 && found < 300 : found === status
  const expected = status === undefined ? 'a success status' : `status ${status}`
  assertThat(isExpected, `Expected ${operation} to return ${expected}, found status ${found}.`)
  return response
}

/** Asserts that the status is from 400 to 499. The specification does not define the exact status. */
export function assertRejected({ status, operation }: ReadResponse, input: string): void {
  const isRejected = status >= 400 && status < 500
  assertThat(isRejected, `Expected ${operation} to reject ${input}, found status ${status}.`)
}

/** Asserts that an id has the expected value, ignoring letter case. */
export function assertSameId(found: unknown, expected: string, name: string): void {
  assertSameData(String(found).toLowerCase(), expected.toLowerCase(), name)
}

interface Comparison {
  /** Whether to allow additional fields and to treat absent fields as null. Default: false. */
  isLenient?: boolean
  /** Describes expected values. Default: quotes short strings, because the case itself sent them. */
  describe?: (expected: unknown) => string
}

function assertNoDifferences(
  found: unknown,
  expected: unknown,
  name: string,
  comparison: Comparison,
) {
  const differences = compareJson(found, expected, '', comparison).map((difference) => ({
    ...difference,
    path: placeIn(name, difference.path),
  }))
  const [first] = differences
  if (!first) return
  const message = `Expected ${first.path} to be ${first.expected}, found ${first.found}.`
  throw new ExpectationError(message, differences)
}

/** Returns `insured.zip`, or `zip of the insured person` if the name is a phrase. */
function placeIn(name: string, path: string): string {
  if (path === '' || !name.includes(' ')) return `${name}${path}`
  return `${path.replace(/^[.]/, '')} of ${name}`
}

/** @param path The path from the compared values, such as `.address.zip`. */
function compareJson(
  found: unknown,
  expected: unknown,
  path: string,
  comparison: Comparison,
): JsonDifference[] {
  const { isLenient = false, describe = describeExpectedValue } = comparison
  if (Object.is(found, expected)) return []
  if (isLenient && (found ?? null) === (expected ?? null)) return []
  if (Array.isArray(found) && Array.isArray(expected)) {
    return compareArrays(found, expected, path, comparison)
  }
  if (isObject(found) && isObject(expected))
    return compareObjects(found, expected, path, comparison)
  return [{ path, expected: describe(expected), found: describeFound(found, expected) }]
}

function compareArrays(
  found: readonly unknown[],
  expected: readonly unknown[],
  path: string,
  comparison: Comparison,
): JsonDifference[] {
  if (found.length !== expected.length) {
    return [{ path, expected: describeValue(expected), found: describeValue(found) }]
  }
  return expected.flatMap((item, at) => compareJson(found[at], item, `${path}[${at}]`, comparison))
}

function compareObjects(
  found: Record<string, unknown>,
  expected: Record<string, unknown>,
  path: string,
  comparison: Comparison,
): JsonDifference[] {
  const names = comparison.isLenient
    ? Object.keys(expected)
    : [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names.flatMap((name) =>
    compareJson(found[name], expected[name], `${path}.${name}`, comparison),
  )
}
