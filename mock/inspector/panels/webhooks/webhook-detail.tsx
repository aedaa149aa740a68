import type { ControlOutput } from '../../../control/api.ts'
import { JsonView } from '../../components/json.tsx'
import { Details, Empty } from '../../components/panel.tsx'
import { RecordTable, type TableColumn } from '../../components/table.tsx'
import { CopyableId, DottedName } from '../../components/text.tsx'
import { escapeHidden, formatDateTime, formatDuration } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { DeliveryList } from './delivery-list.tsx'

type Webhook = ControlOutput<'webhooks.list'>[number]

const plannedLimit = 5

/** The maximum number of attempts per message: the first attempt and seven retries. */
const mostAttempts = 8

export function WebhookDetail({ webhook }: { webhook: Webhook }) {
  const params = { id: webhook.id }
  return (
    <section class="stack" aria-label="Selected webhook">
      <WebhookHead webhook={webhook} />
      <PlannedAttempts params={params} />
      <DeadLetters params={params} />
      <DeliveryList params={params} />
    </section>
  )
}

interface WebhookProps {
  params: { id: string }
}

function WebhookHead({ webhook }: { webhook: Webhook }) {
  const { send, run } = useTeam()
  const { id, url, secret, types, isDisabled } = webhook
  const params = { id }
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
            onClick={() => run('Enabled the webhook.', () => send('webhooks.enable', { params }))}
          >
            Enable
          </button>
        )}
        <button
          type="button"
          aria-label={`Remove the webhook ${url ?? id}`}
          onClick={() => run('Removed the webhook.', () => send('webhooks.remove', { params }))}
        >
          Remove
        </button>
      </div>
      {isDisabled && (
        <p class="problem">
          Every delivery failed for more than five days, so the mock stopped delivering. Missed
          events are not delivered later.
        </p>
      )}
    </header>
  )
}

function PlannedAttempts({ params }: WebhookProps) {
  const { pulse, send, run } = useTeam()
  const planned = useFetch('webhooks.planned', { params, query: { first: plannedLimit + 1 } })
  if (!planned?.length) return null
  const columns: TableColumn<NonNullable<typeof planned>[number]>[] = [
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
            run(`Moved to ${formatDateTime(at)}.`, () =>
              send('clock.advanceTo', { body: { to: at } }),
            )
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
        caption="Planned attempts, soonest first"
        rows={planned.slice(0, plannedLimit)}
        keyOf={({ number, attempt, isDuplicate }) => `${number} ${attempt} ${isDuplicate}`}
        columns={columns}
        empty={null}
      />
    </section>
  )
}

function DeadLetters({ params }: WebhookProps) {
  const { send, run } = useTeam()
  const letters = useFetch('webhooks.deadLetters', { params })
  if (!letters?.length) return null
  const redeliver = (message?: string) =>
    run(message ? 'Redelivering the message.' : 'Redelivering all dead letters.', () =>
      send('webhooks.redeliver', { params, body: { message } }),
    )
  const columns: TableColumn<NonNullable<typeof letters>[number]>[] = [
    {
      title: 'Event',
      cell: ({ event_type, body }) => (
        <Details title={<DottedName name={event_type} />}>
          <JsonView value={body} />
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
