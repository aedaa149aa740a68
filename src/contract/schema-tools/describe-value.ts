import { uuidPattern } from '../../shared/narrow.ts'
import { knownEventTypes } from '../values/event-types.ts'
import {
  appointmentEventStatuses,
  appointmentProviders,
  appointmentStatuses,
  appointmentTypes,
  bulkOpStatuses,
  markerTypes,
  providerAuthTypes,
  sourceTypes,
} from '../values/known-values.ts'
import { bulkImportProviders, connectionProviders } from '../values/providers.ts'
import { supportedResources } from '../values/resources.ts'

/** Known values that reveal nothing about a person. */
const impersonalValues: ReadonlySet<string> = new Set([
  ...appointmentEventStatuses,
  ...appointmentProviders,
  ...appointmentStatuses,
  ...appointmentTypes,
  ...bulkImportProviders,
  ...bulkOpStatuses,
  ...connectionProviders,
  ...knownEventTypes,
  ...markerTypes,
  ...providerAuthTypes,
  ...sourceTypes,
  ...supportedResources,
])

/**
 * Quotes known values that reveal nothing about a person, such as statuses and provider slugs. Describes any other
 * string as a UUID or by its length, because it may contain a name, a key or health data.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    if (impersonalValues.has(value)) return `'${value}'`
    return uuidPattern.test(value) ? 'a UUID' : `a string of ${value.length} characters`
  }
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Describes an expected value. Shows short strings other than UUIDs, because the case itself sent them. */
export function describeExpectedValue(value: unknown): string {
  if (typeof value !== 'string' || uuidPattern.test(value) || value.length > 60)
    return describeValue(value)
  return `'${value}'`
}

/** Describes a found value, as `another …` if the expected value has the same description. */
export function describeFound(found: unknown, expected: unknown): string {
  const text = describeValue(found)
  return text === describeValue(expected) ? text.replace(/^an? /, 'another ') : text
}
