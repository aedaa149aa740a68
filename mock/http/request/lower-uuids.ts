import type * as z from 'zod/mini'
import { uuid } from '../../../src/contract/schema-tools/schema.ts'
import { definitionInside, unwrap } from '../../../src/contract/schema-tools/walk.ts'
import { memo } from '../../../src/shared/memo.ts'
import { isObject, lowerUuid, ownValue } from '../../../src/shared/narrow.ts'
import type { ParsedRequest, RequestSchemas } from './parse-request.ts'

/** Converts a request's UUIDs to lower case. The schema determines which strings in a body are UUIDs. */
export function lowerUuids(
  { body: schema }: RequestSchemas,
  request: ParsedRequest,
): ParsedRequest {
  return {
    ...request,
    params: lowerValues(request.params),
    query: lowerValues(request.query),
    body: schema && !request.malformed ? lowerIn(uuidsIn(schema), request.body) : request.body,
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

/** Copies only changed parts, because copying a large body takes memory. */
function lowerIn({ isUuid, fields, element }: UuidPlaces, value: unknown): unknown {
  if (isUuid) return lowerUuid(value)
  if (fields.length > 0 && isObject(value)) return lowerFields(fields, value)
  return element && Array.isArray(value) ? lowerItems(element, value) : value
}

function lowerFields(fields: UuidPlaces['fields'], value: Record<string, unknown>): object {
  let lowered = value
  for (const [name, places] of fields) {
    const before = ownValue(value, name)
    const after = lowerIn(places, before)
    if (after !== before) lowered = { ...lowered, [name]: after }
  }
  return lowered
}

function lowerItems(element: UuidPlaces, items: readonly unknown[]): readonly unknown[] {
  let lowered: unknown[] | undefined
  for (const [index, item] of items.entries()) {
    const after = lowerIn(element, item)
    if (after === item) continue
    lowered ??= [...items]
    lowered[index] = after
  }
  return lowered ?? items
}

interface UuidPlaces {
  isUuid: boolean
  fields: readonly (readonly [name: string, places: UuidPlaces])[]
  element: UuidPlaces | undefined
}

// Cached, because searching a schema for each request is slow.
const uuidsIn = memo((schema: z.ZodMiniType): UuidPlaces => {
  const { shape = {}, element } = definitionInside(schema)
  const isUuid = unwrap(schema) === uuid
  const ofElement = element && uuidsIn(element)
  return {
    isUuid,
    fields: Object.entries(shape)
      .map(([name, field]) => [name, uuidsIn(field)] as const)
      .filter(([, places]) => hasUuid(places)),
    element: ofElement && hasUuid(ofElement) ? ofElement : undefined,
  }
})

function hasUuid({ isUuid, fields, element }: UuidPlaces): boolean {
  return isUuid || fields.length > 0 || element !== undefined
}
