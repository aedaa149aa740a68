import { Empty, Field, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { numberOf, visible } from '../words.ts'

/** A receiver of events as it is sent. */
interface SentWebhook {
  id: string
  url: string | null
  secret: string
  types: string[]
  pending: number
}

/** Who receives the events of the team. */
export function Webhooks() {
  const { ask, act } = useTeam()
  const webhooks = useRead<SentWebhook[]>('GET /webhooks')
  return (
    <section class="block">
      <h2>Webhooks</h2>
      <WebhookForm />
      {webhooks?.length === 0 && (
        <Empty title="Nobody receives events.">
          Add the address of your receiver above. Each event is signed with the webhook’s secret,
          and sent again on the team’s clock until it is taken.
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <Table
          caption="Receivers of events"
          rows={webhooks}
          keyOf={({ id }) => id}
          columns={[
            { title: 'URL', cell: ({ url, id }) => <code>{visible(url ?? id)}</code> },
            {
              title: 'Types',
              isMinor: true,
              cell: ({ types }) => <code>{visible(types.join(', '))}</code>,
            },
            { title: 'Secret', isMinor: true, cell: ({ secret }) => <code>{secret}</code> },
            { title: 'Pending', isNumber: true, cell: ({ pending }) => numberOf(pending) },
            {
              title: 'Remove',
              cell: ({ id, url }) => (
                <button
                  type="button"
                  aria-label={`Remove the webhook ${url ?? id}`}
                  onClick={() =>
                    act('Removed the webhook.', () =>
                      ask(`DELETE /webhooks/${encodeURIComponent(id)}`),
                    )
                  }
                >
                  Remove
                </button>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}

function WebhookForm() {
  const { ask, act } = useTeam()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const said = new FormData(form)
    const types = String(said.get('types'))
      .split(/[\s,]+/)
      .filter((type) => type)
    const webhook = { url: said.get('url'), ...(types.length > 0 ? { types } : {}) }
    if (await act('Added the webhook.', () => ask('POST /webhooks', webhook))) form.reset()
  }
  return (
    <form class="line" onSubmit={submit}>
      <Field label="URL on this machine" class="wide">
        <input name="url" type="url" required placeholder="http://localhost:3000/events" />
      </Field>
      <Field label="Types">
        <input name="types" placeholder="all" autocomplete="off" />
      </Field>
      <button type="submit">Add webhook</button>
    </form>
  )
}
