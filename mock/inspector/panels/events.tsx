import { knownEventTypes } from '../../../src/contract/values/event-types.ts'
import { Field, Form } from '../components/form.tsx'
import { Json } from '../components/json.tsx'
import { Details, Empty, Panel } from '../components/panel.tsx'
import { RecordTable, type TableColumn } from '../components/table.tsx'
import { DottedName } from '../components/text.tsx'
import { UserSelect, type Users, useUsers } from '../components/user.tsx'
import { displayName, escapeHidden, formatNumber, formatTime } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'
import { WebhookSection } from './webhooks.tsx'

/** An event in a response of the control API. */
interface WireEvent {
  number: number
  event_type: string
  user_id?: string
  at: string
  body: unknown
}

/** The maximum number of events that the panel shows. */
const eventLimit = 25

/** Lists and triggers events, and manages the webhooks. */
export function EventsPanel() {
  const { pulse } = useTeam()
  const users = useUsers()
  const after = Math.max(0, pulse.events - eventLimit)
  const events = useFetch<{ events: WireEvent[] }>(`GET /events?after=${after}`)?.events
  return (
    <Panel title="Events">
      <TriggerForm users={users} />
      <RecordTable
        caption="Events, the latest first"
        rows={events?.toReversed()}
        keyOf={({ number }) => String(number)}
        columns={columnsOf(users)}
        empty={
          <Empty title="There are no events yet.">
            Trigger one above, or <a href="#/connections">connect a user</a>. Every change sends the
            events that the specification defines for it.
          </Empty>
        }
      />
      {pulse.events > eventLimit && (
        <p class="hint">
          Showing the latest {eventLimit} of {formatNumber(pulse.events)}.
        </p>
      )}
      <WebhookSection />
    </Panel>
  )
}

function columnsOf(users: Users): TableColumn<WireEvent>[] {
  return [
    { title: 'Number', isNumber: true, isMinor: true, cell: ({ number }) => formatNumber(number) },
    {
      title: 'Event',
      cell: ({ event_type, body }) => (
        <Details title={<DottedName name={event_type} />}>
          <Json value={body} />
        </Details>
      ),
    },
    {
      title: 'User',
      isMinor: true,
      cell: ({ user_id }) => {
        const user = users?.find((known) => known.user_id === user_id)
        return user ? displayName(user) : escapeHidden(user_id?.slice(0, 8) ?? '–')
      },
    },
    { title: 'Time', isNumber: true, cell: ({ at }) => formatTime(at) },
  ]
}

function TriggerForm({ users }: { users: Users }) {
  const { send, run } = useTeam()
  const submit = (values: FormData) => {
    const event_type = String(values.get('event_type'))
    const user_id = values.get('user_id')
    const body = { event_type, overrides: user_id ? { user_id } : {} }
    return run(`Sent ${escapeHidden(event_type)}.`, () => send('POST /events', body))
  }
  return (
    <Form submit={submit}>
      <Field label="Type" class="wide">
        <input
          name="event_type"
          list="event-types"
          required
          autocomplete="off"
          defaultValue="daily.data.sleep.created"
        />
      </Field>
      <datalist id="event-types">
        {knownEventTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <UserSelect users={users} none="Any" />
      <button type="submit" class="main">
        Trigger
      </button>
    </Form>
  )
}
