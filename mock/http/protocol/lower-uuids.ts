import type * as z from 'zod/mini'
import { memo } from '../../../src/contract/memo.ts'
import { ownValue } from '../../../src/contract/narrow.ts'
import { isObject } from '../../../src/contract/schema/object.ts'
import { uuid } from '../../../src/contract/schema/schema.ts'
import { definitionInside, unwrap } from '../../../src/contract/schema/walk.ts'
import { lowerUuid } from '../../state/records/record-key.ts'
import type { ParsedRequest, RequestSchemas } from '../parse-request.ts'

/** Returns a request with its UUIDs in lower case. In a body, the schema says which strings are UUIDs. */
export function lowerUuids(
  { body: schema }: RequestSchemas,
  request: ParsedRequest,
): ParsedRequest {
  return {
    ...request,
    params: lowerValues(request.params),
    query: lowerValues(request.query),
    body: schema && !request.malformed ? lowerIn(schema, request.body) : request.body,
  }
}

function lowerValues<T>(values: Record<string, T>): Record<string, T> {
  let lowered = values
  for (const [name, value] of Object.entries(values)) {
    const lower = lowerUuid(value)
    if (lower !== value) lowered = { ...lowered, [name]: lower }
  }
  return lowered
}

/** Returns the value itself if no UUID in it has an upper-case letter: a copy of a large body takes memory. */
function lowerIn(schema: z.ZodMiniType, value: unknown): unknown {
  if (unwrap(schema) === uuid) return lowerUuid(value)
  const { fields, element } = uuidsIn(schema)
  if (fields.length > 0 && isObject(value)) return lowerFields(fields, value)
  if (!element || !Array.isArray(value)) return value
  const items = value.map((item) => lowerIn(element, item))
  return items.some((item, index) => item !== value[index]) ? items : value
}

function lowerFields(fields: UuidSchemas['fields'], value: Record<string, unknown>): object {
  let lowered = value
  for (const [name, field] of fields) {
    const before = ownValue(value, name)
    const after = lowerIn(field, before)
    if (after !== before) lowered = { ...lowered, [name]: after }
  }
  return lowered
}

/** The parts of a schema that contain UUIDs. */
interface UuidSchemas {
  fields: readonly (readonly [name: string, schema: z.ZodMiniType])[]
  element: z.ZodMiniType | undefined
}

const uuidsIn = memo((schema: z.ZodMiniType): UuidSchemas => {
  const { shape = {}, element } = definitionInside(schema)
  return {
    fields: Object.entries(shape).filter(([, field]) => containsUuid(field)),
    element: element && containsUuid(element) ? element : undefined,
  }
})

function containsUuid(schema: z.ZodMiniType): boolean {
  if (unwrap(schema) === uuid) return true
  const { fields, element } = uuidsIn(schema)
  return fields.length > 0 || element !== undefined
}
