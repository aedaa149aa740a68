import type * as z from 'zod/mini'
import { type Definition, unwrap } from '../contract/schema/definition.ts'
import type { Endpoint } from '../contract/schema/endpoint.ts'
import { headers } from '../contract/wire.ts'
import { serviceNotes } from './components.ts'
import { isOptional, schemaOf } from './schema.ts'

/** Returns the path parameters of an endpoint. */
export function pathParameters({ params = {} }: Endpoint): object[] {
  return Object.entries(params).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(schema, serviceNotes),
  }))
}

/** Returns the query parameters of an endpoint. */
export function queryParameters({ query }: Endpoint): object[] {
  if (!query) return []
  const { shape = {} } = query._zod.def as Definition
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !isOptional(schema),
    schema: {
      ...schemaOf(parameterOf(schema), serviceNotes),
      ...serviceNotes.keywordsOf(query, name),
    },
  }))
}

/** Returns the optional header of an endpoint that accepts an idempotency key. */
export function headerParameters({ acceptsIdempotencyKey }: Endpoint): object[] {
  if (!acceptsIdempotencyKey) return []
  return [
    {
      name: headers.idempotencyKey,
      in: 'header',
      required: false,
      description:
        'Requests with the same key within 24 hours get the response of the first one. The specification does not mention it.',
      schema: { type: 'string' },
    },
  ]
}

/** A parameter is never null. One that can occur several times is an array. */
function parameterOf(schema: z.ZodMiniType): z.ZodMiniType {
  // Optional and nullable always have a schema inside.
  const inner = unwrap(schema) as z.ZodMiniType
  const { options = [] } = inner._zod.def as Definition
  return options.find((option) => option._zod.def.type === 'array') ?? inner
}
