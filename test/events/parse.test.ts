import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ConnectionEvent,
  type DailyDataEvent,
  EventError,
  isUnknownEvent,
  parseEvent,
  recordsOf,
  type ServiceEvent,
  sourceOf,
  supportedResources,
  type UnknownEvent,
} from '../../src/events/index.ts'
import { runsOf } from '../support/long-tests.ts'
import { fc } from '../support/properties.ts'

const user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

/** An event with nothing more than it needs. */
function event(event_type: string, data: object = {}): ServiceEvent {
  return parseEvent({ event_type, user_id, data })
}

const dataTypes = supportedResources.flatMap((resource) => [
  `daily.data.${resource}.created`,
  `daily.data.${resource}.updated`,
  `historical.data.${resource}.created`,
])
const knownTypes = [
  ...dataTypes,
  'historical.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.created',
  'daily.timeseries.hypnogram.updated',
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.result.critical',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
]

it('knows the types of part 6 for every resource, and the assumed ones', () => {
  for (const type of knownTypes) {
    expect([type, isUnknownEvent(event(type))]).toEqual([type, false])
  }
  const connection = event('provider.connection.created', { provider: { slug: 'oura' } })
  expect(isUnknownEvent(connection)).toBe(false)
})

it.each([
  'historical.data.sleep.updated',
  'daily.data.moods.created',
  'daily.data.sleep.deleted',
  'daily.timeseries.sleep.created',
  'provider.connection.renewed',
  'toString',
])('accepts the unknown type %s unchanged', (event_type) => {
  const value = { event_type }
  const parsed = parseEvent(value)
  expect(parsed).toBe(value)
  expect(isUnknownEvent(parsed)).toBe(true)
})

it('returns the value itself, with unknown fields', () => {
  const value = { event_type: 'daily.data.sleep.created', user_id, data: { x: 1 }, more: [2] }
  expect(parseEvent(value)).toBe(value)
})

it.each([
  [null, ''],
  ['text', ''],
  [[], ''],
  [{}, 'event_type'],
  [{ event_type: 1 }, 'event_type'],
  [{ event_type: 'daily.data.sleep.created', data: {} }, 'user_id'],
  [{ event_type: 'daily.data.sleep.created', user_id }, 'data'],
  [{ event_type: 'daily.data.sleep.created', user_id, data: [] }, 'data'],
  [{ event_type: 'daily.data.sleep.created', user_id, data: { source: 'oura' } }, 'data.source'],
  [
    { event_type: 'daily.data.sleep.created', user_id, data: { source: { provider: 1 } } },
    'data.source.provider',
  ],
  [{ event_type: 'provider.connection.created', user_id, data: {} }, 'data.provider'],
  [
    { event_type: 'provider.connection.created', user_id, data: { provider: { name: 'Oura' } } },
    'data.provider.slug',
  ],
  [
    { event_type: 'provider.connection.created', user_id, data: { source: {} } },
    'data.source.slug',
  ],
])('rejects %j and names %s', (value, path) => {
  expect(() => parseEvent(value)).toThrow(
    expect.objectContaining({ name: 'EventError', code: 'event_invalid', path }),
  )
})

const connected = { event_type: 'provider.connection.created', user_id }

it.each<[value: unknown, message: string]>([
  [[], 'Expected the event to be an object.'],
  [{ event_type: '' }, 'Expected event_type to be a non-empty string.'],
  [{ event_type: 'daily.data.sleep.created', data: {} }, 'Expected user_id to be a string.'],
  [{ event_type: 'daily.data.sleep.created', user_id }, 'Expected data to be an object.'],
  [
    { event_type: 'daily.data.sleep.created', user_id, data: { source: 'oura' } },
    'Expected data.source to be an object.',
  ],
  ...['provider', 'type', 'app_id', 'name', 'slug', 'logo'].map((name): [unknown, string] => [
    { event_type: 'daily.data.sleep.created', user_id, data: { source: { [name]: 1 } } },
    `Expected data.source.${name} to be a string.`,
  ]),
  [{ ...connected, data: {} }, 'Expected data.provider to be an object.'],
  [{ ...connected, data: { provider: {} } }, 'Expected data.provider.slug to be a string.'],
  [
    { ...connected, data: { provider: { slug: 'oura' }, resource_availability: [] } },
    'Expected data.resource_availability to be an object.',
  ],
])('reports for %j: %s', (value, message) => {
  expect(() => parseEvent(value)).toThrow(expect.objectContaining({ message }))
})

it.each([
  ['daily.data.sleep.created', { source: null }],
  ['daily.data.sleep.created', { source: { provider: null, type: undefined } }],
  ['labtest.order.created', { source: 'a text, as nothing is known of it' }],
  ['provider.connection.created', { provider: { slug: 'oura' }, resource_availability: null }],
  [
    'provider.connection.created',
    { provider: { slug: 'oura' }, resource_availability: { sleep: {} }, source: 'oura' },
  ],
])('accepts %s with %j', (event_type, data) => {
  const value = { event_type, user_id, data }
  expect(parseEvent(value)).toBe(value)
})

