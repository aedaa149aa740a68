import type * as z from 'zod/mini'
import { suggestName } from '../../src/contract/schema-tools/nearest.ts'
import { definitionInside } from '../../src/contract/schema-tools/walk.ts'
import { unprocessable, type ValidationDetail } from '../http/http-error.ts'
import type { ParsedRequest } from '../http/request/parse-request.ts'
import { findDetails, mostDetails } from '../http/request/validation.ts'
import type { ControlOperation } from './operation.ts'

/**
 * Checks a request's values. Unknown fields are invalid, because they would have no effect.
 *
 * @throws {HttpError} with status 422 and a list of the invalid values
 */
export function checkControlRequest(
  { query, body }: ControlOperation,
  request: ParsedRequest,
  search: URLSearchParams,
): void {
  throwIfInvalid([
    ...(request.malformed ? [request.malformed] : []),
    ...(query ? findDetails(query, request.query, 'query') : []),
    ...unknownFields(query, [...search.keys()], 'query'),
  ])
  if (!body) return
  throwIfInvalid([
    ...findDetails(body, request.body, 'body'),
    ...unknownFields(body, Object.keys(Object(request.body)), 'body'),
  ])
}

function throwIfInvalid(details: ValidationDetail[]): void {
  if (details.length > 0) throw unprocessable(details)
}

function unknownFields(
  schema: z.ZodMiniType | undefined,
  names: string[],
  part: string,
): ValidationDetail[] {
  const { type = 'object', shape = {} } = definitionInside(schema)
  if (type !== 'object') return []
  const known = Object.keys(shape)
  const advice = (name: string) =>
    known.length === 0 ? 'Expected no fields.' : suggestName(name, known)
  return names
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, mostDetails)
    .map((name) => ({
      type: 'extra_forbidden',
      loc: [part, name],
      msg: `Unknown field. ${advice(name)}`,
      input: null,
    }))
}
