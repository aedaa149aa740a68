import type { JsonSchema } from './schema.ts'

export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'The specification does not define error bodies; this shape is assumed.',
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
    description: 'One invalid value in a request.',
    properties: {
      type: { type: 'string' },
      loc: { type: 'array', items: { type: ['string', 'integer'] } },
      msg: { type: 'string' },
      input: {},
    },
    required: ['type', 'loc', 'msg'],
  },
}

export const errorResponseObject = {
  description: 'The call failed. The specification does not define the body.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const error = { $ref: '#/components/responses/Error' }

/** Returns the failure responses. The specification names only one failure status (part 7). */
export function failures(operation: string): Record<string, object> {
  return operation === 'orders.bookPhlebotomyAppointment'
    ? { 500: error, default: error }
    : { default: error }
}
