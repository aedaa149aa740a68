import { endpoints } from '../contract/endpoints.ts'
import { headers } from '../contract/wire.ts'
import { version } from '../version.ts'
import { componentSchemas } from './components.ts'
import { errorResponseObject, errorSchemas } from './errors.ts'
import { eventSchemas } from './event-schemas.ts'
import { deliveryHeaders, type OpenApiWebhook, receivedResponse, webhookItems } from './events.ts'
import { addResponses, describeOperation, namespaceOf, type OpenApiOperation } from './operation.ts'
import type { JsonSchema } from './schema.ts'

export interface OpenApiDocument {
  openapi: '3.1.0'
  /** `version` is this package's version. */
  info: { title: string; version: string; summary: string; license: object }
  servers: { url: string }[]
  security: object[]
  /** The client's namespaces. */
  tags: { name: string }[]
  /** The operations, keyed by path and lower-case method. */
  paths: Record<string, Record<string, OpenApiOperation>>
  /** The events that the service delivers, keyed by type. */
  webhooks: Record<string, OpenApiWebhook>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, object>
    parameters: Record<string, object>
    securitySchemes: Record<string, object>
  }
}

/**
 * Returns an OpenAPI 3.1 document for the service, generated from the same endpoints and schemas as the client and the
 * mock. The known values of a non-exhaustive enumeration are in `x-extensible-enum`; the service may add more. Request
 * fields that the types require but the specification does not are optional and marked `x-assumption: required`.
 *
 * @param url The service's base URL. Default: `/`.
 * @param eventExamples An example body for each event type. Default: no examples.
 */
export function openApi({
  url = '/',
  eventExamples,
}: {
  url?: string
  eventExamples?: Record<string, object>
} = {}): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Health Data and Lab Ordering Service',
      version,
      summary: 'User records, provider connections, aggregate queries, lab tests and appointments.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(namespaceOf))].map((name) => ({ name })),
    paths: pathItems(),
    webhooks: webhookItems(eventExamples),
    components: {
      schemas: { ...componentSchemas(), ...eventSchemas, ...errorSchemas },
      responses: { Error: errorResponseObject, Received: receivedResponse },
      parameters: deliveryHeaders,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: headers.apiKey,
          description: "The team's API key (specification part 5).",
        },
      },
    },
  }
}

/** Endpoints with the same method and path differ only in their responses, so they share an operation. */
function pathItems(): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const item = paths[endpoint.path] ?? {}
    const method = endpoint.method.toLowerCase()
    const known = item[method]
    if (known) addResponses(known.responses, endpoint)
    else item[method] = describeOperation(endpoint)
    paths[endpoint.path] = item
  }
  return paths
}
