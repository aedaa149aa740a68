import type * as z from 'zod/mini'
import type { Deprecation } from '../contract/schema-tools/endpoint.ts'
import { strictFormOf } from '../contract/schema-tools/schema.ts'
import {
  type Definition,
  definitionInside,
  definitionOf,
  type Limit,
  limitsOf,
} from '../contract/schema-tools/walk.ts'

/** A JSON Schema, draft 2020-12, as in OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** Information about schemas that the schemas themselves do not contain. */
export interface Notes {
  /** Returns a component schema's name, or undefined for an inline schema. */
  nameOf(schema: z.ZodMiniType): string | undefined
  /** Returns a field's default and deprecation. */
  keywordsOf(schema: z.ZodMiniType, field: string): JsonSchema
}

export function schemaOf(schema: z.ZodMiniType, notes: Notes): JsonSchema {
  const name = notes.nameOf(schema)
  return name ? { $ref: `#/components/schemas/${name}` } : inlineSchema(schema, notes)
}

/** Returns a JSON Schema for the values that the specification allows, even if the client's check accepts more. */
export function inlineSchema(schema: z.ZodMiniType, notes: Notes): JsonSchema {
  const strict = strictFormOf(schema)
  if (strict?.kind === 'value') {
    return { type: 'string', 'x-extensible-enum': valuesOf(strict.schema) }
  }
  if (strict) return schemaOf(strict.schema, notes)
  const def = definitionOf(schema)
  return writers[def.type]?.(def, notes, schema) ?? {}
}

/** Returns whether a field is optional. This includes fields that the types require but the specification does not. */
export function isOptional(schema: z.ZodMiniType): boolean {
  return isAssumed(schema) || definitionOf(schema).type === 'optional'
}

type Writer = (def: Definition, notes: Notes, schema: z.ZodMiniType) => JsonSchema

const writers: Record<string, Writer> = {
  object: objectOf,
  array: ({ element }, notes) => ({ type: 'array', items: inner(element, notes) }),
  record: ({ valueType }, notes) => ({
    type: 'object',
    additionalProperties: inner(valueType, notes),
  }),
  union: ({ options = [] }, notes) => ({
    anyOf: options.map((option) => schemaOf(option, notes)),
  }),
  optional: ({ innerType }, notes) => inner(innerType, notes),
  nullable: ({ innerType }, notes) => orNull(inner(innerType, notes)),
  enum: ({ entries }) => ({ type: 'string', enum: Object.values(entries ?? {}) }),
  literal: ({ values: [value] = [] }) => ({ const: value }),
  boolean: () => ({ type: 'boolean' }),
  // JSON has no dates, so they are strings.
  date: () => ({ type: 'string', format: 'date-time' }),
  number: ({ format }, _, schema) => ({
    type: format === 'safeint' ? 'integer' : 'number',
    ...limits(schema),
  }),
  string: ({ format }, _, schema) => ({
    type: 'string',
    ...(format ? { format: formats[format] ?? format } : {}),
    ...limits(schema),
  }),
}

/** JSON Schema's format names, keyed by zod's names. Lists only names that differ. */
const formats: Record<string, string> = { guid: 'uuid', datetime: 'date-time' }

function objectOf(
  { shape = {}, catchall }: Definition,
  notes: Notes,
  schema: z.ZodMiniType,
): JsonSchema {
  const fields = Object.entries(shape).filter(
    ([, field]) => definitionInside(field).type !== 'undefined',
  )
  const required = fields.filter(([, field]) => !isOptional(field)).map(([field]) => field)
  const properties = fields.map(([field, value]) => [
    field,
    {
      ...schemaOf(value, notes),
      ...(isAssumed(value) ? { 'x-assumption': 'required' } : {}),
      ...notes.keywordsOf(schema, field),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(catchall ? { additionalProperties: definitionOf(catchall).type !== 'never' } : {}),
  }
}

export function deprecated(deprecation: Deprecation | undefined): JsonSchema {
  if (!deprecation) return {}
  const { replacement, removal } = deprecation
  const until = removal ? ` Removal on or after ${removal}.` : ''
  return {
    deprecated: true,
    description: `Deprecated. Use ${replacement}.${until}`,
    ...(removal ? { 'x-removal-date': removal } : {}),
  }
}

function inner(schema: z.ZodMiniType | undefined, notes: Notes): JsonSchema {
  return schema ? schemaOf(schema, notes) : {}
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  return typeof type === 'string'
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

function isAssumed(schema: z.ZodMiniType): boolean {
  return strictFormOf(schema)?.kind === 'required'
}

function valuesOf(schema: z.ZodMiniType): string[] {
  return Object.values(definitionOf(schema).entries ?? {})
}

function limits(schema: z.ZodMiniType): JsonSchema {
  return Object.assign({}, ...limitsOf(schema).map(limitOf))
}

function limitOf({ check, value, maximum, pattern }: Limit): JsonSchema {
  if (check === 'greater_than') return { minimum: value }
  if (check === 'less_than' && value !== Number.MAX_SAFE_INTEGER) return { maximum: value }
  if (check === 'max_length') return { maxLength: maximum }
  return pattern ? { pattern: pattern.source } : {}
}
