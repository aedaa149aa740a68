import * as z from 'zod/mini'
import { strictFormOf } from './schema.ts'

/** What zod knows about a schema. No other module reads this from a schema. */
export interface Definition {
  /** zod's name of the type, such as `object` or `nullable`. */
  type: string
  /** The fields of an object. */
  shape?: Record<string, z.ZodMiniType>
  /** The items of an array. */
  element?: z.ZodMiniType
  /** The values of a record. */
  valueType?: z.ZodMiniType
  /** The schema inside an optional or nullable one. */
  innerType?: z.ZodMiniType
  /** What an object requires of its unknown fields. */
  catchall?: z.ZodMiniType
  /** The members of a union. */
  options?: z.ZodMiniType[]
  /** The rules of the schema itself. */
  checks?: readonly { _zod: { def: Limit } }[]
  /** The format of a string or a number. */
  format?: string
  /** The values of an enumeration, by name. */
  entries?: Record<string, string>
  /** The values of a literal. */
  values?: unknown[]
}

/** A rule of a schema. */
export interface Limit {
  /** zod's name of the rule, such as `max_length`. */
  check: string
  value?: number
  maximum?: number
  pattern?: RegExp
}

/** Returns what zod knows about a schema. */
export function definitionOf(schema: z.ZodMiniType): Definition {
  // The union of all definitions of zod, which has no type for schemas of any kind.
  return schema._zod.def as unknown as Definition
}

/** Returns what zod knows about the schema inside optional and nullable; an empty definition without a schema. */
export function definitionInside(schema: z.ZodMiniType | undefined): Partial<Definition> {
  const inner = unwrap(schema)
  return inner ? definitionOf(inner) : {}
}

/** Returns the schema inside optional and nullable. */
export function unwrap(schema: z.ZodMiniType | undefined): z.ZodMiniType | undefined {
  const inner = schema && definitionOf(schema).innerType
  return inner ? unwrap(inner) : schema
}

/** Returns the fields of an object, even if it is optional or nullable; none for any other schema. */
export function shapeOf(schema: z.ZodMiniType | undefined): Record<string, z.ZodMiniType> {
  return definitionInside(schema).shape ?? {}
}

/** Returns the rules of a schema. */
export function limitsOf(schema: z.ZodMiniType): Limit[] {
  return (definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def)
}

/** Returns whether a value is a schema. */
export function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

/** Returns a schema and all schemas inside it; of a lenient schema, its strict form in its place. */
export function* walk(schema: z.ZodMiniType): Generator<z.ZodMiniType> {
  const strict = strictFormOf(schema)?.schema ?? schema
  yield strict
  const { shape = {}, options = [], element, valueType, innerType } = definitionOf(strict)
  for (const part of [...Object.values(shape), ...options, element, valueType, innerType]) {
    if (part) yield* walk(part)
  }
}

/**
 * Returns a schema of the same kind with other parts: fields, items, values, members, or the schema inside. A schema
 * without parts is returned as it is.
 *
 * @param closed Makes an object without a rule for unknown fields.
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

/** Returns the rules of a schema as zod has them. */
function checksOf(schema: z.ZodMiniType): z.core.$ZodCheck<unknown>[] {
  // They are rules for the values of this schema, whose type is unknown here.
  return (schema._zod.def.checks ?? []) as z.core.$ZodCheck<unknown>[]
}

/** Formats a path: the names that the schema has and the positions of its lists; `*` for every other key. */
export function pathOf(schema: z.ZodMiniType, path: PropertyKey[], root = ''): string {
  let formatted = root
  for (const key of knownPath(schema, path)) {
    formatted += typeof key === 'number' ? `[${key}]` : `${formatted && '.'}${key}`
  }
  return formatted || 'value'
}

/** Replaces the path keys that the schema does not have with `*`, because they may be data. */
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
 * Returns the definition that has a key; for a union, that of the member with the key, or that of the first member if none
 * has it.
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
