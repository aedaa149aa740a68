import type { Appointment } from '../../../src/contract/appointments.ts'
import { appointmentStatuses } from '../../../src/contract/values/known-values.ts'
import type { LabOrder } from '../../state/records/orders.ts'
import { Empty, Field, Id, latest, More, Panel, Reading, Status, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { momentOf, visible } from '../words.ts'
import { UserCell, UserChoice, useUsers } from './users.tsx'

/** The visits of the team's users, and how the next booking ends. */
export function AppointmentsPanel() {
  const users = useUsers()
  const appointments = useRead<Appointment[]>(`GET /appointments?last=${latest}`)?.toReversed()
  return (
    <Panel title="Appointments">
      <AppointmentForm users={users} />
      {!appointments && <Reading />}
      {appointments?.length === 0 && (
        <Empty title="There are no appointments yet.">
          Create one above, or book one of an order:{' '}
          <code>POST /v3/order/…/phlebotomy/appointment/book</code>
        </Empty>
      )}
      {appointments && appointments.length > 0 && (
        <Table
          caption="Appointments, the latest first"
          rows={appointments}
          keyOf={({ id }) => id}
          columns={[
            { title: 'User', cell: ({ user_id }) => <UserCell users={users} id={user_id} /> },
            { title: 'Status', cell: ({ status }) => <Status word={status} /> },
            {
              title: 'Starts',
              isMinor: true,
              isWhole: true,
              cell: ({ start_at }) => momentOf(start_at),
            },
            {
              title: 'Where',
              isMinor: true,
              cell: ({ address }) => visible(`${address.city}, ${address.state}`),
            },
            { title: 'Order', isMinor: true, cell: ({ order_id }) => <Id value={order_id} /> },
            { title: 'Appointment', isMinor: true, cell: ({ id }) => <Id value={id} /> },
            { title: 'Move to', cell: (appointment) => <Transition {...appointment} /> },
          ]}
        />
      )}
      <More rows={appointments} />
      <NextBooking />
    </Panel>
  )
}

function AppointmentForm({ users }: { users: ReturnType<typeof useUsers> }) {
  const { ask, act } = useTeam()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const user_id = new FormData(event.currentTarget as HTMLFormElement).get('user_id')
    void act('Created an appointment.', async () => {
      const order = await ask<LabOrder>('POST /orders', user_id ? { user_id } : {})
      await ask('POST /appointments', { order_id: order.id })
    })
  }
  return (
    <form class="line" onSubmit={submit}>
      <UserChoice users={users} none="A new user" />
      <button type="submit" class="main">
        Create appointment
      </button>
    </form>
  )
}

/** Moves an appointment; where its status does not lead, the mock says so. */
function Transition({ id, status }: Appointment) {
  const { ask, act } = useTeam()
  const move = (next: string) =>
    act(`The appointment is ${next.replace('_', ' ')}.`, () =>
      ask(`POST /appointments/${encodeURIComponent(id)}/transition`, { status: next }),
    )
  if (status === 'completed' || status === 'cancelled') return <span class="hint">final</span>
  return (
    <select
      aria-label={`Move appointment ${visible(id)} to`}
      value=""
      onChange={({ currentTarget }) => {
        void move(currentTarget.value)
        currentTarget.value = ''
      }}
    >
      <option value="">Choose…</option>
      {appointmentStatuses
        .filter((known) => known !== 'pending')
        .map((known) => (
          <option key={known} value={known}>
            {known.replace('_', ' ')}
          </option>
        ))}
    </select>
  )
}

function NextBooking() {
  const { ask, act } = useTeam()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget as HTMLFormElement)
    const after = String(said.get('after')).trim()
    const next = { outcome: said.get('outcome'), ...(after ? { after } : {}) }
    void act('The next booking ends so.', () => ask('POST /bookings/next', next))
  }
  return (
    <section class="block">
      <h2>The next booking</h2>
      <form class="line" onSubmit={submit}>
        <Field label="Ends">
          <select name="outcome">
            <option value="confirm">confirmed</option>
            <option value="fail">failed</option>
            <option value="never">never: neither comes</option>
          </select>
        </Field>
        <Field label="After">
          <input
            name="after"
            size={8}
            placeholder="at once"
            pattern="\d+(\.\d+)?(ms|s|m|h|d)"
            title="Such as 3s, 15m or 2h"
          />
        </Field>
        <button type="submit">Decide</button>
      </form>
    </section>
  )
}
