import { describeExpectedValue, describeFound, describeValue } from '../../shared/reports.ts'

export interface JsonDifference {
  /** The path, such as `insured.address.zip`. */
  path: string
  expected: string
  /** The value that was found, without the service's ids and content. */
  found: string
}

export interface ComparisonOptions {
  /** Whether objects may have additional fields, and null is equal to an absent field. Default: false. */
  lenient?: boolean
}

/** Returns the differences between two JSON values. Ignores the order of fields. */
export function compareJson(
  found: unknown,
  expected: unknown,
  path: string,
  how: ComparisonOptions = {},
): JsonDifference[] {
  if (Object.is(found, expected)) return []
  if (how.lenient && (found ?? null) === (expected ?? null)) return []
  if (Array.isArray(found) && Array.isArray(expected)) {
    return compareArrays(found, expected, path, how)
  }
  if (isPlain(found) && isPlain(expected)) return compareObjects(found, expected, path, how)
  return [
    { path, expected: describeExpectedValue(expected), found: describeFound(found, expected) },
  ]
}

function compareArrays(
  found: readonly unknown[],
  expected: readonly unknown[],
  path: string,
  how: ComparisonOptions,
): JsonDifference[] {
  if (found.length !== expected.length) {
    return [{ path, expected: describeValue(expected), found: describeValue(found) }]
  }
  return expected.flatMap((item, at) => compareJson(found[at], item, `${path}[${at}]`, how))
}

function compareObjects(
  found: Record<string, unknown>,
  expected: Record<string, unknown>,
  path: string,
  how: ComparisonOptions,
): JsonDifference[] {
  const names = how.lenient
    ? Object.keys(expected)
    : [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names.flatMap((name) => compareJson(found[name], expected[name], `${path}.${name}`, how))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
