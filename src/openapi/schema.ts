import type * as z from 'zod/mini'
import { type Definition, unwrap } from '../contract/schema/definition.ts'
import type { Deprecation } from '../contract/schema/endpoint.ts'
import { toldOf } from '../contract/schema/schema.ts'

/** A schema as OpenAPI 3.1 writes it: JSON Schema, draft 2020-12. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** What the document says of a schema beyond the schema itself. */
export interface Notes {
  /** The name by which the schema is referred to. */
  nameOf(schema: z.ZodMiniType): string | undefined
  /** Further keywords of a field: its default, its deprecation. */
  keywordsOf(schema: z.ZodMiniType, field: string): JsonSchema
}

/** A schema, or the reference to it where it has a name. */
export function schemaOf(schema: z.ZodMiniType, notes: Notes): JsonSchema {
  const name = notes.nameOf(schema)
  return name ? { $ref: `#/components/schemas/${name}` } : definitionOf(schema, notes)
}

/** A schema written out, with what the specification tells of it beyond what a check insists on. */
export function definitionOf(schema: z.ZodMiniType, notes: Notes): JsonSchema {
  const told = toldOf(schema)
  if (told?.kind === 'value') {
    return { type: 'string', 'x-extensible-enum': valuesOf(told.schema) }
  }
  if (told) return schemaOf(told.schema, notes)
  const def = schema._zod.def as Full
  return writers[def.type]?.(def, notes, schema) ?? {}
}

/** Whether a field may be left out. Where the specification leaves that open, it may. */
export function isOptional(schema: z.ZodMiniType): boolean {
  return isPresumed(schema) || schema._zod.def.type === 'optional'
}

/** The parts of a zod definition that end up in a document. */
interface Full extends Definition {
  format?: string
  checks?: { _zod: { def: Check } }[]
  entries?: Record<string, string>
}

interface Check {
  check: string
  value?: number
  maximum?: number
  pattern?: RegExp
}

type Writer = (def: Full, notes: Notes, schema: z.ZodMiniType) => JsonSchema

const writers: Record<string, Writer> = {
  object: objectOf,
  array: ({ element }, notes) => ({ type: 'array', items: inner(element, notes) }),
  record: ({ valueType }, notes) => ({
    type: 'object',
    additionalProperties: inner(valueType, notes),
  }),
  union: ({ options = [] }, notes) => ({ anyOf: options.map((one) => schemaOf(one, notes)) }),
  optional: ({ innerType }, notes) => inner(innerType, notes),
  nullable: ({ innerType }, notes) => orNull(inner(innerType, notes)),
  enum: ({ entries }) => ({ type: 'string', enum: Object.values(entries ?? {}) }),
  boolean: () => ({ type: 'boolean' }),
  number: ({ format, checks }) => ({
    type: format === 'safeint' ? 'integer' : 'number',
    ...limits(checks),
  }),
  string: ({ format, checks }) => ({
    type: 'string',
    ...(format ? { format: formats[format] ?? format } : {}),
    ...limits(checks),
  }),
}

/** zod's names of formats, where JSON Schema has others. */
const formats: Record<string, string> = { guid: 'uuid', datetime: 'date-time' }

function objectOf({ shape = {} }: Full, notes: Notes, schema: z.ZodMiniType): JsonSchema {
  const fields = Object.entries(shape).filter(
    ([, field]) => unwrap(field)?._zod.def.type !== 'undefined',
  )
  const required = fields.filter(([, field]) => !isOptional(field)).map(([field]) => field)
  const properties = fields.map(([field, value]) => [
    field,
    {
      ...schemaOf(value, notes),
      ...(isPresumed(value) ? { 'x-presumed': 'required' } : {}),
      ...notes.keywordsOf(schema, field),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** What a document says of a deprecation: the replacement in words, the day of removal for programs. */
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

function isPresumed(schema: z.ZodMiniType): boolean {
  return toldOf(schema)?.kind === 'presence'
}

function valuesOf(schema: z.ZodMiniType): string[] {
  return Object.values((schema._zod.def as unknown as Full).entries ?? {})
}

function limits(checks: Full['checks'] = []): JsonSchema {
  return Object.assign({}, ...checks.map(({ _zod }) => limitOf(_zod.def)))
}

function limitOf({ check, value, maximum, pattern }: Check): JsonSchema {
  if (check === 'greater_than') return { minimum: value }
  if (check === 'less_than' && value !== Number.MAX_SAFE_INTEGER) return { maximum: value }
  if (check === 'max_length') return { maxLength: maximum }
  return pattern ? { pattern: pattern.source } : {}
}
