import * as z from 'zod/mini'
import { isObject } from '../../shared/narrow.ts'
import { describeExpected, type Issue } from './check.ts'
import { findIssues } from './issues.ts'
import { type StrictForm, type Strictness, strictFormOf } from './schema.ts'
import { definitionOf } from './walk.ts'

/** A mismatch between an accepted value and the specification. */
export interface FoundDrift extends Issue {
  /** `field` for an unknown field; otherwise, the requirement that the value does not meet. */
  kind: Strictness | 'field'
}

/**
 * Returns the drift in a value that the schema accepts. Paths omit array positions, so drift that recurs in several
 * items is reported once. Runs in linear time.
 */
export function findDrift(schema: z.ZodMiniType, value: unknown, path = ''): FoundDrift[] {
  return driftOf(schema, [value], path)
}

function driftOf(schema: z.ZodMiniType, values: readonly unknown[], path: string): FoundDrift[] {
  if (values.length === 0 || isPlain(schema)) return []
  const strict = strictFormOf(schema)
  if (strict) return driftOfStrict(strict, values, path)
  const { innerType, element, shape, valueType, options, catchall } = definitionOf(schema)
  if (innerType) return driftOf(innerType, values.filter(isPresent), path)
  if (element) return driftOf(element, values.filter(Array.isArray).flat(), `${path}[]`)
  if (options) return driftOfUnion(options, values, path)
  const objects = values.filter(isObject)
  if (valueType) return driftOf(valueType, objects.flatMap(Object.values), join(path, '*'))
  if (!shape) return []
  const inside = Object.entries(shape).flatMap(([name, field]) =>
    isPlain(field)
      ? []
      : driftOf(
          field,
          objects.map((object) => object[name]),
          join(path, name),
        ),
  )
  if (catchall || !objects.some((object) => hasUnknownField(object, shape))) return inside
  // The name of an unknown field may be data, such as an e-mail address, so it is not shown.
  return [...inside, { kind: 'field', path: join(path, '*'), expected: 'no other field' }]
}

function driftOfStrict(
  { kind, schema }: StrictForm,
  values: readonly unknown[],
  path: string,
): FoundDrift[] {
  const invalid = values.findIndex((value) => !z.validate(schema, value))
  const [issue] = invalid < 0 ? [] : findIssues(schema, values[invalid])
  const found = issue ? [{ kind, path, expected: describeExpected(issue) }] : []
  if (isPlain(schema)) return found
  const valid = issue ? values.filter((value) => z.validate(schema, value)) : values
  return [...found, ...driftOf(schema, valid, path)]
}

/** Finds each value's drift from the first union member that accepts it. */
function driftOfUnion(
  options: readonly z.ZodMiniType[],
  values: readonly unknown[],
  path: string,
): FoundDrift[] {
  const [first, ...others] = options
  if (!first) return []
  const isAccepted = values.map((value) => z.validate(first, value))
  const accepted = values.filter((_, at) => isAccepted[at])
  const rest = values.filter((_, at) => !isAccepted[at])
  return [...driftOf(first, accepted, path), ...driftOfUnion(others, rest, path)]
}

/** Returns whether a schema accepts only values without drift. */
function isPlain(schema: z.ZodMiniType): boolean {
  if (strictFormOf(schema)) return false
  const { innerType, element, shape, valueType, options } = definitionOf(schema)
  return innerType ? isPlain(innerType) : !(element || shape || valueType || options)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function hasUnknownField(value: object, shape: object): boolean {
  return Object.keys(value).some((name) => !Object.hasOwn(shape, name))
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
