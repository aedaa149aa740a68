import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { serviceDocument } from '../../mock/control/service-document.ts'
import { createMock } from '../../mock/index.ts'
import { knownEventTypes } from '../../src/contract/values/event-types.ts'
import { eventsJsonSchema } from '../../src/openapi/events.ts'

const document = serviceDocument('https://api.example.test')
const schema = eventsJsonSchema()
const ajv = formats.default(new Ajv.default({ strict: false }))
ajv.addSchema(schema, 'events')

/** Returns the problems of the body of an event, by the schema of its type. */
function problemsOf(type: string, body: unknown): unknown {
  const validate = ajv.getSchema(`events#/$defs/${type}`)
  expect(validate).toBeDefined()
  validate?.(body)
  return validate?.errors ?? []
}

it('has a webhook for every type of event, and is valid by an independent validator', async () => {
  expect(Object.keys(document.webhooks)).toEqual(knownEventTypes)
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

it('has an example of every type that matches its schema', () => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { example } = post.requestBody.content['application/json'] ?? {}
    expect(example).toMatchObject({ event_type: type })
    expect(problemsOf(type, example)).toEqual([])
  }
})

it('has a JSON Schema for every type that the events of the mock match', () => {
  const team = createMock({ deprecatedFields: 'always', eventEnvelope: 'extended' }).team()
  for (const type of knownEventTypes) {
    expect(problemsOf(type, team.trigger(type).body), type).toEqual([])
  }
})

it.each([
  ['daily.data.sleep.created', { data: { data: {} } }],
  ['daily.data.heartrate.created', { data: { data: [{ timestamp: 'noon' }] } }],
  ['labtest.appointment.updated', { data: { start_at: 5 } }],
  ['provider.connection.created', { data: { provider: {} } }],
  ['labtest.order.created', { event_type: 'labtest.order.updated' }],
  ['labtest.order.created', { user_id: 'jane' }],
])('rejects an invalid event of the type %s: %j', (type, overrides) => {
  const body = { ...createMock().team().trigger(type).body, ...overrides }
  expect(problemsOf(type, body)).not.toEqual([])
})

it('accepts fields and values that this version does not know', () => {
  const type = 'labtest.appointment.updated'
  const body = createMock()
    .team()
    .trigger(type, { data: { status: 'on_the_way', mood: 1 } }).body
  expect(problemsOf(type, { ...body, team_id: 'x' })).toEqual([])
})

it('marks deprecated and assumed types', () => {
  const { webhooks } = document
  expect(webhooks['daily.timeseries.hypnogram.created']?.post.deprecated).toBe(true)
  expect(webhooks['labtest.order.created']?.post['x-assumption']).toBe('assumed')
  expect(webhooks['daily.data.sleep.created']?.post['x-assumption']).toBeUndefined()
})
