import { knownEventTypes } from '../../src/contract/values/event-types.ts'
import { type OpenApiDocument, openApi } from '../../src/openapi/document.ts'
import { tableOf } from '../../src/shared/narrow.ts'
import { Mock } from '../mock.ts'
import { mapValues } from '../shared/lists.ts'

/** The maximum number of items in each list and map of an example. */
const shownItems = 1

let examples: Record<string, object> | undefined

/**
 * Returns the service's OpenAPI document with a generated example of each known event type.
 *
 * @param url The service's base URL. Default: `/`.
 */
export function serviceDocument(url?: string): OpenApiDocument {
  examples ??= generateEvents()
  return openApi({ ...(url === undefined ? {} : { url }), eventExamples: examples })
}

function generateEvents(): Record<string, object> {
  const team = new Mock({ deprecatedFields: 'never' }).defaultTeam
  return tableOf(knownEventTypes, (type) => Object(shorten(team.trigger(type).body)))
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shownItems).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return mapValues(Object(value), (field, name) =>
    name === 'resource_availability' ? firstOf(Object(field)) : shorten(field),
  )
}

function firstOf(map: object): object {
  return Object.fromEntries(Object.entries(map).slice(0, shownItems))
}
