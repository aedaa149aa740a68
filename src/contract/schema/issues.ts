import * as z from 'zod/mini'

/** A JSON type, a format, or a constraint of another kind. */
type NamedKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'array'
  | 'object'
  | 'uuid'
  | 'date'
  | 'date-time'
  | 'email'
  | 'other'

/** The requirement that a value does not meet. `kind` is for programs; `describeExpected` describes it for people. */
export type Expectation =
  | { kind: NamedKind }
  /** The value must be one of `values`. */
  | { kind: 'enum'; values: readonly string[] }
  /** A number must not be below or above `limit`, or a string must not have more characters. */
  | { kind: 'too_small' | 'too_big' | 'too_long'; limit: number }
  /** A rule that a schema describes itself, such as `columns of equal length`. */
  | { kind: 'rule'; expected: string }

/** One place where a value does not match its schema. */
export type SchemaIssue = Expectation & {
  /** Field names and array positions. Keys of records are the caller's data: print `pathOf` instead. */
  path: (string | number)[]
}

/** Finds every issue of a value. */
export function findIssues(schema: z.ZodMiniType, value: unknown): SchemaIssue[] {
  const result = z.safeParse(schema, value)
  if (result.success) return []
  return flatten(result.error.issues).map((issue) => ({
    // JSON has no symbol keys.
    path: issue.path as (string | number)[],
    ...expectationOf(issue),
  }))
}

type ZodIssue = z.core.$ZodIssue

/** Replaces the issue of a union by those of its closest member. */
function flatten(issues: ZodIssue[], prefix: PropertyKey[] = []): ZodIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path]
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
    const closest = issue.errors.reduce((best, next) =>
      distance(next) < distance(best) ? next : best,
    )
    return flatten(closest, path)
  })
}

/** Counts issues. A member that rejects the type or the name of the whole value is farther than one that rejects a part. */
function distance(issues: ZodIssue[]): number {
  const isOther = issues.some(({ code, path }) => path.length === 0 && rejectsWhole.has(code))
  return issues.length + (isOther ? 1 : 0)
}

const rejectsWhole = new Set(['invalid_type', 'invalid_value'])

function expectationOf(issue: ZodIssue): Expectation {
  switch (issue.code) {
    case 'too_big':
      return {
        kind: issue.origin === 'string' ? 'too_long' : 'too_big',
        limit: Number(issue.maximum),
      }
    case 'too_small':
      return { kind: 'too_small', limit: Number(issue.minimum) }
    case 'invalid_value':
      return { kind: 'enum', values: issue.values.map(String) }
    case 'invalid_format':
      // Regular expressions say what they expect, like the checks below.
      if (issue.format === 'regex') return { kind: 'rule', expected: issue.message }
      return { kind: kinds[issue.format] ?? 'other' }
    case 'invalid_type':
      return { kind: kinds[issue.expected] ?? 'other' }
    case 'custom':
      // The checks of the contract say what they expect, never a value.
      return { kind: 'rule', expected: issue.message }
    default:
      return { kind: 'other' }
  }
}

/** Our kinds by zod's names of types and formats. */
const kinds: Record<string, NamedKind> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
  guid: 'uuid',
  date: 'date',
  datetime: 'date-time',
  email: 'email',
}
