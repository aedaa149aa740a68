import type { ControlOutput } from '../../../control/api.ts'
import { linkTo, useAddress } from '../../address.ts'
import { Empty, Loading, Panel } from '../../components/panel.tsx'
import { escapeHidden, formatNumber } from '../../format.ts'
import { useFetch } from '../../team-context.ts'
import { WebhookDetail } from './webhook-detail.tsx'
import { TestEventForm, WebhookForm } from './webhook-forms.tsx'

export function WebhooksPanel() {
  const [selected] = useAddress().path
  const webhooks = useFetch('webhooks.list')
  const webhook = webhooks?.find(({ id }) => id === selected) ?? webhooks?.[0]
  return (
    <Panel
      title="Webhooks"
      hint="The mock signs each event with the endpoint’s secret, and retries failed deliveries on the team’s clock."
    >
      <WebhookForm />
      {!webhooks && <Loading />}
      {webhooks?.length === 0 && (
        <Empty title="There are no webhooks yet.">
          Add the URL of your receiver above. From then on, it receives the team’s events.
        </Empty>
      )}
      {webhooks && webhook && (
        <>
          <TestEventForm />
          <div class="split webhooks">
            <WebhookList webhooks={webhooks} selected={webhook.id} />
            <WebhookDetail key={webhook.id} webhook={webhook} />
          </div>
        </>
      )}
    </Panel>
  )
}

function WebhookList({
  webhooks,
  selected,
}: {
  webhooks: ControlOutput<'webhooks.list'>
  selected: string
}) {
  return (
    <ul class="cards" aria-label="Webhooks">
      {webhooks.map(({ id, url, types, pending, isDisabled }) => (
        <li key={id}>
          <a href={linkTo(['webhooks', id])} aria-current={id === selected ? 'true' : undefined}>
            <span class="name">{escapeHidden(url ?? 'A handler in the mock’s process')}</span>
            <span class="hint">
              {escapeHidden(id)}, {escapeHidden(types.join(', '))}
            </span>
            <span class="facts">
              {isDisabled && <span class="status bad">disabled</span>}
              {pending > 0 && <span class="status busy">{formatNumber(pending)} pending</span>}
              {pending === 0 && !isDisabled && <span class="status good">idle</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
