import * as z from 'zod/mini'
import type { Definition } from '../../src/contract/schema/definition.ts'
import { componentSchemas, notes as ofService } from '../../src/openapi/components.ts'
import { definitionOf, type JsonSchema, type Notes, schemaOf } from '../../src/openapi/schema.ts'
import { version } from '../../src/version.ts'
import * as records from '../state/records/schemas.ts'
import type { ControlEndpoint } from './endpoint.ts'
import { operations } from './operations.ts'
import { teamsEndpoint } from './teams.ts'

const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]),
  code: z.optional(z.string()),
})

const own: Record<string, z.ZodMiniType> = { ...records, Error: ErrorBody }
const nameBySchema = new Map(Object.entries(own).map(([name, schema]) => [schema, name]))

const notes: Notes = {
  nameOf: (schema) => nameBySchema.get(schema) ?? ofService.nameOf(schema),
  keywordsOf: () => ({}),
}

/** The control API as an OpenAPI 3.1 document. */
export function controlDocument(url: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { endpoint } of operations) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint) }
  }
  const keyless = { ...operationOf(teamsEndpoint), security: [{}, { token: [] }] }
  paths[teamsEndpoint.path] = { get: keyless }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock of the Health Data and Lab Ordering Service',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }, { apiKey: [], token: [] }],
    paths,
    components: {
      schemas: { ...componentSchemas(), ...schemasOf(own) },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
        token: { type: 'apiKey', in: 'header', name: 'x-mock-token' },
      },
    },
  }
}

function schemasOf(schemas: Record<string, z.ZodMiniType>): Record<string, JsonSchema> {
  const written = Object.entries(schemas).map(([name, schema]) => [
    name,
    definitionOf(schema, notes),
  ])
  return Object.fromEntries(written)
}

function operationOf(endpoint: ControlEndpoint): object {
  const { id, summary, params = {}, query, body, responses } = endpoint
  const { shape = {} } = (query?._zod.def ?? {}) as Definition
  const parameters = [
    ...Object.entries(params).map((entry) => parameterOf(entry, 'path')),
    ...Object.entries(shape).map((entry) => parameterOf(entry, 'query')),
  ]
  const answers = Object.entries(responses).map(([status, schema]) => [status, answerOf(schema)])
  return {
    operationId: id,
    summary,
    tags: [id.split('.')[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { content: contentOf(body) } } : {}),
    responses: {
      ...Object.fromEntries(answers),
      default: {
        description: 'The request was refused.',
        content: contentOf(ErrorBody),
      },
    },
  }
}

function parameterOf([name, schema]: [string, z.ZodMiniType], place: 'path' | 'query'): object {
  return { name, in: place, required: place === 'path', schema: schemaOf(schema, notes) }
}

function answerOf(schema: z.ZodMiniType | 'binary'): object {
  if (schema === 'binary' || schema._zod.def.type === 'undefined') return { description: 'Done.' }
  return { description: 'Success.', content: contentOf(schema) }
}

function contentOf(schema: z.ZodMiniType): object {
  return { 'application/json': { schema: schemaOf(schema, notes) } }
}
