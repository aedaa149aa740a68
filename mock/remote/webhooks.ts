import type { ControlOutput, Send } from '../control/api.ts'
import type {
  DeadLetter,
  Delivery,
  DeliveryExchange,
  PlannedDelivery,
} from '../events/delivery/deliveries.ts'
import type { WebhookInput } from '../events/delivery/webhook-input.ts'
import { deletes, reviveDate } from './collection.ts'

/** A webhook of a team in another process. */
export interface RemoteWebhook {
  /** The id, such as `webhook_1`. */
  readonly id: string
  /** The receiver's URL, or null for a handler in the mock's process. */
  readonly url: string | null
  /** The signing secret, `whsec_<base64>`. */
  readonly secret: string
  /** The event types to deliver. `*` matches any string. */
  readonly types: readonly string[]
  /** Returns the number of attempts that are in progress or planned, and of events not yet attempted. */
  pending(): Promise<number>
  /** Returns the latest delivery attempts, oldest first. */
  deliveries(): Promise<Delivery[]>
  /** Returns the latest attempts (at most 100) with requests and responses, oldest first. */
  exchanges(): Promise<DeliveryExchange[]>
  /** Returns the planned attempts, such as retries, earliest first. */
  planned(): Promise<PlannedDelivery[]>
  /** Returns whether deliveries stopped after more than five days of failures. */
  isDisabled(): Promise<boolean>
  /** Enables a disabled webhook. It receives new events, but not the events that it missed. */
  enable(): Promise<void>
  /** Returns the messages whose final delivery attempt failed. */
  deadLetters(): Promise<DeadLetter[]>
  /** Redelivers a message, or every dead letter if no id is given. */
  redeliver(id?: string): Promise<void>
}

/** A webhook to add to a team in another process. */
export type RemoteWebhookInput = Omit<WebhookInput, 'handler' | 'fetch'> & {
  /** The URL that receives the messages. */
  url: string
}

/**
 * The webhooks of a team in another process. Each webhook has a URL, because a handler cannot be sent to another
 * process.
 */
export interface RemoteWebhooks {
  /** Adds a webhook for events emitted after this call. */
  add(input: RemoteWebhookInput): Promise<RemoteWebhook>
  /** Returns the webhook with the given id, or undefined if there is none. */
  get(id: string): Promise<RemoteWebhook | undefined>
  /** Returns the webhooks in insertion order. */
  list(): Promise<RemoteWebhook[]>
  /** Deletes a webhook and its planned deliveries. Returns false if no webhook has this id. */
  remove(id: string): Promise<boolean>
  /** Resolves when every due delivery is complete. */
  idle(): Promise<void>
}

type WebhookState = ControlOutput<'webhooks.add'>
type SentDelivery = ControlOutput<'webhooks.deliveries'>[number]
type SentExchange = ControlOutput<'webhooks.exchanges'>[number]
type SentPlanned = ControlOutput<'webhooks.planned'>[number]

export function remoteWebhooks(send: Send): RemoteWebhooks {
  const list = () => send('webhooks.list')
  const find = async (id: string) => (await list()).find((webhook) => webhook.id === id)
  const toRemote = (webhook: WebhookState) => remoteWebhook(send, webhook, () => find(webhook.id))
  return {
    add: async (input) => toRemote(await send('webhooks.add', { body: input })),
    get: async (id) => {
      const webhook = await find(id)
      return webhook && toRemote(webhook)
    },
    list: async () => (await list()).map(toRemote),
    remove: (id) => deletes(send('webhooks.remove', { params: { id } })),
    idle: () => send('webhooks.idle'),
  }
}

function remoteWebhook(
  send: Send,
  { id, url, secret, types }: WebhookState,
  read: () => Promise<WebhookState | undefined>,
): RemoteWebhook {
  const params = { id }
  return {
    id,
    url,
    secret,
    types,
    pending: async () => (await read())?.pending ?? 0,
    isDisabled: async () => (await read())?.isDisabled ?? false,
    enable: async () => void (await send('webhooks.enable', { params })),
    exchanges: async () => (await send('webhooks.exchanges', { params })).map(toExchange),
    planned: async () => (await send('webhooks.planned', { params })).map(toPlanned),
    deliveries: async () => (await send('webhooks.deliveries', { params })).map(toDelivery),
    deadLetters: () => send('webhooks.deadLetters', { params }),
    redeliver: (message) => send('webhooks.redeliver', { params, body: { message } }),
  }
}

const toDelivery = (delivery: SentDelivery): Delivery => ({
  status: undefined,
  error: undefined,
  ...reviveDate(delivery),
})

const toExchange = (exchange: SentExchange): DeliveryExchange => ({
  ...exchange,
  response: exchange.response,
  ...toDelivery(exchange),
})

const toPlanned = (planned: SentPlanned): PlannedDelivery => ({
  id: undefined,
  event_type: undefined,
  ...reviveDate(planned),
})
