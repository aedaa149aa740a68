import { eventTypes } from '../choices.ts'
import { Json } from '../json.tsx'
import { Dotted, Empty, Field, Fold, Panel, Reading, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { nameOf, numberOf, timeOf, visible } from '../words.ts'
import { UserChoice, useUsers } from './users.tsx'
import { Webhooks } from './webhooks.tsx'

/** An event as it is sent. */
interface SentEvent {
  number: number
  event_type: string
  user_id?: string
  at: string
  body: unknown
}

/** So many of the latest events are listed. */
const listed = 25

/** What the team was sent, who receives it, and how to send more. */
export function EventsPanel() {
  const { pulse } = useTeam()
  const users = useUsers()
  const after = Math.max(0, pulse.events - listed)
  const found = useRead<{ events: SentEvent[] }>(`GET /events?after=${after}`)
  const events = found?.events.toReversed()
  return (
    <Panel title="Events">
      <TriggerForm users={users} />
      {!events && <Reading />}
      {events?.length === 0 && (
        <Empty title="No event was sent yet.">
          Trigger one above, or <a href="#/connections">connect a user</a>: every change sends what
          the specification says.
        </Empty>
      )}
      {events && events.length > 0 && (
        <Table
          caption="Events, the latest first"
          rows={events}
          keyOf={({ number }) => String(number)}
          columns={[
            {
              title: 'Number',
              isNumber: true,
              isMinor: true,
              cell: ({ number }) => numberOf(number),
            },
            {
              title: 'Event',
              cell: ({ event_type, body }) => (
                <Fold title={<Dotted name={event_type} />}>
                  <Json value={body} />
                </Fold>
              ),
            },
            {
              title: 'User',
              isMinor: true,
              cell: ({ user_id }) => {
                const user = users?.find((known) => known.user_id === user_id)
                return user ? nameOf(user) : visible(user_id?.slice(0, 8) ?? '–')
              },
            },
            { title: 'At', isNumber: true, cell: ({ at }) => timeOf(at) },
          ]}
        />
      )}
      {pulse.events > listed && (
        <p class="hint">
          The latest {listed} of {numberOf(pulse.events)}.
        </p>
      )}
      <Webhooks />
    </Panel>
  )
}

function TriggerForm({ users }: { users: ReturnType<typeof useUsers> }) {
  const { ask, act } = useTeam()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget as HTMLFormElement)
    const event_type = String(said.get('event_type'))
    const user_id = said.get('user_id')
    const body = { event_type, overrides: user_id ? { user_id } : {} }
    void act(`Sent ${visible(event_type)}.`, () => ask('POST /events', body))
  }
  return (
    <form class="line" onSubmit={submit}>
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
        {eventTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <UserChoice users={users} none="Any" />
      <button type="submit" class="main">
        Trigger
      </button>
    </form>
  )
}
