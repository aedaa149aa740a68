import { deprecations } from '../contract/values/deprecations.ts'
import {
  connectionEventType,
  familyOf,
  hypnogramEventTypes,
  knownEventTypes,
} from '../contract/values/event-types.ts'
import { componentSchemas } from './components.ts'
import { dataContentOf, eventSchemas, referTo } from './event-schemas.ts'
import { deprecated, type JsonSchema } from './schema.ts'

export interface OpenApiWebhook {
  post: {
    /** Requires no API key, because deliveries are signed instead. */
    security: object[]
    parameters: object[]
    requestBody: {
      required: true
      content: Record<string, { schema: JsonSchema; example?: object }>
    }
    responses: Record<string, object>
    deprecated?: boolean
    /** `assumed` if the specification does not list the type. */
    'x-assumption'?: string
  }
}

/**
 * Delivery headers (assumption: Standard Webhooks). Short names keep the document small, because each event type refers
 * to them.
 */
export const deliveryHeaders: Record<string, object> = {
  Id: deliveryHeader('webhook-id', "The message's id, which is the same for every attempt."),
  Timestamp: deliveryHeader('webhook-timestamp', 'A Unix timestamp in seconds.'),
  Signature: deliveryHeader(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body`, as `v1,<Base64>`; multiple signatures are separated by spaces.',
  ),
}

export const receivedResponse = {
  description: 'Received. After any other response, the service retries (assumption).',
}

function deliveryHeader(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

/** @param examples Example bodies, keyed by event type. */
export function webhookItems(
  examples: Record<string, object> = {},
): Record<string, OpenApiWebhook> {
  return Object.fromEntries(knownEventTypes.map((type) => [type, webhookOf(type, examples[type])]))
}

function webhookOf(type: string, example: object | undefined): OpenApiWebhook {
  const body = { schema: eventSchemaOf(type), ...(example ? { example } : {}) }
  const isHypnogram = hypnogramEventTypes.some((known) => known === type)
  return {
    post: {
      ...(isHypnogram ? deprecated(deprecations.hypnogram) : {}),
      security: [{}],
      parameters: Object.keys(deliveryHeaders).map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: { 'application/json': body } },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
      ...(familyOf(type) === 'other' ? { 'x-assumption': 'assumed' } : {}),
    },
  }
}

/** Returns an event's schema. It allows additional fields, which is JSON Schema's default. */
function eventSchemaOf(type: string): JsonSchema {
  const properties = { event_type: { const: type }, data: referTo(contentOf(type)) }
  return { allOf: [referTo('Event')], properties }
}

/** The content schema names of all events except data events, keyed by event type prefix. */
const contents: Record<string, string> = {
  [connectionEventType]: 'ConnectionContent',
  'labtest.order.': 'OrderContent',
  'labtest.appointment.': 'AppointmentContent',
  'labtest.result.': 'CriticalResultsContent',
  'provider.connection.error': 'ConnectionErrorContent',
  'provider.device.': 'DeviceContent',
}

function contentOf(type: string): string {
  const found = Object.keys(contents).find((start) => type.startsWith(start))
  return found === undefined ? dataContentOf(type.split('.')[2] ?? '') : (contents[found] ?? '')
}

/** Returns one JSON Schema for all events. Its `$defs` contain a schema for each event type. */
export function eventsJsonSchema(): JsonSchema {
  const types = Object.fromEntries(knownEventTypes.map((type) => [type, eventSchemaOf(type)]))
  const components = { ...componentSchemas(), ...eventSchemas }
  const used = withReferences(types, components)
  const definitions = Object.entries(components).filter(([name]) => used.has(name))
  const text = JSON.stringify({ ...types, ...Object.fromEntries(definitions) })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the Health Data and Lab Ordering Service',
    description: 'Use `#/$defs/<event type>` for one type. The service may send other event types.',
    type: 'object',
    properties: { event_type: { type: 'string' } },
    required: ['event_type'],
    $defs: JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')),
  }
}

function withReferences(
  value: unknown,
  components: Record<string, JsonSchema>,
  found = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    withReferences(components[name], components, found)
  }
  return found
}
