import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { webhookSchema } from '../../events/delivery/webhook-input.ts'
import { positiveSchema } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'
import { deletionSchema } from '../operation.ts'
import { eventBodySchema } from './events.ts'

export const webhookStateSchema = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  secret: z.string(),
  types: z.array(z.string()),
  pending: z.int(),
  isDisabled: z.boolean(),
})

const message = { number: z.int(), id: z.string(), event_type: z.string() }

export const deliverySchema = z.object({
  ...message,
  attempt: z.int(),
  isDuplicate: z.boolean(),
  hasInvalidSignature: z.boolean(),
  isOld: z.boolean(),
  at: lenient.dateTime,
  outcome: z.enum(['delivered', 'failed']),
  status: z.optional(z.int()),
  error: z.optional(z.enum(['no_response', 'timeout', 'threw'])),
})

const headers = z.record(z.string(), z.string())

export const deliveryExchangeSchema = z.object({
  ...deliverySchema.shape,
  duration: z.number(),
  request: z.object({ headers, body: eventBodySchema }),
  response: z.optional(z.object({ status: z.int(), headers, body: z.string() })),
})

export const plannedDeliverySchema = z.object({
  number: z.int(),
  attempt: z.int(),
  isDuplicate: z.boolean(),
  at: lenient.dateTime,
  id: z.optional(z.string()),
  event_type: z.optional(z.string()),
})

export const deadLetterSchema = z.object({ ...message, body: eventBodySchema })

export const webhooks = {
  'webhooks.list': { summary: 'Lists the webhooks', output: z.array(webhookStateSchema) },
  'webhooks.add': {
    summary: 'Adds a webhook for future events',
    body: webhookSchema,
    output: webhookStateSchema,
  },
  'webhooks.remove': {
    summary: 'Deletes a webhook and its planned deliveries',
    output: deletionSchema,
  },
  'webhooks.deliveries': {
    summary: "Lists a webhook's delivery attempts, oldest first",
    output: z.array(deliverySchema),
  },
  'webhooks.exchanges': {
    summary:
      "Lists a webhook's latest delivery attempts (at most 100) with their requests and responses, oldest first",
    output: z.array(deliveryExchangeSchema),
  },
  'webhooks.planned': {
    summary: "Lists a webhook's planned attempts, such as retries, earliest first",
    query: z.object({ first: z.optional(positiveSchema) }),
    output: z.array(plannedDeliverySchema),
  },
  'webhooks.enable': {
    summary: 'Enables a webhook that was disabled after failures; it receives only new events',
    output: webhookStateSchema,
  },
  'webhooks.deadLetters': {
    summary: "Lists a webhook's messages whose final delivery attempt failed",
    output: z.array(deadLetterSchema),
  },
  'webhooks.redeliver': {
    summary: 'Redelivers a message, or every dead letter if no id is given',
    body: z.object({ message: z.optional(z.string()) }),
  },
  'webhooks.idle': {
    isUnrecorded: true,
    summary: 'Responds once all due deliveries are complete',
  },
} satisfies Record<string, ControlOperation>
