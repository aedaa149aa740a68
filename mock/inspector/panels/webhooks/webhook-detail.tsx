import { Json } from '../../components/json.tsx'
import { Details, Empty } from '../../components/panel.tsx'
import { RecordTable, type TableColumn } from '../../components/table.tsx'
import { CopyableId, DottedName } from '../../components/text.tsx'
import { escapeHidden, formatDateTime, formatDuration } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { DeliveryList } from './delivery-list.tsx'
import type { WireDeadLetter, WirePlanned, WireWebhook } from './wire-webhook.ts'

/** The maximum number of planned attempts that are shown. */
const plannedLimit = 5

/** Attempts of a message: the first one, and one after each wait. */
const mostAttempts = 8

/** Shows a webhook with its planned attempts, its dead letters and its deliveries. */
export function WebhookDetail({ webhook }: { webhook: WireWebhook }) {
  const path = `/webhooks/${encodeURIComponent(webhook.id)}`
  return (
    <section class="stack" aria-label="Selected webhook">
      <WebhookHead path={path} webhook={webhook} />
      <PlannedAttempts path={path} />
      <DeadLetters path={path} />
      <DeliveryList path={path} />
    </section>
  )
}

/** The path of a webhook in the control API. */
interface PathProps {
  path: string
}

function WebhookHead({ path, webhook }: PathProps & { webhook: WireWebhook }) {
  const { send, run } = useTeam()
  const { id, url, secret, types, isDisabled } = webhook
  return (
    <header class="endpoint">
      <h2>{escapeHidden(url ?? id)}</h2>
      <p class="facts">
        <span class="hint">Secret</span> <CopyableId value={secret} />
        <span class="hint">Types</span> <code>{escapeHidden(types.join(', '))}</code>
      </p>
      <div class="actions">
        {isDisabled && (
          <button
            type="button"
            class="main"
            onClick={() => run('Enabled the webhook.', () => send(`POST ${path}/enable`))}
          >
            Enable
          </button>
        )}
        <button
          type="button"
          aria-label={`Remove the webhook ${url ?? id}`}
          onClick={() => run('Removed the webhook.', () => send(`DELETE ${path}`))}
        >
          Remove
        </button>
      </div>
      {isDisabled && (
        <p class="problem">
          Every delivery failed for five days, so the mock stopped. Events that it missed are not
          delivered later.
        </p>
      )}
    </header>
  )
}

function PlannedAttempts({ path }: PathProps) {
  const { pulse, send, run } = useTeam()
  const planned = useFetch<WirePlanned[]>(`GET ${path}/planned?first=${plannedLimit + 1}`)
  if (!planned?.length) return null
  const columns: TableColumn<WirePlanned>[] = [
    {
      title: 'Next attempt',
      isUnbroken: true,
      cell: ({ at }) => <time dateTime={at}>in {formatDuration(pulse.now, at)}</time>,
    },
    { title: 'Event', cell: ({ event_type }) => <DottedName name={event_type ?? 'dropped'} /> },
    {
      title: 'Attempt',
      isNumber: true,
      isMinor: true,
      cell: ({ attempt }) => `${attempt} of ${mostAttempts}`,
    },
    {
      title: 'Move',
      cell: ({ at }) => (
        <button
          type="button"
          aria-label={`Move clock to ${formatDateTime(at)}`}
          onClick={() =>
            run(`Moved to ${formatDateTime(at)}.`, () => send('POST /clock/advance_to', { to: at }))
          }
        >
          Move clock
        </button>
      ),
    },
  ]
  return (
    <section class="block">
      <h3>
        Next attempts
        {planned.length > plannedLimit && <span class="count">the first {plannedLimit}</span>}
      </h3>
      <RecordTable
        caption="Planned attempts, the next one first"
        rows={planned.slice(0, plannedLimit)}
        keyOf={({ number, attempt, isDuplicate }) => `${number} ${attempt} ${isDuplicate}`}
        columns={columns}
        empty={null}
      />
    </section>
  )
}

function DeadLetters({ path }: PathProps) {
  const { send, run } = useTeam()
  const letters = useFetch<WireDeadLetter[]>(`GET ${path}/dead_letters`)
  if (!letters?.length) return null
  const redeliver = (message?: string) =>
    run(message ? 'Delivering the message again.' : 'Delivering all dead letters again.', () =>
      send(`POST ${path}/redeliver`, message ? { message } : {}),
    )
  const columns: TableColumn<WireDeadLetter>[] = [
    {
      title: 'Event',
      cell: ({ event_type, body }) => (
        <Details title={<DottedName name={event_type} />}>
          <Json value={body} />
        </Details>
      ),
    },
    { title: 'Message', isMinor: true, cell: ({ id }) => <CopyableId value={id} /> },
    {
      title: 'Deliver',
      cell: ({ id, event_type }) => (
        <button type="button" aria-label={`Redeliver ${event_type}`} onClick={() => redeliver(id)}>
          Redeliver
        </button>
      ),
    },
  ]
  return (
    <section class="block">
      <h3>
        Dead letters <span class="count">{letters.length}</span>
        <button type="button" class="push" onClick={() => redeliver()}>
          Redeliver all
        </button>
      </h3>
      <RecordTable
        caption="Messages whose last attempt failed"
        rows={letters.slice(-50).toReversed()}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<Empty title="There are no dead letters." />}
      />
    </section>
  )
}
