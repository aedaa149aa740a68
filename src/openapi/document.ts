import type * as z from 'zod/mini'
import { endpoints } from '../contract/endpoints.ts'
import { type Definition, unwrap } from '../contract/schema/definition.ts'
import type { Effect, Endpoint } from '../contract/schema/endpoint.ts'
import { type OperationId, operationFacts } from '../contract/values/operation-facts.ts'
import { headers } from '../contract/wire.ts'
import { version } from '../version.ts'
import { componentSchemas, notes } from './components.ts'
import { errorResponse, errorSchemas, failures } from './errors.ts'
import { deprecated, isOptional, type JsonSchema, schemaOf } from './schema.ts'

/** One operation of the document. Facts that OpenAPI has no field for are in `x-` fields. */
export interface OpenApiOperation {
  /** The operation id of the client, such as `orders.create`; one of `summaries.list` also names the resource. */
  operationId: string
  /** The title of the operation. */
  summary: string
  /** The namespace of the client, such as `orders`. */
  tags: string[]
  /** The path and query parameters; absent if there are none. */
  parameters?: object[]
  /** The JSON body; absent if the operation takes none. */
  requestBody?: object
  /** The responses by status; `default` for every failure. */
  responses: Record<string, object>
  /** True for a deprecated operation. */
  deprecated?: boolean
  /** The section of the specification, such as `4.8`. */
  'x-specification': string
  /** What a second, identical call does. */
  'x-effect': Effect
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  openapi: '3.1.0'
  /** Title, summary and licence of the service; the version is that of this package. */
  info: { title: string; version: string; summary: string; license: object }
  /** The base URL of the service. */
  servers: { url: string }[]
  /** The API key, required by every operation. */
  security: object[]
  /** The namespaces of the client. */
  tags: { name: string }[]
  /** The operations by path and lower-case method. */
  paths: Record<string, Record<string, OpenApiOperation>>
  /** The named schemas, the error response and the security scheme. */
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, object>
    securitySchemes: Record<string, object>
  }
}

/**
 * Returns the service as an OpenAPI 3.1 document, made from the same endpoints and schemas as the client and the mock.
 * Non-exhaustive enumerations are `x-extensible-enum`: the known values, to which the service may add more. Request
 * fields that the specification does not call required are optional and `x-presumed: required`.
 *
 * @param url The service's base URL. Default: `/`.
 */
export function openApi({ url = '/' }: { url?: string } = {}): OpenApiDocument {
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
    components: {
      schemas: { ...componentSchemas(), ...errorSchemas },
      responses: { Error: errorResponse },
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

/** Endpoints that share method and path differ only in their responses, and are one operation. */
function pathItems(): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const item = paths[endpoint.path] ?? {}
    const method = endpoint.method.toLowerCase()
    const known = item[method]
    if (known) addResponses(known.responses, endpoint)
    else item[method] = operationOf(endpoint)
    paths[endpoint.path] = item
  }
  return paths
}

function operationOf(endpoint: Endpoint): OpenApiOperation {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint)]
  const responses: OpenApiOperation['responses'] = {}
  addResponses(responses, endpoint)
  return {
    operationId: operationId(endpoint),
    // Every endpoint takes its id from the table of operations.
    summary: operationFacts[endpoint.id as OperationId].title,
    tags: [namespaceOf(endpoint)],
    ...deprecated(endpoint.deprecated),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: { ...responses, ...failures(endpoint.id) },
    'x-specification': endpoint.section,
    'x-effect': endpoint.effect,
  }
}

/** Appends the segment of the path that distinguishes endpoints with the same id. */
function operationId({ id, path }: Endpoint): string {
  const sameId = endpoints.filter((other) => other.id === id)
  const distinct = path
    .split('/')
    .find((segment) => !sameId.every((other) => other.path.includes(segment)))
  return distinct ? `${id}.${distinct}` : id
}

function namespaceOf({ id }: Pick<Endpoint, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

function pathParameters({ params = {} }: Endpoint): object[] {
  return Object.entries(params).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(schema, notes),
  }))
}

function queryParameters({ query }: Endpoint): object[] {
  if (!query) return []
  const { shape = {} } = query._zod.def as Definition
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !isOptional(schema),
    schema: { ...schemaOf(parameterOf(schema), notes), ...notes.keywordsOf(query, name) },
  }))
}

/** A parameter is never null. One that can occur several times is an array. */
function parameterOf(schema: z.ZodMiniType): z.ZodMiniType {
  // Optional and nullable always have a schema inside.
  const inner = unwrap(schema) as z.ZodMiniType
  const { options = [] } = inner._zod.def as Definition
  return options.find((option) => option._zod.def.type === 'array') ?? inner
}

function requestBody(schema: z.ZodMiniType): object {
  return { required: true, content: { 'application/json': { schema: schemaOf(schema, notes) } } }
}

function addResponses(responses: OpenApiOperation['responses'], endpoint: Endpoint): void {
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    const type = endpoint.accept ?? 'application/json'
    const mediaType = schema === 'binary' ? {} : { schema: schemaOf(schema, notes) }
    const known = responses[status] as { content: object } | undefined
    responses[status] = {
      description: descriptions[status] ?? 'Success.',
      content: { ...known?.content, [type]: mediaType },
    }
  }
}

const descriptions: Record<string, string> = {
  200: 'Success.',
  202: 'Accepted: the operation continues in the background.',
}
