import * as z from 'zod/mini'
import {
  deadLetterSchema,
  deliveryExchangeSchema,
  deliverySchema,
  plannedDeliverySchema,
  webhookStateSchema,
} from '../control/responses.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryExchange,
  PlannedDelivery,
} from '../events/delivery/deliveries.ts'
import type { WebhookInput } from '../events/delivery/webhook-input.ts'
import { deleteAt, recordPath } from './collection.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'

/** A webhook of a team in another process. */
export interface RemoteWebhook {
  /** The id, such as `webhook_1`. */
  readonly id: string
  /** The URL of the receiver; null for a handler in the process of the mock. */
  readonly url: string | null
  /** The signing secret: `whsec_` followed by base64. */
  readonly secret: string
  /** The event types to deliver; `*` matches any string. */
  readonly types: readonly string[]
  /** Returns the number of attempts that are in progress, due or planned. */
  pending(): Promise<number>
  /** Returns the delivery attempts so far, the oldest first. */
  deliveries(): Promise<Delivery[]>
  /** Returns the latest 100 attempts with their requests and responses, the oldest first. */
  exchanges(): Promise<DeliveryExchange[]>
  /** Returns the planned attempts, such as retries, the next one first. */
  planned(): Promise<PlannedDelivery[]>
  /** Returns whether deliveries stopped because all of them failed for five days. */
  isDisabled(): Promise<boolean>
  /** Delivers the events from now on to a disabled webhook. Events that it missed are not delivered. */
  enable(): Promise<void>
  /** Returns the messages whose last attempt failed. */
  deadLetters(): Promise<DeadLetter[]>
  /** Delivers a message again; without an id, every dead letter. */
  redeliver(id?: string): Promise<void>
}

/** A webhook to add to a team in another process. */
export type RemoteWebhookInput = Omit<WebhookInput, 'handler' | 'fetch'> & {
  /** The URL that receives the messages. */
  url: string
}

/** The webhooks of a team in another process. They have a URL, because handlers cannot be sent. */
export interface RemoteWebhooks {
  /** Adds a webhook for the events from now on. */
  add(input: RemoteWebhookInput): Promise<RemoteWebhook>
  /** Returns a webhook by its id; undefined if it is unknown. */
  get(id: string): Promise<RemoteWebhook | undefined>
  /** Returns the webhooks in insertion order. */
  list(): Promise<RemoteWebhook[]>
  /** Deletes a webhook with its planned deliveries; returns false if it is unknown. */
  remove(id: string): Promise<boolean>
  /** Resolves when every due message is delivered. */
  idle(): Promise<void>
}

type SentWebhook = Pick<RemoteWebhook, 'id' | 'url' | 'secret' | 'types'> & WebhookProgress

interface WebhookProgress {
  pending: number
  isDisabled: boolean
}

/** Returns the webhooks of a team. */
export function remoteWebhooks(client: ControlClient): RemoteWebhooks {
  const list = () => client.read<SentWebhook[]>('GET /webhooks', z.array(webhookStateSchema))
  const find = async (id: string) => (await list()).find((webhook) => webhook.id === id)
  const toRemote = (webhook: SentWebhook) => remoteWebhook(client, webhook, () => find(webhook.id))
  return {
    add: async (input) =>
      toRemote(await client.read<SentWebhook>('POST /webhooks', webhookStateSchema, input)),
    get: async (id) => {
      const webhook = await find(id)
      return webhook && toRemote(webhook)
    },
    list: async () => (await list()).map(toRemote),
    remove: (id) => deleteAt(client, '/webhooks', [id]),
    idle: async () => void (await client.run('POST /webhooks/idle')),
  }
}

function remoteWebhook(
  client: ControlClient,
  { id, url, secret, types }: SentWebhook,
  read: () => Promise<WebhookProgress | undefined>,
): RemoteWebhook {
  // Only these methods need the path, which not every id has.
  const path = () => recordPath('/webhooks', [id])
  return {
    id,
    url,
    secret,
    types,
    pending: async () => (await read())?.pending ?? 0,
    isDisabled: async () => (await read())?.isDisabled ?? false,
    enable: async () => void (await client.run(`POST ${path()}/enable`)),
    exchanges: async () => {
      const schema = z.array(deliveryExchangeSchema)
      const route = `GET ${path()}/exchanges`
      return (await client.read<Dated<DeliveryExchange>[]>(route, schema)).map(reviveDate)
    },
    planned: async () => {
      const schema = z.array(plannedDeliverySchema)
      const route = `GET ${path()}/planned`
      return (await client.read<Dated<PlannedDelivery>[]>(route, schema)).map(reviveDate)
    },
    deliveries: async () => {
      const schema = z.array(deliverySchema)
      const deliveries = await client.read<Dated<Delivery>[]>(`GET ${path()}/deliveries`, schema)
      return deliveries.map(reviveDate)
    },
    deadLetters: async () =>
      client.read<DeadLetter[]>(`GET ${path()}/dead_letters`, z.array(deadLetterSchema)),
    redeliver: async (message) => void (await client.run(`POST ${path()}/redeliver`, { message })),
  }
}
