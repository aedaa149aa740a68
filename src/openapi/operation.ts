import type * as z from 'zod/mini'
import { endpoints, type OperationEndpoint } from '../contract/endpoints.ts'
import type { Effect, Endpoint } from '../contract/schema-tools/endpoint.ts'
import { definitionOf, shapeOf, unwrap } from '../contract/schema-tools/walk.ts'
import { headers } from '../contract/wire.ts'
import { present } from '../shared/narrow.ts'
import { serviceNotes } from './components.ts'
import { failures } from './errors.ts'
import { deprecated, isOptional, schemaOf } from './schema.ts'

/** An operation. Uses `x-` fields for facts that OpenAPI cannot express. */
export interface OpenApiOperation {
  /** The client's operation id, such as `orders.create`; for `summaries.list`, it also names the resource. */
  operationId: string
  summary: string
  tags: string[]
  parameters?: object[]
  requestBody?: object
  /** The responses, keyed by status; `default` describes failures. */
  responses: Record<string, { description?: string; content?: object }>
  deprecated?: boolean
  /** The specification section, such as `4.8`. */
  'x-specification': string
  /** Whether the operation is read-only, idempotent or non-idempotent. */
  'x-effect': Effect
}

export function describeOperation(endpoint: OperationEndpoint): OpenApiOperation {
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...headerParameters(endpoint),
  ]
  const responses: OpenApiOperation['responses'] = {}
  addResponses(responses, endpoint)
  return {
    operationId: operationId(endpoint),
    summary: endpoint.title,
    tags: [namespaceOf(endpoint)],
    ...deprecated(endpoint.deprecated),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: { ...responses, ...failures(endpoint.id) },
    'x-specification': endpoint.section,
    'x-effect': endpoint.effect,
  }
}

/** Returns an endpoint's id. If other endpoints have the same id, appends the path segment that differs. */
function operationId({ id, path }: Endpoint): string {
  const sameId = endpoints.filter((other) => other.id === id)
  const distinct = path
    .split('/')
    .find((segment) => !sameId.every((other) => other.path.includes(segment)))
  return distinct ? `${id}.${distinct}` : id
}

export function namespaceOf({ id }: Pick<Endpoint, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

function requestBody(schema: z.ZodMiniType): object {
  return {
    required: true,
    content: { 'application/json': { schema: schemaOf(schema, serviceNotes) } },
  }
}

/** Adds an endpoint's responses. Responses with the same status share an entry. */
export function addResponses(responses: OpenApiOperation['responses'], endpoint: Endpoint): void {
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    const type = endpoint.accept ?? 'application/json'
    const mediaType = schema === 'binary' ? {} : { schema: schemaOf(schema, serviceNotes) }
    const known = responses[status]
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

function pathParameters({ params = {} }: Endpoint): object[] {
  return Object.entries(params).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(schema, serviceNotes),
  }))
}

function queryParameters({ query }: Endpoint): object[] {
  if (!query) return []
  return Object.entries(shapeOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !isOptional(schema),
    schema: {
      ...schemaOf(parameterOf(schema), serviceNotes),
      ...serviceNotes.keywordsOf(query, name),
    },
  }))
}

function headerParameters({ acceptsIdempotencyKey }: Endpoint): object[] {
  if (!acceptsIdempotencyKey) return []
  return [
    {
      name: headers.idempotencyKey,
      in: 'header',
      required: false,
      description:
        'Requests with the same key within 24 hours receive the first response. The specification does not mention this header.',
      schema: { type: 'string' },
    },
  ]
}

/**
 * Returns the schema to document for a parameter. It is never nullable, and it is an array if the parameter can occur
 * more than once.
 */
function parameterOf(schema: z.ZodMiniType): z.ZodMiniType {
  // Optional and nullable schemas always wrap another schema.
  const inner = present(unwrap(schema))
  const { options = [] } = definitionOf(inner)
  return options.find((option) => definitionOf(option).type === 'array') ?? inner
}
