import type * as z from 'zod/mini'
import { endpoints } from '../contract/endpoints.ts'
import type { Effect, Endpoint } from '../contract/schema/endpoint.ts'
import { operationDescriptions } from '../contract/values/operation-descriptions.ts'
import type { OperationId } from '../contract/values/operation-facts.ts'
import { serviceNotes } from './components.ts'
import { failures } from './errors.ts'
import { headerParameters, pathParameters, queryParameters } from './parameters.ts'
import { deprecated, schemaOf } from './schema.ts'

/** One operation of the document. Facts that OpenAPI has no field for are in `x-` fields. */
export interface OpenApiOperation {
  /** The operation id of the client, such as `orders.create`; one of `summaries.list` also names the resource. */
  operationId: string
  /** The title of the operation. */
  summary: string
  /** The namespace of the client, such as `orders`. */
  tags: string[]
  /** The parameters of path, query and headers; absent if there are none. */
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

/** Returns the operation of an endpoint. */
export function describeOperation(endpoint: Endpoint): OpenApiOperation {
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...headerParameters(endpoint),
  ]
  const responses: OpenApiOperation['responses'] = {}
  addResponses(responses, endpoint)
  // Every endpoint takes its id from the table of operations.
  const { title, section } = operationDescriptions[endpoint.id as OperationId]
  return {
    operationId: operationId(endpoint),
    summary: title,
    tags: [namespaceOf(endpoint)],
    ...deprecated(endpoint.deprecated),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: { ...responses, ...failures(endpoint.id) },
    'x-specification': section,
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

/** Returns the namespace of the client that has an endpoint, such as `orders`. */
export function namespaceOf({ id }: Pick<Endpoint, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

function requestBody(schema: z.ZodMiniType): object {
  return {
    required: true,
    content: { 'application/json': { schema: schemaOf(schema, serviceNotes) } },
  }
}

/** Adds the success responses of an endpoint; responses with the same status share an entry. */
export function addResponses(responses: OpenApiOperation['responses'], endpoint: Endpoint): void {
  for (const [status, schema] of Object.entries(endpoint.responses)) {
    const type = endpoint.accept ?? 'application/json'
    const mediaType = schema === 'binary' ? {} : { schema: schemaOf(schema, serviceNotes) }
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
