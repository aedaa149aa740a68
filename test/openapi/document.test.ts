import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { supportedResources } from '../../src/contract/values/resources.ts'
import { openApi } from '../../src/openapi/document.ts'
import type { JsonSchema } from '../../src/openapi/schema.ts'
import { endpointLines } from '../support/specification.ts'

const document = openApi()
const { schemas } = document.components

/** Returns the schema of a field. */
function fieldOf(schema: string, field: string): JsonSchema | undefined {
  // JSON Schema names the fields of an object in `properties`.
  return (schemas[schema]?.['properties'] as Record<string, JsonSchema> | undefined)?.[field]
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    line: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
)

it('is valid by an independent validator', async () => {
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

it('has every endpoint of part 4, with its section', () => {
  const told = endpointLines()
  expect(told).toHaveLength(11)
  for (const { spec, line } of told) {
    expect(operations.find((operation) => operation.line === line)?.['x-specification']).toBe(spec)
  }
})

it('names every operation once, in words and for programs', () => {
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id } of endpoints) {
    // The Parquet response is one of the responses of the aggregate query.
    const operation = id === 'aggregate.queryParquet' ? 'aggregate.query' : id
    expect(ids.some((known) => known === operation || known.startsWith(`${operation}.`))).toBe(true)
  }
  for (const { operationId, summary } of operations) expect(operationId).not.toBe(summary)
})

it('leaves every enumeration open, as the specification does', () => {
  expect(fieldOf('Provider', 'supported_resources')?.['items']).toHaveProperty(
    'x-extensible-enum',
    [...supportedResources],
  )
  expect(JSON.stringify(document)).not.toContain('"enum"')
})

it.each([
  ['BookingInput', 'appointment_notes', { maxLength: 1000 }],
  ['BookingInput', 'async_confirmation', { default: false }],
  [
    'BookingInput',
    'sync_confirmation_timeout_millisecond',
    { type: ['integer', 'null'], minimum: 1000, maximum: 10_000, default: 2500 },
  ],
  [
    'BookingInput',
    'async_confirmation_timeout_millisecond',
    { type: ['integer', 'null'], minimum: 60_000, maximum: 172_800_000, default: 900_000 },
  ],
  ['BulkImportInput', 'wait_for_completion', { type: 'boolean', default: false }],
  ['InsuranceInput', 'is_primary', { type: 'boolean', default: true }],
  ['UserInfoInput', 'email', { type: 'string', format: 'email' }],
  ['UserInfo', 'email', { type: 'string' }],
  ['UserInfo', 'dob', { type: 'string', format: 'date' }],
  ['SignInToken', 'user_id', { type: 'string', format: 'uuid' }],
  ['Appointment', 'start_at', { type: ['string', 'null'], format: 'date-time' }],
  ['TestMarkerPage', 'total', { type: ['integer', 'null'], minimum: 0 }],
  ['ConnectionRecipe', 'expires_at', { type: 'integer', 'x-assumption': 'required' }],
])('tells of %s.%s what the specification tells', (schema, field, told) => {
  expect(fieldOf(schema, field)).toMatchObject(told)
})

it('tells the bounds of marker pages', () => {
  const parameters = document.paths['/v3/lab_tests/{lab_test_id}/markers']?.['get']?.parameters
  expect(parameters).toContainEqual({
    name: 'size',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  })
})

it('requires what the specification requires, and not what it leaves open', () => {
  expect(schemas['Insurance']?.['required']).toContain('company')
  expect(schemas['TestMarkerPage']?.['required']).toEqual([
    'markers',
    'total',
    'page',
    'size',
    'pages',
  ])
  expect(schemas['ConnectionRecipe']).not.toHaveProperty('required')
})

it.each([
  ['Source', 'name', '2024-07-31'],
  ['Source', 'slug', '2024-07-31'],
  ['Source', 'logo', '2024-07-31'],
  ['OrderInput', 'lab_test_id', undefined],
  ['Order', 'requisition_form_url', undefined],
  ['OrderResult', 'value', undefined],
])('marks %s.%s as deprecated, with the day of its removal (part 9)', (schema, field, removal) => {
  expect(fieldOf(schema, field)).toMatchObject({ deprecated: true })
  expect(fieldOf(schema, field)?.['x-removal-date']).toBe(removal)
})

it('marks the deprecated list of lab tests (part 9)', () => {
  expect(document.paths['/v3/lab_tests']?.['get']).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('GET /v3/lab_test'),
  })
})

it('asks every operation for the API key (part 5)', () => {
  expect(document.security).toEqual([{ apiKey: [] }])
  expect(document.components.securitySchemes['apiKey']).toMatchObject({
    in: 'header',
    name: 'x-service-api-key',
  })
})

it('has both responses of an aggregate query (4.11), and describes how a booking fails (7)', () => {
  const query = document.paths['/aggregate/v1/user/{user_id}/query']?.['post']
  expect(query?.responses['200']).toHaveProperty('content', {
    'application/json': { schema: { $ref: '#/components/schemas/AggregateResult' } },
    'application/vnd.service.tar+gzip+parquet': {},
  })
  const book = document.paths['/v3/order/{order_id}/phlebotomy/appointment/book']?.['post']
  expect(Object.keys(book?.responses ?? {})).toEqual(['200', '500', 'default'])
})

it('tells where the service is', () => {
  expect(openApi({ url: 'https://api.example.test' }).servers).toEqual([
    { url: 'https://api.example.test' },
  ])
})
