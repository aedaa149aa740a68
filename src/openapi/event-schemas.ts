import * as z from 'zod/mini'
import { Appointment } from '../contract/appointments.ts'
import { Order } from '../contract/orders.ts'
import { deprecations } from '../contract/values/deprecations.ts'
import type { SummaryResource } from '../contract/values/known-values.ts'
import { type SampledResource, sampleValuesOf } from '../contract/values/samples.ts'
import { isKeyOf } from '../shared/narrow.ts'
import { serviceNotes } from './components.ts'
import { deprecated, inlineSchema, type JsonSchema } from './schema.ts'

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const uuid = { type: 'string', format: 'uuid' }
const time = { type: 'string', format: 'date-time' }
const timeOrNull = { type: ['string', 'null'], format: 'date-time' }
const integers = { type: 'array', items: { type: 'integer' } }

export function referTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns an object schema that allows additional fields, because the specification lists only some fields. */
function open(
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  }
}

/** Returns the schema of a data event's content (specification part 6). The schema of the items in `data` is assumed. */
function dataOf(items: JsonSchema): JsonSchema {
  return open({
    data: { type: 'array', items },
    source: { anyOf: [referTo('Source'), { type: 'null' }] },
    is_final: { type: ['boolean', 'null'], ...deprecated(deprecations.isFinal) },
  })
}

/** Returns a schema for assumed content, in which every field is optional. */
function assumed(fields: typeof Order | typeof Appointment): JsonSchema {
  return { ...inlineSchema(z.partial(fields), serviceNotes), additionalProperties: true }
}

const summaries: Record<SummaryResource, string> = {
  activity: 'ActivitySummary',
  body: 'BodySummary',
  meal: 'MealSummary',
  profile: 'ProfileSummary',
  sleep: 'SleepSummary',
  workouts: 'WorkoutSummary',
}

export function dataContentOf(resource: string): string {
  if (isKeyOf(summaries, resource)) return `${summaries[resource]}Content`
  return resource === 'sleep_cycle' ? 'SleepCycleContent' : `${sampleName(resource)}Content`
}

/** The schema names for time series with value fields other than a numeric `value`. */
const sampleNames: Partial<Record<SampledResource, string>> = {
  blood_pressure: 'BloodPressureSample',
  insulin_injection: 'InsulinInjectionSample',
  note: 'NoteSample',
  workout_duration: 'WorkoutDurationSample',
  basal_body_temperature: 'TemperatureSample',
  body_temperature: 'TemperatureSample',
  body_temperature_delta: 'TemperatureSample',
}

function sampleName(resource: string): string {
  return (isKeyOf(sampleNames, resource) && sampleNames[resource]) || 'TimeSeriesSample'
}

/** Returns a sample's schema. Only `timestamp` is required (assumption). */
function sampleSchema(resource: string): JsonSchema {
  const values = Object.entries(sampleValuesOf(resource)).map(([name, type]) => {
    return [name, { type: [type === 'text' ? 'string' : 'number', 'null'] }]
  })
  return open(
    {
      id: { type: ['integer', 'null'], deprecated: true },
      timestamp: time,
      start: timeOrNull,
      end: timeOrNull,
      timezone_offset: { type: ['integer', 'null'] },
      type: textOrNull,
      unit: textOrNull,
      ...Object.fromEntries(values),
      ...(resource === 'note' && { tags: { type: ['array', 'null'], items: text } }),
    },
    ['timestamp'],
  )
}

const samples: Record<string, JsonSchema> = Object.fromEntries(
  [...Object.keys(sampleNames), 'heartrate'].flatMap((resource) => {
    const name = sampleName(resource)
    return [
      [name, sampleSchema(resource)],
      [`${name}Content`, dataOf(referTo(name))],
    ]
  }),
)

const provider = referTo('EventProvider')

export const eventSchemas: Record<string, JsonSchema> = {
  Event: {
    type: 'object',
    properties: { event_type: text, user_id: uuid },
    required: ['event_type', 'user_id', 'data'],
  },
  EventProvider: open({ name: textOrNull, slug: text, logo: textOrNull }, ['slug']),
  ResourceAvailability: open({
    status: { type: ['string', 'null'], 'x-extensible-enum': ['available', 'unavailable'] },
    scope_requirements: {},
  }),
  ...samples,
  SleepCycle: open(
    {
      id: uuid,
      sleep_id: { type: ['string', 'null'] },
      session_start: time,
      session_end: time,
      stage_start_offset_second: integers,
      stage_end_offset_second: integers,
      stage_type: { type: 'array', items: { type: ['integer', 'string'] } },
    },
    ['id'],
  ),
  SleepCycleContent: dataOf(referTo('SleepCycle')),
  ...Object.fromEntries(
    Object.values(summaries).map((name) => [`${name}Content`, dataOf(referTo(name))]),
  ),
  ConnectionContent: open({
    user_id: textOrNull,
    provider: { anyOf: [provider, { type: 'null' }] },
    resource_availability: {
      type: ['object', 'null'],
      additionalProperties: referTo('ResourceAvailability'),
    },
    source: { anyOf: [provider, { type: 'null' }], ...deprecated(deprecations.connectionSource) },
  }),
  OrderContent: assumed(Order),
  AppointmentContent: assumed(Appointment),
  CriticalResultsContent: open({
    order_id: uuid,
    user_id: uuid,
    results: { type: 'array', items: referTo('OrderResult') },
  }),
  ConnectionErrorContent: open({
    user_id: uuid,
    provider: { anyOf: [provider, text] },
    error_type: text,
    error_message: textOrNull,
    message: textOrNull,
    error_details: {},
  }),
  DeviceContent: open({ id: uuid, user_id: uuid, provider, name: text, last_sync_at: textOrNull }),
}
