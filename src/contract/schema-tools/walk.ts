import * as z from 'zod/mini'
import { strictFormOf } from './schema.ts'

/** A schema's internal zod definition. Only this module accesses `_zod`. */
export interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  valueType?: z.ZodMiniType
  /** The schema that an optional or nullable schema wraps. */
  innerType?: z.ZodMiniType
  /** The schema of an object's unknown fields. */
  catchall?: z.ZodMiniType
  options?: z.ZodMiniType[]
  checks?: readonly { _zod: { def: Limit } }[]
  format?: string
  entries?: Record<string, string>
  values?: unknown[]
}

export interface Limit {
  check: string
  value?: number
  maximum?: number
  pattern?: RegExp
}

export function definitionOf(schema: z.ZodMiniType): Definition {
  // zod has no type that covers the definitions of all schemas.
  return schema._zod.def as unknown as Definition
}

/** Returns the definition inside optional and nullable schemas, or an empty object if there is no schema. */
export function definitionInside(schema: z.ZodMiniType | undefined): Partial<Definition> {
  const inner = unwrap(schema)
  return inner ? definitionOf(inner) : {}
}

export function unwrap(schema: z.ZodMiniType | undefined): z.ZodMiniType | undefined {
  const inner = schema && definitionOf(schema).innerType
  return inner ? unwrap(inner) : schema
}

/** Returns the fields of an object schema, which may be optional or nullable. Other schemas have no fields. */
export function shapeOf(schema: z.ZodMiniType | undefined): Record<string, z.ZodMiniType> {
  return definitionInside(schema).shape ?? {}
}

export function limitsOf(schema: z.ZodMiniType): Limit[] {
  return (definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def)
}

export function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

/** Yields a schema and all schemas inside it. Replaces each lenient schema with its strict form. */
export function* walk(schema: z.ZodMiniType): Generator<z.ZodMiniType> {
  const strict = strictFormOf(schema)?.schema ?? schema
  yield strict
  const { shape = {}, options = [], element, valueType, innerType } = definitionOf(strict)
  for (const part of [...Object.values(shape), ...options, element, valueType, innerType]) {
    if (part) yield* walk(part)
  }
}

/**
 * Returns a schema of the same kind with mapped parts: fields, items, values, union members, or the wrapped schema. If
 * the schema has no parts, returns it unchanged.
 *
 * @param closed Creates the schema for mapped fields if the object has no schema for unknown fields.
 */
export function mapSchema(
  schema: z.ZodMiniType,
  map: (part: z.ZodMiniType) => z.ZodMiniType,
  closed: (shape: Record<string, z.ZodMiniType>) => z.ZodMiniType = z.object,
): z.ZodMiniType {
  const { type, shape, element, valueType, innerType, options, catchall } = definitionOf(schema)
  const withChecks = (mapped: z.ZodMiniType) => mapped.check(...checksOf(schema))
  if (shape) {
    const mapped = Object.entries(shape).map(([name, field]) => [name, map(field)])
    return withChecks((catchall ? z.looseObject : closed)(Object.fromEntries(mapped)))
  }
  if (element) return withChecks(z.array(map(element)))
  if (valueType) return withChecks(z.record(z.string(), map(valueType)))
  if (options) return z.union(options.map(map))
  if (type === 'optional' && innerType) return z.optional(map(innerType))
  if (type === 'nullable' && innerType) return z.nullable(map(innerType))
  return schema
}

function checksOf(schema: z.ZodMiniType): z.core.$ZodCheck<unknown>[] {
  // The checks are for this schema's values, whose type is unknown here.
  return (schema._zod.def.checks ?? []) as z.core.$ZodCheck<unknown>[]
}

/** Formats a path. Keys that are neither list positions nor fields of the schema become `*`. */
export function pathOf(schema: z.ZodMiniType, path: PropertyKey[], root = ''): string {
  let formatted = root
  for (const key of knownPath(schema, path)) {
    formatted += typeof key === 'number' ? `[${key}]` : `${formatted && '.'}${key}`
  }
  return formatted || 'value'
}

/** Replaces keys that the schema does not define with `*`, because they may be private data. */
export function knownPath(schema: z.ZodMiniType, path: PropertyKey[]): (string | number)[] {
  let current: z.ZodMiniType | undefined = schema
  return path.map((key) => {
    const def = definitionAt(current, key)
    if (typeof key === 'number' && def?.element) {
      current = def.element
      return key
    }
    const isKnown = def?.shape !== undefined && Object.hasOwn(def.shape, key)
    current = isKnown ? def.shape?.[String(key)] : def?.valueType
    return isKnown ? String(key) : '*'
  })
}

/**
 * Returns the definition that describes a key. For a union, uses the first member that defines the key, or the first
 * member if none does.
 */
function definitionAt(
  schema: z.ZodMiniType | undefined,
  key: PropertyKey,
): Partial<Definition> | undefined {
  const def = definitionInside(schema)
  if (!def.options) return def
  const members = def.options.map((option) => definitionAt(option, key))
  return members.find((member) => member?.shape && Object.hasOwn(member.shape, key)) ?? members[0]
}
