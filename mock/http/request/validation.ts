import * as z from 'zod/mini'
import { describeExpected } from '../../../src/contract/schema-tools/check.ts'
import { compileValidator } from '../../../src/contract/schema-tools/compile.ts'
import {
  type Expectation,
  findIssues,
  type SchemaIssue,
} from '../../../src/contract/schema-tools/issues.ts'
import { type Strictness, strictFormOf } from '../../../src/contract/schema-tools/schema.ts'
import { knownPath, mapSchema } from '../../../src/contract/schema-tools/walk.ts'
import { memo } from '../../../src/shared/memo.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import { unprocessable, type ValidationDetail } from '../http-error.ts'
import type { ParsedRequest, RequestSchemas } from './parse-request.ts'

/**
 * Checks rules that the contract's schemas cannot express. Called even if the request violates the schemas, so the
 * request's values can have any type.
 */
export type Rules = (request: ParsedRequest) => ValidationDetail[]

const allKinds: readonly Strictness[] = ['required', 'value', 'format']
const withoutValues: readonly Strictness[] = ['required', 'format']

export const typesOnly: readonly Strictness[] = []

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

// Cached, because creating a schema for each request is slow.
const paramsSchema = memo((params: Record<string, z.ZodMiniType>) => z.object(params))

/** The maximum number of invalid values to report. A large body may contain millions of them. */
export const mostDetails = 1000

/** @param part `path`, `query` or `body`. */
export function findDetails(
  schema: z.ZodMiniType,
  value: unknown,
  part: string,
  kinds: readonly Strictness[] = typesOnly,
): ValidationDetail[] {
  const strict = strictValidator(schema, kinds)
  if (strict.accepts(value)) return []
  return findIssues(strict.schema, value, mostDetails).map((issue) =>
    detailOf({ ...issue, path: knownPath(strict.schema, issue.path) }, value, part),
  )
}

function detailOf(issue: SchemaIssue, value: unknown, part: string): ValidationDetail {
  const { path } = issue
  const input = ownValueAt(value, path)
  const loc = [part, ...path]
  if (input === undefined && !path.includes('*')) {
    return { type: 'missing', loc, msg: 'Field required', input: null }
  }
  // All numeric query parameters are integers.
  const isInteger = part === 'query' && issue.kind === 'number'
  return invalidValue(isInteger ? { kind: 'integer' } : issue, loc, input)
}

export function invalidValue(
  expectation: Expectation,
  loc: ValidationDetail['loc'],
  input: unknown,
): ValidationDetail {
  const msg = `Input should be ${describeExpected(expectation)}`
  return { type: issueTypes[expectation.kind], loc, msg, input: input ?? null }
}

/** Returns the value at a path, or undefined if a property is missing or inherited. */
export function ownValueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((parent, key) => ownValue(Object(parent), String(key)), value)
}

/** The `type` in a 422 detail, by expected kind. */
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

/** A schema with the specification's requirements, and its compiled validator. */
interface StrictValidator {
  schema: z.ZodMiniType
  accepts: (value: unknown) => boolean
}

/** Returns a schema's validator, which is compiled only once. */
export function strictValidator(
  schema: z.ZodMiniType,
  kinds: readonly Strictness[],
): StrictValidator {
  return validatorsOf(kinds)(schema)
}

/** Compiles each validator once. The cache compares `kinds` by identity, because the lists are constants. */
const validatorsOf = memo((kinds: readonly Strictness[]) =>
  memo((schema: z.ZodMiniType): StrictValidator => {
    const strict = strictSchema(schema, kinds)
    return { schema: strict, accepts: compileValidator(strict) }
  }),
)

function strictSchema(schema: z.ZodMiniType, kinds: readonly Strictness[]): z.ZodMiniType {
  const strict = strictFormOf(schema)
  if (strict) {
    if (kinds.includes(strict.kind)) return strictSchema(strict.schema, kinds)
    return strict.kind === 'required' ? z.nullish(strictSchema(strict.schema, kinds)) : schema
  }
  return mapSchema(schema, (part) => strictSchema(part, kinds))
}
