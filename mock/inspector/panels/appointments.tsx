import type { Appointment } from '../../../src/contract/appointments.ts'
import { appointmentStatuses } from '../../../src/contract/values/known-values.ts'
import { ownValue } from '../../../src/shared/narrow.ts'
import { timeSpanPattern } from '../../shared/time-units.ts'
import { bookingOutcomes, transitions } from '../../state/bookings/outcomes.ts'
import { Field, Form, Options } from '../components/form.tsx'
import { Empty, Panel } from '../components/panel.tsx'
import { Status } from '../components/status.tsx'
import { RecordTable, recordLimit, type TableColumn, timeColumn } from '../components/table.tsx'
import { CopyableId } from '../components/text.tsx'
import { type FetchedUsers, UserCell, UserSelect, useUsers } from '../components/user.tsx'
import { escapeHidden } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

export function AppointmentsPanel() {
  const users = useUsers()
  const appointments = useFetch('appointments.list', { query: { last: recordLimit } })
  return (
    <Panel title="Appointments">
      <AppointmentForm users={users} />
      <RecordTable
        caption="Appointments, latest first"
        rows={appointments?.toReversed()}
        keyOf={({ id }) => id}
        columns={columnsOf(users)}
        empty={
          <Empty title="There are no appointments yet.">
            Create one above, or book one for an order:{' '}
            <code>POST /v3/order/…/phlebotomy/appointment/book</code>
          </Empty>
        }
      />
      <NextBooking />
    </Panel>
  )
}

function columnsOf(users: FetchedUsers): TableColumn<Appointment>[] {
  return [
    { title: 'User', cell: ({ user_id }) => <UserCell users={users} id={user_id} /> },
    { title: 'Status', cell: ({ status }) => <Status value={status} /> },
    timeColumn('Start', ({ start_at }) => start_at),
    {
      title: 'Place',
      isMinor: true,
      cell: ({ address }) => escapeHidden(`${address.city}, ${address.state}`),
    },
    { title: 'Order', isMinor: true, cell: ({ order_id }) => <CopyableId value={order_id} /> },
    { title: 'Appointment', isMinor: true, cell: ({ id }) => <CopyableId value={id} /> },
    { title: 'Move to', cell: (appointment) => <Transition {...appointment} /> },
  ]
}

function AppointmentForm({ users }: { users: FetchedUsers }) {
  const { send, run } = useTeam()
  const submit = (values: FormData) => {
    const user_id = String(values.get('user_id'))
    return run('Created an appointment.', async () => {
      const order = await send('orders.create', { body: user_id ? { user_id } : {} })
      await send('appointments.create', { body: { order_id: order.id } })
    })
  }
  return (
    <Form submit={submit}>
      <UserSelect users={users} none="A new user" />
      <button type="submit" class="main">
        Create appointment
      </button>
    </Form>
  )
}

/** Offers every status except `pending`. The mock rejects a status that cannot follow the current one. */
function Transition({ id, status }: Appointment) {
  const { send, run } = useTeam()
  const move = (next: (typeof appointmentStatuses)[number]) =>
    run(`The appointment is ${next.replace('_', ' ')}.`, () =>
      send('appointments.transition', { params: { id }, body: { status: next } }),
    )
  if (ownValue(transitions, status)?.length === 0) return <span class="hint">final</span>
  return (
    <select
      aria-label={`Move appointment ${escapeHidden(id)} to`}
      value=""
      onChange={({ currentTarget }) => {
        const chosen = appointmentStatuses.find((known) => known === currentTarget.value)
        if (chosen) void move(chosen)
        currentTarget.value = ''
      }}
    >
      <option value="">Choose…</option>
      <Options
        names={appointmentStatuses.filter((known) => known !== 'pending')}
        titleOf={(known) => known.replace('_', ' ')}
      />
    </select>
  )
}

const outcomeTitles: Record<(typeof bookingOutcomes)[number], string> = {
  confirm: 'is confirmed',
  fail: 'fails',
  never: 'stays pending until its timeout',
}

function NextBooking() {
  const { send, run } = useTeam()
  const submit = (values: FormData) => {
    const after = String(values.get('after')).trim()
    const outcome = bookingOutcomes.find((known) => known === values.get('outcome')) ?? 'confirm'
    const body = { outcome, ...(after ? { after } : {}) }
    return run('Updated the outcome of the next booking.', () => send('bookings.next', { body }))
  }
  return (
    <section class="block">
      <h2>Next booking</h2>
      <Form submit={submit}>
        <Field label="Outcome">
          <select name="outcome">
            <Options names={bookingOutcomes} titleOf={(outcome) => outcomeTitles[outcome]} />
          </select>
        </Field>
        <Field label="After">
          <input
            name="after"
            size={8}
            placeholder="no wait"
            pattern={timeSpanPattern}
            title="For example, 3s, 15m or 2h"
          />
        </Field>
        <button type="submit">Set outcome</button>
      </Form>
    </section>
  )
}
