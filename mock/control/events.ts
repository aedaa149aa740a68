import * as z from 'zod/mini'
import { lenient } from '../../src/contract/schema/schema.ts'
import { MockError } from '../errors.ts'
import type { WebhookInput } from '../events/delivery/webhook-input.ts'
import type { Team } from '../team.ts'
import { type ControlOperation, operation } from './endpoint.ts'
import { anything, span } from './values.ts'

const Event = z.object({
  number: z.int(),
  id: z.string(),
  event_type: z.string(),
  user_id: z.optional(z.string()),
  at: lenient.dateTime,
  body: anything,
})
const WebhookBody = z.object({
  id: z.optional(z.string()),
  url: z.string(),
  allowRemote: z.optional(z.boolean()),
  secret: z.optional(z.string()),
  types: z.optional(z.array(z.string())),
  concurrency: z.optional(z.int()),
  delay: z.optional(span),
  duplicates: z.optional(z.number()),
  reorder: z.optional(z.int()),
  wrongSignatures: z.optional(z.number()),
  oldTimestamps: z.optional(z.number()),
  lostAnswers: z.optional(z.number()),
})
const Webhook = z.object({
  id: z.string(),
  url: z.nullable(z.string()),
  secret: z.string(),
  types: z.array(z.string()),
  pending: z.int(),
})
const one = { id: z.string() }

/** The events the team was sent, and who receives them. */
export const events: readonly ControlOperation[] = [
  operation(
    {
      id: 'events.list',
      method: 'GET',
      path: '/events',
      summary:
        'Lists the events the team was sent, the oldest first; * stands for any part of a type',
      query: z.object({ type: z.optional(z.string()), after: z.optional(z.int()) }),
      responses: { 200: z.object({ count: z.int(), events: z.array(Event) }) },
    },
    ({ events }, { query: { type, after = 0 } }) => ({
      count: events.count,
      events: events.list(type).filter(({ number }) => number > after),
    }),
  ),
  operation(
    {
      id: 'events.trigger',
      method: 'POST',
      path: '/events',
      summary: 'Emits an event of any type; what is left out of it is made up',
      body: z.object({ event_type: z.string(), overrides: z.optional(anything) }),
      responses: { 200: Event },
    },
    (team, { body: { event_type, overrides } }) => team.trigger(event_type, overrides),
  ),
  operation(
    {
      id: 'events.clear',
      method: 'DELETE',
      path: '/events',
      summary: 'Forgets every event',
      responses: { 204: z.undefined() },
    },
    ({ events }) => events.clear(),
  ),
  operation(
    {
      id: 'webhooks.list',
      method: 'GET',
      path: '/webhooks',
      summary: 'Lists the receivers of the events',
      responses: { 200: z.array(Webhook) },
    },
    ({ webhooks }) => webhooks.list().map(toldOf),
  ),
  operation(
    {
      id: 'webhooks.add',
      method: 'POST',
      path: '/webhooks',
      summary: 'Adds a receiver of the events that are emitted from now on',
      body: WebhookBody,
      responses: { 200: Webhook },
    },
    // What it cannot be is refused there.
    ({ webhooks }, { body }) => toldOf(webhooks.add(body as WebhookInput)),
  ),
  operation(
    {
      id: 'webhooks.remove',
      method: 'DELETE',
      path: '/webhooks/{id}',
      summary: 'Removes a receiver, if there is one, and what it has still to be told',
      params: one,
      responses: { 200: z.object({ deleted: z.boolean() }) },
    },
    ({ webhooks }, { params }) => ({ deleted: webhooks.remove(params.id) }),
  ),
  operation(
    {
      id: 'webhooks.deliveries',
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      summary: 'Lists the attempts to deliver to a receiver, the oldest first',
      params: one,
      responses: { 200: z.array(anything) },
    },
    (team, { params }) => webhookOf(team, params.id).deliveries(),
  ),
  operation(
    {
      id: 'webhooks.deadLetters',
      method: 'GET',
      path: '/webhooks/{id}/dead_letters',
      summary: 'Lists the messages of which the last attempt failed',
      params: one,
      responses: { 200: z.array(anything) },
    },
    (team, { params }) => webhookOf(team, params.id).deadLetters(),
  ),
  operation(
    {
      id: 'webhooks.redeliver',
      method: 'POST',
      path: '/webhooks/{id}/redeliver',
      summary: 'Delivers a message again; without an id every one of which the last attempt failed',
      params: one,
      body: z.object({ message: z.optional(z.string()) }),
      responses: { 204: z.undefined() },
    },
    (team, { params, body }) => webhookOf(team, params.id).redeliver(body.message),
  ),
  operation(
    {
      id: 'webhooks.idle',
      method: 'POST',
      path: '/webhooks/idle',
      summary: 'Answers when everything is delivered that is due by now',
      responses: { 204: z.undefined() },
    },
    ({ webhooks }) => webhooks.idle(),
  ),
]

type FoundWebhook = NonNullable<ReturnType<Team['webhooks']['get']>>

function webhookOf({ webhooks }: Team, id: string): FoundWebhook {
  const webhook = webhooks.get(id)
  if (!webhook) throw new MockError('unknown_record', 'There is no such webhook.')
  return webhook
}

function toldOf({ id, url, secret, types, pending }: FoundWebhook) {
  return { id, url, secret, types, pending }
}
