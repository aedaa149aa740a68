import * as z from 'zod/mini'
import { compileValidator } from './compile.ts'
import { pathOf } from './definition.ts'

/** One place where a value is not what its schema asks for. It never holds the value, nor a part of it. */
export interface Issue {
  /** Where, such as `body.connections[3].user_id`. */
  path: string
  /** What was expected there, such as `an integer from 1 to 100`. */
  expected: string
}

const validators = new WeakMap<z.ZodMiniType, (value: unknown) => boolean>()

/** Every issue of a value; the path of each starts with `root`. The schema is compiled when it first checks something. */
export function check(schema: z.ZodMiniType, value: unknown, root = ''): Issue[] {
  const validator = validators.get(schema) ?? compileValidator(schema)
  validators.set(schema, validator)
  return validator(value) ? [] : issuesOf(schema, value, root)
}

/** Every issue of a value, at once and uncompiled. */
export function issuesOf(schema: z.ZodMiniType, value: unknown, root = ''): Issue[] {
  const result = z.safeParse(schema, value)
  if (result.success) return []
  return flatten(result.error.issues).map((issue) => ({
    path: pathOf(schema, issue.path, root),
    expected: expectedOf(issue),
  }))
}

type ZodIssue = z.core.$ZodIssue

/** Replaces a union's issue by those of the member that came closest: the one with the fewest issues. */
function flatten(issues: ZodIssue[], prefix: PropertyKey[] = []): ZodIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path]
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
    const closest = issue.errors.reduce((best, next) => (next.length < best.length ? next : best))
    return flatten(closest, path)
  })
}

const formats: Record<string, string> = {
  guid: 'a UUID',
  date: 'a date (YYYY-MM-DD)',
  datetime: 'a date-time (ISO 8601)',
  email: 'an e-mail address',
}

const types: Record<string, string> = {
  int: 'an integer',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function expectedOf(issue: ZodIssue): string {
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string'
        ? `at most ${issue.maximum} characters`
        : `at most ${issue.maximum}`
    case 'too_small':
      return `at least ${issue.minimum}`
    case 'invalid_format':
      return formats[issue.format] ?? 'another format'
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'invalid_type':
      return types[issue.expected] ?? `a ${issue.expected}`
    case 'custom':
      // Checks of our own say what they expect, never a value.
      return issue.message
    default:
      return 'another value'
  }
}
