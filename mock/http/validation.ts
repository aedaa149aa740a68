import * as z from 'zod/mini'
import { type Issue, issuesOf } from '../../src/contract/schema/check.ts'
import { compileValidator } from '../../src/contract/schema/compile.ts'
import { type Definition, unwrap } from '../../src/contract/schema/definition.ts'
import { type Strictness, strictFormOf } from '../../src/contract/schema/schema.ts'
import type { ValidationDetail } from '../base/refusal.ts'

/** A schema that insists on what the specification tells, in the kinds asked for. */
export interface Insistence {
  schema: z.ZodMiniType
  accepts: (value: unknown) => boolean
}

const compiled = new WeakMap<z.ZodMiniType, Map<string, Insistence>>()

/** The stricter form of a schema, compiled once. */
export function insistent(schema: z.ZodMiniType, kinds: readonly Strictness[]): Insistence {
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
function insisting(schema: z.ZodMiniType, kinds: readonly Strictness[]): z.ZodMiniType {
  const told = strictFormOf(schema)
  if (told) {
    if (kinds.includes(told.kind)) return insisting(told.schema, kinds)
    return told.kind === 'required' ? z.nullish(insisting(told.schema, kinds)) : schema
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

/** A 422 names so many invalid values at most: a large body may have millions. */
export const mostDetails = 1000

/** What is wrong with a part of a request, as the 422 says it. */
export function detailsOf(form: Insistence, value: unknown, part: string): ValidationDetail[] {
  if (form.accepts(value)) return []
  const details: ValidationDetail[] = []
  for (const issue of issuesIn(form.schema, value)) {
    details.push(detailOf(issue, value, part))
    if (details.length === mostDetails) break
  }
  return details
}

/** Every issue of a value, found one item of a list after the other, so that the search can stop early. */
function* issuesIn(schema: z.ZodMiniType, value: unknown, path = ''): Generator<Issue> {
  const { shape, element } = (unwrap(schema)?._zod.def ?? {}) as Partial<Definition>
  if (element && Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* issuesIn(element, item, `${path}[${at}]`)
  } else if (shape && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = value as Record<string, unknown>
    for (const [name, field] of Object.entries(shape)) {
      const own = Object.hasOwn(fields, name) ? fields[name] : undefined
      yield* issuesIn(field, own, path ? `${path}.${name}` : name)
    }
  } else {
    yield* issuesOf(schema, value, path)
  }
}

function detailOf({ path, expected }: Issue, value: unknown, part: string): ValidationDetail {
  const way = path === 'value' ? [] : wayOf(path)
  const input = ownValueAt(value, way)
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

/** What is at the end of a way; undefined when it leads nowhere, or to what every object inherits. */
export function ownValueAt(value: unknown, way: readonly (string | number)[]): unknown {
  return way.reduce<unknown>((at, key) => {
    return Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined
  }, value)
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
