import type * as z from 'zod/mini'
import { memo } from '../../shared/memo.ts'
import { withoutAddedFields } from '../../shared/own-fields.ts'
import { compileValidator } from './compile.ts'
import { type Expectation, findIssues } from './issues.ts'
import { pathOf } from './walk.ts'

/** A mismatch between a value and its schema. Contains no part of the value. */
export interface Issue {
  /** The path, such as `body.connections[3].user_id`. */
  path: string
  /** What was expected at the path, such as `an integer` or `at most 100`. */
  expected: string
  /** A message that replaces `path` and `expected`, such as `Unknown option 'timout'. Did you mean timeout?`. */
  message?: string
}

// Checking a small response takes 34 µs without compiling, and 19 µs with a compiled validator. Compiling takes 110 µs.
const validatorOf = memo(compileValidator)

/**
 * Returns up to `maxIssues` issues, with paths that start with `root`. Compiles the schema on its second use to speed
 * up later checks of valid values.
 */
export function check(schema: z.ZodMiniType, value: unknown, root = ''): Issue[] {
  try {
    return withoutAddedFields(() =>
      validatorOf(schema)(value) ? [] : issuesOf(schema, value, root),
    )
  } catch {
    return [{ path: root || 'value', expected: 'a readable value' }]
  }
}

/** Like {@link check}, but does not compile the schema. */
export function issuesOf(schema: z.ZodMiniType, value: unknown, root = ''): Issue[] {
  return findIssues(schema, value).map((issue) => ({
    path: pathOf(schema, issue.path, root),
    expected: describeExpected(issue),
  }))
}

export function describeExpected(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'too_long':
      return `at most ${expectation.limit} characters`
    case 'too_big':
      return `at most ${expectation.limit}`
    case 'too_small':
      return `at least ${expectation.limit}`
    case 'enum':
      return `one of ${expectation.values.join(', ')}`
    case 'rule':
      return expectation.expected
    default:
      return descriptions[expectation.kind]
  }
}

const descriptions = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  uuid: 'a UUID',
  date: 'a date (YYYY-MM-DD)',
  'date-time': 'a date-time (ISO 8601)',
  email: 'an e-mail address',
  other: 'a valid value',
}
