import type { ControlOutput } from '../../control/api.ts'
import { useAddress } from '../address.ts'
import { JsonView } from '../components/json.tsx'
import { Details, Empty, Panel } from '../components/panel.tsx'
import { RecordTable, type TableColumn } from '../components/table.tsx'
import { DottedName } from '../components/text.tsx'
import { type FetchedUsers, useUsers } from '../components/user.tsx'
import { displayName, escapeHidden, formatNumber, formatTime } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'
import { TestEventForm } from './webhooks/webhook-forms.tsx'

type SentEvent = ControlOutput<'events.trigger'>

const eventLimit = 25

export function EventsPanel() {
  const { pulse } = useTeam()
  const users = useUsers()
  const wanted = Number(useAddress().path[0]) || undefined
  const after = Math.max(0, Math.min(pulse.events, wanted ?? pulse.events) - eventLimit)
  const events = useFetch('events.list', { query: { after, first: eventLimit } })?.events
  return (
    <Panel title="Events">
      <TestEventForm />
      <RecordTable
        caption="Events, latest first"
        rows={events?.toReversed()}
        keyOf={({ number }) => String(number)}
        columns={columnsOf(users, wanted)}
        empty={
          <Empty title="There are no events yet.">
            Send one above, or <a href="#/connections">connect a user</a>. The mock also sends
            events for orders, appointments and health data.
          </Empty>
        }
      />
      {pulse.events > eventLimit && (
        <p class="hint">
          Showing the latest {eventLimit} of {formatNumber(pulse.events)}
          {wanted && <>, up to number {wanted}</>}. See <a href="#/webhooks">Webhooks</a> for their
          receivers.
        </p>
      )}
    </Panel>
  )
}

function columnsOf(users: FetchedUsers, wanted: number | undefined): TableColumn<SentEvent>[] {
  return [
    { title: 'Number', isNumber: true, isMinor: true, cell: ({ number }) => formatNumber(number) },
    {
      title: 'Event',
      cell: ({ number, event_type, body }) => (
        <Details title={<DottedName name={event_type} />} isOpen={number === wanted}>
          <JsonView value={body} />
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
