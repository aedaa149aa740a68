import type {
  ConnectionEvent,
  EventProvider,
  KnownEvent,
  ServiceEvent,
  UnknownEvent,
} from '../contract/events.ts'
import { familyOf } from '../contract/values/event-types.ts'
import { EventError } from './errors.ts'

/** Whether an event is of a type that this version of the package does not know. */
export function isUnknownEvent(event: ServiceEvent): event is UnknownEvent {
  return familyOf(event.event_type) === undefined
}

/**
 * Checks that a parsed body is an event (specification part 6), and tells its type apart. The value itself is returned.
 * Unknown types and fields pass; deprecated fields are never required.
 *
 * @throws {EventError} `event_invalid` when it is no event, or lacks what an event of its type has.
 */
export function parseEvent(value: unknown): ServiceEvent {
  if (!isObject(value)) throw invalid('', 'an object')
  const { event_type: type } = value
  if (typeof type !== 'string' || type === '') throw invalid('event_type', 'a text')
  const family = familyOf(type)
  if (family) {
    if (typeof value['user_id'] !== 'string') throw invalid('user_id', 'a text')
    if (!isObject(value['data'])) throw invalid('data', 'an object')
    if (family === 'data') checkData(value['data'])
    if (family === 'connection') checkConnection(value['data'])
  }
  // Just checked, as far as the types tell of it.
  return value as unknown as ServiceEvent
}

function checkData({ source }: Record<string, unknown>): void {
  if (source === undefined || source === null) return
  if (!isObject(source)) throw invalid('data.source', 'an object')
  for (const name of ['provider', 'type', 'app_id', 'name', 'slug', 'logo']) {
    const field = source[name]
    if (field !== undefined && field !== null && typeof field !== 'string') {
      throw invalid(`data.source.${name}`, 'a text')
    }
  }
}

function checkConnection({
  provider,
  source,
  resource_availability,
}: Record<string, unknown>): void {
  const [name, told] = isAbsent(provider) ? ['source', source] : ['provider', provider]
  if (!isObject(told)) throw invalid('data.provider', 'an object')
  if (typeof told['slug'] !== 'string') throw invalid(`data.${name}.slug`, 'a text')
  if (!isAbsent(resource_availability) && !isObject(resource_availability)) {
    throw invalid('data.resource_availability', 'an object')
  }
}

/** Where data comes from, or which provider was connected. */
export interface EventOrigin {
  /** The provider's slug. */
  provider: string | undefined
  /** Such as `ring`; undefined for a connection. */
  type: string | undefined
  app_id: string | undefined
}

/**
 * Where the data of an event comes from, or which provider was connected: the current fields, else the deprecated ones.
 * Undefined for an event that does not tell.
 */
export function sourceOf(event: ServiceEvent): EventOrigin | undefined {
  const family = familyOf(event.event_type)
  const { data } = event as KnownEvent
  if (family === 'connection') {
    const { provider, source } = data as ConnectionEvent['data']
    const { slug } = (provider ?? source) as EventProvider
    return { provider: slug, type: undefined, app_id: undefined }
  }
  const source = isObject(data) ? data['source'] : undefined
  if (family !== 'data' || !isObject(source)) return undefined
  return {
    provider: textOf(source['provider']) ?? textOf(source['slug']),
    type: textOf(source['type']),
    app_id: textOf(source['app_id']),
  }
}

/** Fields of the content of a data event that are no part of a record. */
const aroundRecords = ['source', 'user_id', 'is_final', 'provider', 'start_date', 'end_date']

/**
 * The records of a data event, in whatever shape it has: the items of `data.data`, the one record that stands in
 * `data.data` or in `data` itself, or none.
 */
export function recordsOf(event: ServiceEvent): Record<string, unknown>[] {
  const { data: content } = event
  if (familyOf(event.event_type) !== 'data' || !isObject(content)) return []
  if ('data' in content) return [content['data']].flat().filter(isObject)
  const isRecord = Object.keys(content).some((name) => !aroundRecords.includes(name))
  return isRecord ? [content] : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(path: string, expected: string): EventError {
  const where = path === '' ? 'the event' : path
  return new EventError('event_invalid', `Expected ${where} to be ${expected}.`, path)
}
