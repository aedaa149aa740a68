import * as z from 'zod/mini'
import { describeExpected } from '../../src/contract/schema/check.ts'
import { compileValidator } from '../../src/contract/schema/compile.ts'
import { type Definition, knownPath, unwrap } from '../../src/contract/schema/definition.ts'
import { type Expectation, findIssues, type SchemaIssue } from '../../src/contract/schema/issues.ts'
import { isObject } from '../../src/contract/schema/object.ts'
import { type Strictness, strictFormOf } from '../../src/contract/schema/schema.ts'
import { unprocessable, type ValidationDetail } from '../base/http-error.ts'
import { ownValue } from '../base/object.ts'
import type { ParsedRequest, RequestSchemas } from './parse-request.ts'

/** Rules of a request that the contract's schemas cannot express. Values may be of any type. */
export type Rules = (request: ParsedRequest) => ValidationDetail[]

const allKinds: readonly Strictness[] = ['required', 'value', 'format']
const withoutValues: readonly Strictness[] = ['required', 'format']

/** For values of which only the types are checked. */
export const typesOnly: readonly Strictness[] = []

/**
 * Checks a request against its endpoint. The 422 names every invalid value.
 *
 * @throws {HttpError} 422
 */
export function checkRequest(
  { endpoint, rules }: { endpoint: RequestSchemas; rules: Rules },
  request: ParsedRequest,
  strictEnumerations: boolean,
): void {
  const kinds = strictEnumerations ? allKinds : withoutValues
  const { params, query, body } = endpoint
  const details = [
    ...(params ? findDetails(paramsSchema(params), request.params, 'path', kinds) : []),
    ...(query ? findDetails(query, request.query, 'query', kinds) : []),
    ...(request.malformed ? [request.malformed] : []),
    ...(body && !request.malformed ? findDetails(body, request.body, 'body', kinds) : []),
    ...rules(request),
  ]
  if (details.length > 0) throw unprocessable(details)
}

const paramsSchemas = new WeakMap<object, z.ZodMiniType>()

/** Returns the parameters of a path as one schema. */
function paramsSchema(params: Record<string, z.ZodMiniType>): z.ZodMiniType {
  const schema = paramsSchemas.get(params) ?? z.object(params)
  paramsSchemas.set(params, schema)
  return schema
}

/** The largest number of invalid values in a 422: a large body may have millions. */
export const mostDetails = 1000

/** Returns the invalid values of a part of a request: `path`, `query` or `body`. */
export function findDetails(
  schema: z.ZodMiniType,
  value: unknown,
  part: string,
  kinds: readonly Strictness[] = typesOnly,
): ValidationDetail[] {
  const strict = strictValidator(schema, kinds)
  if (strict.accepts(value)) return []
  const details: ValidationDetail[] = []
  for (const issue of walkIssues(strict.schema, value)) {
    details.push(detailOf(issue, value, part))
    if (details.length === mostDetails) break
  }
  return details
}

/** Finds the issues of one item of a list after the other, so that the search can stop early. */
function* walkIssues(
  schema: z.ZodMiniType,
  value: unknown,
  path: SchemaIssue['path'] = [],
): Generator<SchemaIssue> {
  const { shape, element } = (unwrap(schema)?._zod.def ?? {}) as Partial<Definition>
  if (element && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walkIssues(element, item, [...path, index])
  } else if (shape && isObject(value)) {
    for (const [name, field] of Object.entries(shape)) {
      yield* walkIssues(field, ownValue(value, name), [...path, name])
    }
  } else {
    for (const issue of findIssues(schema, value)) {
      yield { ...issue, path: [...path, ...knownPath(schema, issue.path)] }
    }
  }
}

function detailOf(issue: SchemaIssue, value: unknown, part: string): ValidationDetail {
  const { path } = issue
  const input = ownValueAt(value, path)
  const loc = [part, ...path]
  if (input === undefined && !path.includes('*')) {
    return { type: 'missing', loc, msg: 'Field required', input: null }
  }
  // Every number in a query is an integer.
  const isInteger = part === 'query' && issue.kind === 'number'
  return invalidValue(isInteger ? { kind: 'integer' } : issue, loc, input)
}

/** Returns the detail of an invalid value in a 422. */
export function invalidValue(
  expectation: Expectation,
  loc: ValidationDetail['loc'],
  input: unknown,
): ValidationDetail {
  const msg = `Input should be ${describeExpected(expectation)}`
  return { type: issueTypes[expectation.kind], loc, msg, input: input ?? null }
}

/** Returns the value at a path; undefined if a property is missing or inherited. */
export function ownValueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((parent, key) => ownValue(Object(parent), String(key)), value)
}

/** The `type` of a detail in a 422, by kind of issue. */
const issueTypes: Record<Expectation['kind'], string> = {
  integer: 'int_type',
  number: 'float_type',
  string: 'string_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'dict_type',
  uuid: 'uuid_parsing',
  'date-time': 'datetime_parsing',
  date: 'date_parsing',
  enum: 'enum',
  too_small: 'greater_than_equal',
  too_big: 'less_than_equal',
  too_long: 'string_too_long',
  email: 'value_error',
  rule: 'value_error',
  other: 'value_error',
}

/** A schema that requires what the specification says, with its compiled validator. */
interface StrictValidator {
  schema: z.ZodMiniType
  accepts: (value: unknown) => boolean
}

/** By schema and by the list of kinds, of which there are only a few. */
const validators = new WeakMap<z.ZodMiniType, Map<readonly Strictness[], StrictValidator>>()

/** Returns the validator of a schema with these kinds of strictness; it is compiled once. */
export function strictValidator(
  schema: z.ZodMiniType,
  kinds: readonly Strictness[],
): StrictValidator {
  const known = validators.get(schema) ?? new Map<readonly Strictness[], StrictValidator>()
  const found = known.get(kinds)
  if (found) return found
  const strict = strictSchema(schema, kinds)
  const validator = { schema: strict, accepts: compileValidator(strict) }
  validators.set(schema, known.set(kinds, validator))
  return validator
}

/** Replaces lenient schemas by their strict forms, in depth. */
function strictSchema(schema: z.ZodMiniType, kinds: readonly Strictness[]): z.ZodMiniType {
  const strict = strictFormOf(schema)
  if (strict) {
    if (kinds.includes(strict.kind)) return strictSchema(strict.schema, kinds)
    return strict.kind === 'required' ? z.nullish(strictSchema(strict.schema, kinds)) : schema
  }
  const def = schema._zod.def as Definition & { catchall?: z.ZodMiniType }
  switch (def.type) {
    case 'object': {
      const shape = Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, inner]) => [name, strictSchema(inner, kinds)]),
      )
      return def.catchall ? z.looseObject(shape) : z.object(shape)
    }
    case 'array':
      return def.element ? z.array(strictSchema(def.element, kinds)) : schema
    case 'optional':
      return def.innerType ? z.optional(strictSchema(def.innerType, kinds)) : schema
    case 'nullable':
      return def.innerType ? z.nullable(strictSchema(def.innerType, kinds)) : schema
    case 'union':
      return z.union((def.options ?? []).map((option) => strictSchema(option, kinds)))
    case 'record':
      return def.valueType ? z.record(z.string(), strictSchema(def.valueType, kinds)) : schema
    default:
      return schema
  }
}
