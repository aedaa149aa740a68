import { MockError } from '../../errors.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { webhooks } from '../operations/webhooks.ts'

export const webhooksHandlers: Handlers<typeof webhooks> = {
  'webhooks.list': ({ webhooks }) => webhooks.list().map(stateOf),
  'webhooks.add': ({ webhooks }, { body }) => stateOf(webhooks.add(body)),
  'webhooks.remove': ({ webhooks }, { params }) => ({ deleted: webhooks.remove(params.id) }),
  'webhooks.deliveries': (team, { params }) => findWebhook(team, params.id).deliveries(),
  'webhooks.exchanges': (team, { params }) => findWebhook(team, params.id).exchanges(),
  'webhooks.planned': (team, { params, query }) =>
    findWebhook(team, params.id).planned().slice(0, query.first),
  'webhooks.enable': (team, { params }) => {
    const webhook = findWebhook(team, params.id)
    webhook.enable()
    return stateOf(webhook)
  },
  'webhooks.deadLetters': (team, { params }) => findWebhook(team, params.id).deadLetters(),
  'webhooks.redeliver': (team, { params, body }) =>
    findWebhook(team, params.id).redeliver(body.message),
  'webhooks.idle': ({ webhooks }) => webhooks.idle(),
}

type FoundWebhook = NonNullable<ReturnType<Team['webhooks']['get']>>

function findWebhook({ webhooks }: Team, id: string): FoundWebhook {
  const webhook = webhooks.get(id)
  if (!webhook)
    throw new MockError(
      'unknown_record',
      `No webhook has the id '${id}'. Use an id from webhooks.list().`,
    )
  return webhook
}

function stateOf({ id, url, secret, types, pending, isDisabled }: FoundWebhook) {
  return { id, url, secret, types, pending, isDisabled }
}