it.each(['daily.data.sleep.created', 'provider.connection.created'])(
  'reads only the fields of %s that it needs, because an event may have very many',
  (event_type) => {
    let copies = 0
    const ownKeys = (target: object) => {
      copies += 1
      return Reflect.ownKeys(target)
    }
    const source = new Proxy({ provider: 'oura', slug: 'oura' }, { ownKeys })
    const data = new Proxy({ source, provider: source, resource_availability: {} }, { ownKeys })
    expect(sourceOf(event(event_type, data))?.provider).toBe('oura')
    expect(copies).toBe(0)
  },
)

it('returns or throws its typed error for any JSON', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        event_type: fc.constantFrom(...knownTypes, 'provider.connection.created', 'x'),
        user_id: fc.jsonValue(),
        data: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(value, (json) => {
      try {
        const parsed = parseEvent(json)
        expect(parsed).toBe(json)
        // What was parsed can be read.
        recordsOf(parsed)
        sourceOf(parsed)
      } catch (error) {
        expect(error).toBeInstanceOf(EventError)
      }
    }),
    { numRuns: runsOf(3000) },
  )
})

describe('records', () => {
  const type = 'daily.data.heartrate.created'

  it.each([
    ['an array', { data: [{ value: 1 }, { value: 2 }] }, [{ value: 1 }, { value: 2 }]],
    ['one record', { data: { value: 1 } }, [{ value: 1 }]],
    [
      'a bare record',
      { value: 1, source: { provider: 'oura' } },
      [{ value: 1, source: { provider: 'oura' } }],
    ],
    ['none', { source: { provider: 'oura' }, user_id, is_final: true }, []],
    ['none but dates', { provider: 'oura', start_date: '2025-01-01', end_date: '2025-01-02' }, []],
    ['nothing at all', {}, []],
    ['an empty array', { data: [] }, []],
    ['values that are not records', { data: [1, null, 'x'] }, []],
  ])('are found in %s', (_, data, expected) => {
    expect(recordsOf(event(type, data))).toEqual(expected)
  })

  it('are empty for other events', () => {
    expect(recordsOf(event('labtest.order.created', { data: [{ id: 1 }] }))).toEqual([])
    expect(recordsOf(event('other.thing', { data: [{ id: 1 }] }))).toEqual([])
  })
})

describe('the source', () => {
  it.each([
    [
      'current fields',
      { provider: 'oura', type: 'ring', app_id: null },
      { provider: 'oura', type: 'ring', app_id: undefined },
    ],
    [
      'deprecated fields',
      { slug: 'oura', name: 'Oura', logo: 'x' },
      { provider: 'oura', type: undefined, app_id: undefined },
    ],
    [
      'both',
      { provider: 'garmin', slug: 'oura' },
      { provider: 'garmin', type: undefined, app_id: undefined },
    ],
    [
      'an app',
      { provider: 'apple_health_kit', type: 'app', app_id: 'com.example.app' },
      { provider: 'apple_health_kit', type: 'app', app_id: 'com.example.app' },
    ],
  ])('is read from %s', (_, source, expected) => {
    expect(sourceOf(event('daily.data.sleep.created', { source }))).toEqual(expected)
  })

  it.each([
    ['provider', { provider: { slug: 'oura' }, source: { slug: 'garmin' } }, 'oura'],
    ['the deprecated source', { source: { slug: 'garmin' } }, 'garmin'],
    ['the deprecated source beside null', { provider: null, source: { slug: 'garmin' } }, 'garmin'],
  ])('of a connection is read from %s', (_, data, provider) => {
    expect(sourceOf(event('provider.connection.created', data))).toMatchObject({ provider })
  })

  it('is undefined for events without a source', () => {
    expect(sourceOf(event('daily.data.sleep.created', {}))).toBeUndefined()
    expect(sourceOf(event('labtest.order.created', {}))).toBeUndefined()
    const source = { provider: 'oura' }
    expect(sourceOf(event('labtest.order.created', { source }))).toBeUndefined()
    expect(sourceOf(event('other.thing', {}))).toBeUndefined()
  })
})

it('narrows known types and leaves unknown types open', () => {
  const handle = (given: ServiceEvent) => {
    if (given.event_type === 'daily.data.sleep.created') {
      expectTypeOf(given).toExtend<DailyDataEvent<'sleep'>>()
      return 'sleep'
    }
    if (given.event_type === 'provider.connection.created') {
      expectTypeOf(given).toExtend<ConnectionEvent>()
      return given.data.provider?.slug
    }
    if (isUnknownEvent(given)) {
      expectTypeOf(given).toExtend<UnknownEvent>()
      return 'unknown'
    }
    return 'known'
  }
  expect(handle(event('daily.data.sleep.created'))).toBe('sleep')
  expect(handle(event('provider.connection.created', { provider: { slug: 'oura' } }))).toBe('oura')
  expect(handle(event('a.new.type'))).toBe('unknown')
  expect(handle(event('labtest.order.created'))).toBe('known')
})
