import type * as z from 'zod/mini'
import { describeExpected } from '../../src/contract/schema-tools/check.ts'
import { compileValidator } from '../../src/contract/schema-tools/compile.ts'
import { findIssues, type SchemaIssue } from '../../src/contract/schema-tools/issues.ts'
import { suggestName } from '../../src/contract/schema-tools/nearest.ts'
import { pathOf } from '../../src/contract/schema-tools/walk.ts'
import { MockError } from '../errors.ts'
import { formatValue } from './plain.ts'

/**
 * @param name The name of the options in error messages.
 * @throws {MockError} `invalid_option` for an unknown option or an invalid value.
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, name: string): void {
  const found = findInvalid(schema, options, name)
  if (!found) return
  const { issue, path } = found
  if (issue.unknown) {
    const unknown = [name, ...issue.path, issue.unknown.name].join('.')
    const advice = suggestName(issue.unknown.name, issue.unknown.known)
    throw new MockError('invalid_option', `Unknown option '${unknown}'. ${advice}`)
  }
  throw new MockError(
    'invalid_option',
    `Expected ${path} to be ${describeExpected(issue)}${foundAt(path.slice(name.length), options)}.`,
  )
}

/**
 * Finds a value's first unknown field or, if there is none, its first invalid field. Returns undefined for a valid
 * value.
 */
export function findInvalid(
  schema: z.ZodMiniType,
  value: unknown,
  root: string,
): { issue: SchemaIssue; path: string } | undefined {
  if (compileValidator(schema)(value)) return undefined
  const issues = findIssues(schema, value)
  const issue = issues.find(({ unknown }) => unknown) ?? issues[0] ?? { kind: 'other', path: [] }
  return { issue, path: pathOf(schema, issue.path, root) }
}

/**
 * Returns the end of an error message, which contains the value at the path. Returns an empty string if the path
 * contains `*`, which represents any user-defined key.
 */
function foundAt(path: string, options: unknown): string {
  if (path.includes('*')) return ''
  const keys = path.split(/[.[\]]+/).filter(Boolean)
  const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], options)
  return `, but got ${formatValue(value)}`
}

export interface UserLookup {
  get(userId: string): object | undefined
}

/** @throws {MockError} `unknown_record` if the team has no user with this id. */
export function checkUser(userId: string, users: UserLookup): void {
  if (users.get(userId)) return
  throw new MockError('unknown_record', `No user has the id '${userId}'. Create the user first.`)
}
