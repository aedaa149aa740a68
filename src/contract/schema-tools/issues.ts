import * as z from 'zod/mini'
import { isObject, maxIssues } from '../../shared/narrow.ts'
import { type Definition, definitionInside } from './walk.ts'

/** A JSON type, a format, or `other` for any other constraint. */
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

/** The requirement that a value does not meet. Code reads `kind`; messages use `describeExpected`. */
export type Expectation =
  | { kind: NamedKind }
  | { kind: 'enum'; values: readonly string[] }
  /** The minimum (`too_small`), the maximum (`too_big`), or the maximum number of characters (`too_long`). */
  | { kind: 'too_small' | 'too_big' | 'too_long'; limit: number }
  /** A rule described by the schema itself, such as `columns of equal length`. */
  | { kind: 'rule'; expected: string }

export type SchemaIssue = Expectation & {
  /** The field names and array positions. Record keys may be private data, so print the result of `pathOf` instead. */
  path: (string | number)[]
  /** An object's first unknown field, and the fields that its schema defines. */
  unknown?: { name: string; known: readonly string[] }
}

export function findIssues(
  schema: z.ZodMiniType,
  value: unknown,
  limit: number = maxIssues,
): SchemaIssue[] {
  const issues: SchemaIssue[] = []
  for (const issue of walkIssues(schema, value)) {
    issues.push(issue)
    if (issues.length === limit) break
  }
  return issues
}

/** Yields issues one by one, so the caller can stop early. Zod itself would create all issues first. */
function* walkIssues(schema: z.ZodMiniType, value: unknown): Generator<SchemaIssue> {
  const def = definitionInside(schema)
  let isInside = false
  for (const issue of issuesInside(def, value)) {
    isInside = true
    yield issue
  }
  // An array without checks is valid if all its items are.
  const isList = def.element && !def.checks?.length && Array.isArray(value)
  if (!isInside && !isList) yield* ownIssues(schema, value)
}

function* issuesInside(def: Partial<Definition>, value: unknown): Generator<SchemaIssue> {
  if (value === undefined || value === null) return
  if (def.options) yield* closestIssues(def.options, value)
  else if (def.element && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* issuesAt(index, def.element, item)
  } else if (isObject(value) && (def.shape || def.valueType)) {
    const { shape, valueType } = def
    for (const name of Object.keys(shape ?? value)) {
      const field = shape?.[name] ?? valueType
      if (field) yield* issuesAt(name, field, ownField(value, name))
    }
    const unknown = shape && rejectsUnknown(def) ? unknownIn(shape, value) : undefined
    if (unknown) yield { kind: 'other', path: [], unknown }
  }
}

function* issuesAt(
  key: string | number,
  schema: z.ZodMiniType,
  value: unknown,
): Generator<SchemaIssue> {
  for (const issue of walkIssues(schema, value)) yield { ...issue, path: [key, ...issue.path] }
}

function ownField(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function rejectsUnknown({ catchall }: Partial<Definition>): boolean {
  return definitionInside(catchall).type === 'never'
}

function unknownIn(shape: object, value: object): SchemaIssue['unknown'] {
  const name = Object.keys(value).find((field) => !Object.hasOwn(shape, field))
  return name === undefined ? undefined : { name, known: Object.keys(shape) }
}

function closestIssues(options: readonly z.ZodMiniType[], value: unknown): SchemaIssue[] {
  const candidates = options.map((option) => findIssues(option, value))
  return candidates.reduce((best, next) => (distance(next) < distance(best) ? next : best))
}

/** Returns the number of issues, plus a penalty if a union member rejects the value itself instead of a part of it. */
function distance(issues: readonly SchemaIssue[]): number {
  const isOther = issues.some(({ kind, path }) => path.length === 0 && rejectsWhole.has(kind))
  return issues.length + (isOther ? maxIssues : 0)
}

const rejectsWhole = new Set<string>([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'enum',
] satisfies Expectation['kind'][])

/** Returns the issues of a value that has no parts or only valid parts. */
function ownIssues(schema: z.ZodMiniType, value: unknown): SchemaIssue[] {
  const issues = z.safeParse(schema, value).error?.issues ?? []
  // Drop the issue for zod's own integer bound if one of the schema's bounds also rejects the value.
  const found =
    issues.length > 1 ? issues.filter((issue) => Object(issue).origin !== 'int') : issues
  return found.map((issue) => ({
    // JSON has no symbol keys.
    path: issue.path.filter((key) => typeof key !== 'symbol'),
    ...expectationOf(issue),
  }))
}

type ZodIssue = z.core.$ZodIssue

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
      // A regular expression's message says what is expected, as in custom checks.
      if (issue.format === 'regex') return { kind: 'rule', expected: issue.message }
      return { kind: kinds[issue.format] ?? 'other' }
    case 'invalid_type':
      return { kind: kinds[issue.expected] ?? 'other' }
    case 'custom':
      // The contract's checks say what is expected, and their messages never contain a value.
      return { kind: 'rule', expected: issue.message }
    default:
      return { kind: 'other' }
  }
}

/** Issue kinds, keyed by zod's names for types and formats. */
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
