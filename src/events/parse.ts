import type { EventProvider, ServiceEvent, UnknownEvent } from '../contract/events.ts'
import { familyOf } from '../contract/values/event-types.ts'
import { isObject, ownValue } from '../shared/narrow.ts'
import { EventError } from './errors.ts'

/** Returns whether an event's type is unknown to this version of the package. */
export function isUnknownEvent(event: ServiceEvent): event is UnknownEvent {
  return familyOf(event.event_type) === undefined
}

/**
 * Checks that a parsed body is an event (specification part 6) and returns the same value, typed by its `event_type`.
 * Unknown types and fields are valid, and deprecated fields are optional.
 *
 * @throws {EventError} `event_invalid` when the value is not an event, or its source or provider is invalid.
 */
export function parseEvent(value: unknown): ServiceEvent {
  if (!isObject(value)) throw toEventError('', 'an object')
  const { event_type: type } = value
  if (typeof type !== 'string' || type === '')
    throw toEventError('event_type', 'a non-empty string')
  const family = familyOf(type)
  if (family) {
    if (typeof value['user_id'] !== 'string') throw toEventError('user_id', 'a string')
    if (!isObject(value['data'])) throw toEventError('data', 'an object')
    if (family === 'data') checkData(value['data'])
    if (family === 'connection') checkConnection(value['data'])
  }
  // The checks above cover the fields that the type requires.
  return value as unknown as ServiceEvent
}

function checkData(data: Record<string, unknown>): void {
  const source = ownValue(data, 'source')
  if (source === undefined || source === null) return
  if (!isObject(source)) throw toEventError('data.source', 'an object')
  for (const name of ['provider', 'type', 'app_id', 'name', 'slug', 'logo']) {
    const field = ownValue(source, name)
    if (field !== undefined && field !== null && typeof field !== 'string') {
      throw toEventError(`data.source.${name}`, 'a string')
    }
  }
}

function checkConnection(data: Record<string, unknown>): void {
  const resource_availability = ownValue(data, 'resource_availability')
  const name = isAbsent(ownValue(data, 'provider')) ? 'source' : 'provider'
  const value = ownValue(data, name)
  if (!isObject(value)) throw toEventError('data.provider', 'an object')
  if (typeof value['slug'] !== 'string') throw toEventError(`data.${name}.slug`, 'a string')
  if (!isAbsent(resource_availability) && !isObject(resource_availability)) {
    throw toEventError('data.resource_availability', 'an object')
  }
}

/** The source of an event's data, or the connected provider. */
export interface EventOrigin {
  /** The provider's slug. */
  provider: string | undefined
  /** The type of source, such as `ring`; undefined for a connection event. */
  type: string | undefined
  /** The id of the app that recorded the data; undefined for a connection event. */
  app_id: string | undefined
}

/**
 * Returns the source of an event's data, the provider of a connection event, or undefined for an event without a
 * source. Prefers the current fields over the deprecated ones.
 */
export function sourceOf(event: ServiceEvent): EventOrigin | undefined {
  const family = familyOf(event.event_type)
  const data: Record<string, unknown> = Object(event.data)
  const source = ownValue(data, 'source')
  if (family === 'connection') {
    const { slug } = (ownValue(data, 'provider') ?? source) as EventProvider
    return { provider: slug, type: undefined, app_id: undefined }
  }
  if (family !== 'data' || !isObject(source)) return undefined
  const field = (name: string) => stringOf(ownValue(source, name))
  return {
    provider: field('provider') ?? field('slug'),
    type: field('type'),
    app_id: field('app_id'),
  }
}

/** The fields in a data event's `data` that are not part of a record. */
const envelopeFields = ['source', 'user_id', 'is_final', 'provider', 'start_date', 'end_date']

/**
 * Returns a data event's records: the items of `data.data`, or the single record in `data.data` or `data`. Returns an
 * empty list if there are none.
 */
export function recordsOf(event: ServiceEvent): Record<string, unknown>[] {
  const { data: content } = event
  if (familyOf(event.event_type) !== 'data' || !isObject(content)) return []
  if (Object.hasOwn(content, 'data')) return itemsOf(content['data']).filter(isObject)
  const isRecord = Object.keys(content).some((name) => !envelopeFields.includes(name))
  return isRecord ? [content] : []
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value] // `flat` is slow for large lists
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function toEventError(path: string, expected: string): EventError {
  const where = path === '' ? 'the event' : path
  return new EventError('event_invalid', `Expected ${where} to be ${expected}.`, path)
}
