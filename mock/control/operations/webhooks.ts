import * as z from 'zod/mini'
import { positiveSchema } from '../../base/schemas.ts'
import { MockError } from '../../errors.ts'
import { type WebhookInput, webhookSchema } from '../../events/delivery/webhook-input.ts'
import type { Team } from '../../team.ts'
import { type ControlOperation, noContent, operation } from '../endpoint.ts'
import {
  deadLetterSchema,
  deletionSchema,
  deliveryExchangeSchema,
  deliverySchema,
  plannedDeliverySchema,
  webhookStateSchema,
} from '../responses.ts'

const params = { id: z.string() }

/** The receivers of the team's events. */
export const webhooks: readonly ControlOperation[] = [
  operation(
    {
      id: 'webhooks.list',
      method: 'GET',
      path: '/webhooks',
      summary: 'Lists the webhooks',
      responses: { 200: z.array(webhookStateSchema) },
    },
    ({ webhooks }) => webhooks.list().map(stateOf),
  ),
  operation(
    {
      id: 'webhooks.add',
      method: 'POST',
      path: '/webhooks',
      summary: 'Adds a webhook for the events from now on',
      body: webhookSchema,
      responses: { 200: webhookStateSchema },
    },
    // The schema is that of the type without functions.
    ({ webhooks }, { body }) => stateOf(webhooks.add(body as WebhookInput)),
  ),
  operation(
    {
      id: 'webhooks.remove',
      method: 'DELETE',
      path: '/webhooks/{id}',
      summary: 'Deletes a webhook with its planned deliveries',
      params,
      responses: { 200: deletionSchema },
    },
    ({ webhooks }, { params }) => ({ deleted: webhooks.remove(params.id) }),
  ),
  operation(
    {
      id: 'webhooks.deliveries',
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      summary: 'Lists the delivery attempts of a webhook, the oldest first',
      params,
      responses: { 200: z.array(deliverySchema) },
    },
    (team, { params }) => findWebhook(team, params.id).deliveries(),
  ),
  operation(
    {
      id: 'webhooks.exchanges',
      method: 'GET',
      path: '/webhooks/{id}/exchanges',
      summary:
        'Lists the latest 100 delivery attempts with their requests and responses, the oldest first',
      params,
      responses: { 200: z.array(deliveryExchangeSchema) },
    },
    (team, { params }) => findWebhook(team, params.id).exchanges(),
  ),
  operation(
    {
      id: 'webhooks.planned',
      method: 'GET',
      path: '/webhooks/{id}/planned',
      summary: 'Lists the planned attempts of a webhook, such as retries, the next one first',
      params,
      query: z.object({ first: z.optional(positiveSchema) }),
      responses: { 200: z.array(plannedDeliverySchema) },
    },
    (team, { params, query }) => findWebhook(team, params.id).planned().slice(0, query.first),
  ),
  operation(
    {
      id: 'webhooks.enable',
      method: 'POST',
      path: '/webhooks/{id}/enable',
      summary: 'Delivers the events from now on to a webhook that was disabled after failures',
      params,
      responses: { 200: webhookStateSchema },
    },
    (team, { params }) => {
      const webhook = findWebhook(team, params.id)
      webhook.enable()
      return stateOf(webhook)
    },
  ),
  operation(
    {
      id: 'webhooks.deadLetters',
      method: 'GET',
      path: '/webhooks/{id}/dead_letters',
      summary: 'Lists the messages whose last attempt failed',
      params,
      responses: { 200: z.array(deadLetterSchema) },
    },
    (team, { params }) => findWebhook(team, params.id).deadLetters(),
  ),
  operation(
    {
      id: 'webhooks.redeliver',
      method: 'POST',
      path: '/webhooks/{id}/redeliver',
      summary: 'Delivers a message again; without an id, every dead letter',
      params,
      body: z.object({ message: z.optional(z.string()) }),
      responses: noContent,
    },
    (team, { params, body }) => findWebhook(team, params.id).redeliver(body.message),
  ),
  operation(
    {
      id: 'webhooks.idle',
      isUnrecorded: true,
      method: 'POST',
      path: '/webhooks/idle',
      summary: 'Responds when every due message is delivered',
      responses: noContent,
    },
    ({ webhooks }) => webhooks.idle(),
  ),
]

type FoundWebhook = NonNullable<ReturnType<Team['webhooks']['get']>>

function findWebhook({ webhooks }: Team, id: string): FoundWebhook {
  const webhook = webhooks.get(id)
  if (!webhook) throw new MockError('unknown_record', 'No webhook has this id.')
  return webhook
}

function stateOf({ id, url, secret, types, pending, isDisabled }: FoundWebhook) {
  return { id, url, secret, types, pending, isDisabled }
}
