import * as z from 'zod/mini'
import { type Issue, issuesOf } from '../src/contract/check.ts'
import { compileValidator } from '../src/contract/compile.ts'
import type { Definition } from '../src/contract/definition.ts'
import { type ToldKind, toldOf } from '../src/contract/schema.ts'
import type { ValidationDetail } from './refusal.ts'

/** A schema that insists on what the specification tells, in the kinds asked for. */
export interface Insistence {
  schema: z.ZodMiniType
  accepts: (value: unknown) => boolean
}

const compiled = new WeakMap<z.ZodMiniType, Map<string, Insistence>>()

/** The stricter form of a schema, compiled once. */
export function insistent(schema: z.ZodMiniType, kinds: readonly ToldKind[]): Insistence {
  const forms = compiled.get(schema) ?? new Map<string, Insistence>()
  compiled.set(schema, forms)
  const found = forms.get(kinds.join())
  if (found) return found
  const strict = insisting(schema, kinds)
  const form = { schema: strict, accepts: compileValidator(strict) }
  forms.set(kinds.join(), form)
  return form
}

/** Puts what is told in the place of what is accepted, in depth. */
function insisting(schema: z.ZodMiniType, kinds: readonly ToldKind[]): z.ZodMiniType {
  const told = toldOf(schema)
  if (told) {
    if (kinds.includes(told.kind)) return insisting(told.schema, kinds)
    return told.kind === 'presence' ? z.nullish(insisting(told.schema, kinds)) : schema
  }
  const def = schema._zod.def as Definition & { catchall?: z.ZodMiniType; keyType?: z.ZodMiniType }
  switch (def.type) {
    case 'object': {
      const shape = Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, inner]) => [name, insisting(inner, kinds)]),
      )
      return def.catchall ? z.looseObject(shape) : z.object(shape)
    }
    case 'array':
      return def.element ? z.array(insisting(def.element, kinds)) : schema
    case 'optional':
      return def.innerType ? z.optional(insisting(def.innerType, kinds)) : schema
    case 'nullable':
      return def.innerType ? z.nullable(insisting(def.innerType, kinds)) : schema
    case 'union':
      return z.union((def.options ?? []).map((option) => insisting(option, kinds)))
    case 'record':
      return def.valueType ? z.record(z.string(), insisting(def.valueType, kinds)) : schema
    default:
      return schema
  }
}

/** What is wrong with a part of a request, as the 422 says it. */
export function detailsOf(form: Insistence, value: unknown, part: string): ValidationDetail[] {
  if (form.accepts(value)) return []
  return issuesOf(form.schema, value).map((issue) => detailOf(issue, value, part))
}

function detailOf({ path, expected }: Issue, value: unknown, part: string): ValidationDetail {
  const way = path === 'value' ? [] : wayOf(path)
  const input = way.reduce<unknown>((at, key) => Object(at)[key], value)
  // Text of a query that is no number stayed text; every number there is an integer.
  const wanted = part === 'query' && expected === 'a number' ? 'an integer' : expected
  const isMissing = input === undefined && !path.includes('*')
  return {
    type: isMissing ? 'missing' : typeOf(wanted),
    loc: [part, ...way],
    msg: isMissing ? 'Field required' : `Input should be ${wanted}`,
    input: input ?? null,
  }
}

/** `connections[3].user_id` as its steps. */
function wayOf(path: string): (string | number)[] {
  return path
    .split(/[.[]/)
    .filter((step) => step !== '')
    .map((step) => (step.endsWith(']') ? Number(step.slice(0, -1)) : step))
}

const typesByExpectation: [start: string, type: string][] = [
  ['an integer', 'int_type'],
  ['a number', 'float_type'],
  ['a string', 'string_type'],
  ['a boolean', 'bool_type'],
  ['an array', 'list_type'],
  ['an object', 'dict_type'],
  ['a UUID', 'uuid_parsing'],
  ['a date-time', 'datetime_parsing'],
  ['a date', 'date_parsing'],
  ['one of', 'enum'],
]

function typeOf(expected: string): string {
  if (expected.endsWith('characters')) return 'string_too_long'
  if (expected.startsWith('at most')) return 'less_than_equal'
  if (expected.startsWith('at least')) return 'greater_than_equal'
  return typesByExpectation.find(([start]) => expected.startsWith(start))?.[1] ?? 'value_error'
}
