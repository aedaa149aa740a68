import * as z from 'zod/mini'
import { deadLetterSchema, deliverySchema, webhookStateSchema } from '../control/responses.ts'
import type { DeadLetter, Delivery } from '../events/deliveries.ts'
import type { ControlClient } from './control-client.ts'
import { type Dated, reviveDate } from './dates.ts'
import { deleteAt, recordPath } from './records.ts'
import type { RemoteWebhook, RemoteWebhooks } from './remote-team.ts'

type SentWebhook = Pick<RemoteWebhook, 'id' | 'url' | 'secret' | 'types'> & { pending: number }

/** Returns the webhooks of a team. */
export function remoteWebhooks(client: ControlClient): RemoteWebhooks {
  const list = () => client.read<SentWebhook[]>('GET /webhooks', z.array(webhookStateSchema))
  const find = async (id: string) => (await list()).find((webhook) => webhook.id === id)
  const toRemote = (webhook: SentWebhook) =>
    remoteWebhook(client, webhook, async () => (await find(webhook.id))?.pending ?? 0)
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
  pending: RemoteWebhook['pending'],
): RemoteWebhook {
  // Only these methods need the path, which not every id has.
  const path = () => recordPath('/webhooks', [id])
  return {
    id,
    url,
    secret,
    types,
    pending,
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
