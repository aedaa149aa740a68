import { Field, Form } from '../components/form.tsx'
import { Empty } from '../components/panel.tsx'
import { RecordTable, type TableColumn } from '../components/table.tsx'
import { escapeHidden, formatNumber } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

/** A webhook in a response of the control API. */
interface WireWebhook {
  id: string
  url: string | null
  secret: string
  types: string[]
  pending: number
}

/** Lists, adds and removes webhooks. */
export function WebhookSection() {
  return (
    <section class="block">
      <h2>Webhooks</h2>
      <WebhookForm />
      <RecordTable
        caption="Webhooks"
        rows={useFetch<WireWebhook[]>('GET /webhooks')}
        keyOf={({ id }) => id}
        columns={webhookColumns}
        empty={
          <Empty title="There are no webhooks yet.">
            Add the URL of your receiver above. The mock signs each event with the secret of the
            webhook, and retries failed deliveries on the team’s clock.
          </Empty>
        }
      />
    </section>
  )
}

const webhookColumns: TableColumn<WireWebhook>[] = [
  { title: 'URL', cell: ({ url, id }) => <code>{escapeHidden(url ?? id)}</code> },
  {
    title: 'Types',
    isMinor: true,
    cell: ({ types }) => <code>{escapeHidden(types.join(', '))}</code>,
  },
  { title: 'Secret', isMinor: true, cell: ({ secret }) => <code>{secret}</code> },
  { title: 'Pending', isNumber: true, cell: ({ pending }) => formatNumber(pending) },
  { title: 'Remove', cell: (webhook) => <RemoveButton {...webhook} /> },
]

function RemoveButton({ id, url }: WireWebhook) {
  const { send, run } = useTeam()
  const remove = () => send(`DELETE /webhooks/${encodeURIComponent(id)}`)
  return (
    <button
      type="button"
      aria-label={`Remove the webhook ${url ?? id}`}
      onClick={() => run('Removed the webhook.', remove)}
    >
      Remove
    </button>
  )
}

function WebhookForm() {
  const { send, run } = useTeam()
  const submit = async (values: FormData, form: HTMLFormElement) => {
    const types = String(values.get('types'))
      .split(/[\s,]+/)
      .filter((type) => type)
    const webhook = { url: values.get('url'), ...(types.length > 0 ? { types } : {}) }
    if (await run('Added the webhook.', () => send('POST /webhooks', webhook))) form.reset()
  }
  return (
    <Form submit={submit}>
      <Field label="URL on this machine" class="wide">
        <input name="url" type="url" required placeholder="http://localhost:3000/events" />
      </Field>
      <Field label="Types">
        <input name="types" placeholder="all" autocomplete="off" />
      </Field>
      <button type="submit">Add webhook</button>
    </Form>
  )
}
