import type * as z from 'zod/mini'
import { endpoints } from '../contract/endpoints.ts'
import { type Definition, unwrap } from '../contract/schema/definition.ts'
import type { Effect, Endpoint } from '../contract/schema/endpoint.ts'
import { version } from '../version.ts'
import { componentSchemas, notes } from './components.ts'
import { errorResponse, errorSchemas, failures } from './errors.ts'
import { deprecated, isOptional, type JsonSchema, schemaOf } from './schema.ts'
import { titles } from './titles.ts'

/** One operation of the document, with what OpenAPI has no words for in `x-` fields. */
export interface OpenApiOperation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: object[]
  requestBody?: object
  responses: Record<string, object>
  deprecated?: boolean
  /** The section of the specification. */
  'x-specification': string
  /** What repeating the call does. */
  'x-effect': Effect
}

/** The service in the words of OpenAPI 3.1. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; summary: string; license: object }
  servers: { url: string }[]
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, object>
    securitySchemes: Record<string, object>
  }
}

/**
 * The service as an OpenAPI 3.1 document, made from the same endpoints and schemas as the client and the mock.
 * Non-exhaustive enumerations are `x-extensible-enum`: values that a client knows, not all there will ever be. Fields
 * of requests whose presence the specification leaves open are optional and `x-presumed: required`.
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
          name: 'x-service-api-key',
          description: "The team's API key (specification part 5).",
        },
      },
    },
  }
}

/** Endpoints that share method and path differ in their answers only, and are one operation. */
function pathItems(): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const item = paths[endpoint.path] ?? {}
    const method = endpoint.method.toLowerCase()
    const known = item[method]
    if (known) addAnswers(known.responses, endpoint)
    else item[method] = operationOf(endpoint)
    paths[endpoint.path] = item
  }
  return paths
}

function operationOf(endpoint: Endpoint): OpenApiOperation {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint)]
  const responses: OpenApiOperation['responses'] = {}
  addAnswers(responses, endpoint)
  return {
    operationId: operationId(endpoint),
    summary: titles[endpoint.id] ?? endpoint.id,
    tags: [namespaceOf(endpoint)],
    ...deprecated(endpoint.deprecated),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: { ...responses, ...failures(endpoint.id) },
    'x-specification': endpoint.spec,
    'x-effect': endpoint.effect,
  }
}

/** Endpoints with an id in common are told apart by the word of their path that no other has. */
function operationId({ id, path }: Endpoint): string {
  const alike = endpoints.filter((other) => other.id === id)
  const own = path.split('/').find((word) => !alike.every((other) => other.path.includes(word)))
  return own ? `${id}.${own}` : id
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

/** A parameter is never null, and one that may be repeated is a list. */
function parameterOf(schema: z.ZodMiniType): z.ZodMiniType {
  // A field's schema has something inside of optional and nullable.
  const bare = unwrap(schema) as z.ZodMiniType
  const { options = [] } = bare._zod.def as Definition
  return options.find((option) => option._zod.def.type === 'array') ?? bare
}

function requestBody(schema: z.ZodMiniType): object {
  return { required: true, content: { 'application/json': { schema: schemaOf(schema, notes) } } }
}

function addAnswers(responses: OpenApiOperation['responses'], endpoint: Endpoint): void {
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    const type = endpoint.accept ?? 'application/json'
    const written = schema === 'binary' ? {} : { schema: schemaOf(schema, notes) }
    const known = responses[status] as { content: object } | undefined
    responses[status] = {
      description: descriptions[status] ?? 'Success.',
      content: { ...known?.content, [type]: written },
    }
  }
}

const descriptions: Record<string, string> = {
  200: 'Success.',
  202: 'Accepted: the operation goes on in the background.',
}
