import type { JsonSchema } from './schema.ts'

/** The body of an error, as presumed. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'The specification does not show the body of an error; this one is presumed.',
    properties: {
      detail: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { $ref: '#/components/schemas/ValidationDetail' } },
        ],
      },
    },
    required: ['detail'],
  },
  ValidationDetail: {
    type: 'object',
    description: 'One place of a request that is wrong.',
    properties: {
      type: { type: 'string' },
      loc: { type: 'array', items: { type: ['string', 'integer'] } },
      msg: { type: 'string' },
      input: {},
    },
    required: ['type', 'loc', 'msg'],
  },
}

/** The answer of a call that failed. */
export const errorResponse = {
  description: 'The call failed. The specification shows neither the status nor the body.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const anError = { $ref: '#/components/responses/Error' }

/** The answers with which an operation fails; the specification tells one status only (part 7). */
export function failures(operation: string): Record<string, object> {
  return operation === 'orders.bookPhlebotomyAppointment'
    ? { 500: anError, default: anError }
    : { default: anError }
}
