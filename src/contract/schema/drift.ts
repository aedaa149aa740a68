import * as z from 'zod/mini'
import { describeExpected, type Issue } from './check.ts'
import { type Definition, unwrap } from './definition.ts'
import { findIssues } from './issues.ts'
import { isObject } from './object.ts'
import { type Strictness, strictFormOf } from './schema.ts'

/** A place where an accepted value does not match the specification. */
export interface FoundDrift extends Issue {
  /** `field`: an unknown field. The others: what the strict form of the place enforces. */
  kind: Strictness | 'field'
}

/** Finds every drift of a value that its schema accepts. */
export function findDrift(schema: z.ZodMiniType, value: unknown, path = ''): FoundDrift[] {
  const strict = strictFormOf(schema)
  if (strict) {
    const [issue] = findIssues(strict.schema, value)
    if (issue) return [{ kind: strict.kind, path, expected: describeExpected(issue) }]
    return findDrift(strict.schema, value, path)
  }
  const inner = unwrapOnce(schema)
  if (inner) return value === undefined || value === null ? [] : findDrift(inner, value, path)

  const def = schema._zod.def as Definition
  if (def.element && Array.isArray(value)) {
    const { element } = def
    return value.flatMap((item, index) => findDrift(element, item, `${path}[${index}]`))
  }
  if (!isObject(value)) return []
  if (def.shape) return driftOfObject(def.shape, value, path, isLoose(def))
  if (def.valueType) {
    const { valueType } = def
    return Object.values(value).flatMap((item) => findDrift(valueType, item, join(path, '*')))
  }
  const option = def.options?.find((candidate) => z.safeParse(candidate, value).success)
  return option ? findDrift(option, value, path) : []
}

function driftOfObject(
  shape: Record<string, z.ZodMiniType>,
  value: Record<string, unknown>,
  path: string,
  loose: boolean,
): FoundDrift[] {
  const inside = Object.entries(shape).flatMap(([name, schema]) =>
    findDrift(schema, value[name], join(path, name)),
  )
  if (loose) return inside
  // The name of an unknown field may be data, such as an e-mail address, so it is not shown.
  const hasUnknown = Object.keys(value).some((name) => !Object.hasOwn(shape, name))
  return hasUnknown
    ? [...inside, { kind: 'field', path: join(path, '*'), expected: 'no other field' }]
    : inside
}

function unwrapOnce(schema: z.ZodMiniType): z.ZodMiniType | undefined {
  return unwrap(schema) === schema ? undefined : (schema._zod.def as Definition).innerType
}

function isLoose(def: Definition): boolean {
  return (def as Definition & { catchall?: unknown }).catchall !== undefined
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
