import { useEffect, useState } from 'preact/hooks'
import type { ControlOutput } from '../../control/api.ts'
import { type ClockMode, clockModes } from '../../state/clock/clock-modes.ts'
import { linkTo } from '../address.ts'
import { Field, Form } from '../components/form.tsx'
import { Empty, Panel } from '../components/panel.tsx'
import { RecordTable, type TableColumn } from '../components/table.tsx'
import { type FetchedUsers, useUsers } from '../components/user.tsx'
import { displayName, escapeHidden, formatDateTime, formatDay, formatDuration } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

type DueItem = ControlOutput<'clock.agenda'>[number]

const modeMeanings: Record<ClockMode, string> = {
  auto: 'When a request waits, time jumps ahead until the wait ends.',
  manual: 'Time moves only when you or a test moves it.',
  realtime: 'Time passes at the speed of real time.',
}

const steps = [
  ['1m', '1 minute'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['2d', '2 days'],
] as const

/** Moves the clock. Resolves to whether the clock moved. */
type MoveTo = (moment: string) => Promise<boolean>

export function ClockPanel() {
  const { pulse, send, run } = useTeam()
  const moveTo: MoveTo = (to) =>
    run(`Moved to ${formatDateTime(to)}.`, () => send('clock.advanceTo', { body: { to } }))
  return (
    <Panel title="Clock">
      <div class="face">
        <p class="day">{formatDay(pulse.now)}</p>
        <p class="time">
          <time dateTime={pulse.now}>{formatDateTime(pulse.now).slice(11)}</time>
          <span class="hint">UTC</span>
        </p>
      </div>
      <ModeChoice />
      <section class="block">
        <h2>Move time</h2>
        <Steps />
        <MomentForm moveTo={moveTo} />
      </section>
      <section class="block">
        <h2>Pending events</h2>
        <PendingEvents moveTo={moveTo} />
      </section>
    </Panel>
  )
}

function ModeChoice() {
  const { pulse, send, run } = useTeam()
  // Show the choice immediately, because the pulse changes only after the request.
  const [chosen, setChosen] = useState<ClockMode>()
  useEffect(() => setChosen(undefined), [pulse.mode])
  const choose = async (mode: ClockMode) => {
    setChosen(mode)
    const isDone = await run(`The clock is ${mode}.`, () =>
      send('clock.update', { body: { mode } }),
    )
    if (!isDone) setChosen(undefined)
  }
  return (
    <fieldset class="choices">
      <legend>Mode</legend>
      {clockModes.map((mode) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            checked={(chosen ?? pulse.mode) === mode}
            onChange={() => choose(mode)}
          />
          <span>
            {mode}
            <span class="hint">{modeMeanings[mode]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Steps() {
  const { pulse, send, run } = useTeam()
  return (
    <div class="buttons">
      {steps.map(([by, title]) => (
        <button
          key={by}
          type="button"
          aria-label={`+${by}, advance by ${title}`}
          onClick={() =>
            run(`Advanced by ${title}.`, () => send('clock.advance', { body: { by } }))
          }
        >
          +{by}
        </button>
      ))}
      <button
        type="button"
        disabled={pulse.pending === 0}
        onClick={() => run('Moved to the next event.', () => send('clock.runToNext'))}
      >
        Step to the next event
      </button>
    </div>
  )
}

function MomentForm({ moveTo }: { moveTo: MoveTo }) {
  const { now } = useTeam().pulse
  return (
    <Form submit={(values) => moveTo(`${values.get('moment')}Z`)}>
      <Field label="Time in UTC" class="wide">
        <input
          type="datetime-local"
          name="moment"
          required
          step="1"
          min={now.slice(0, 19)}
          defaultValue={now.slice(0, 16)}
        />
      </Field>
      <button type="submit">Move to this time</button>
    </Form>
  )
}

const agendaLimit = 100

function PendingEvents({ moveTo }: { moveTo: MoveTo }) {
  const { now, pending } = useTeam().pulse
  const users = useUsers()
  const agenda = useFetch('clock.agenda', { query: { first: agendaLimit } })
  const columns: TableColumn<DueItem>[] = [
    { title: 'In', isUnbroken: true, cell: ({ at }) => formatDuration(now, at) },
    { title: 'What happens', cell: (item) => <Subject users={users} {...item} /> },
    { title: 'Time', isMinor: true, isUnbroken: true, cell: ({ at }) => formatDateTime(at) },
    { title: 'Type', isMinor: true, cell: ({ type }) => <code>{type}</code> },
    {
      title: 'Move',
      cell: ({ at, type }) => (
        <button
          type="button"
          aria-label={`Move to ${formatDateTime(at)}, ${type}`}
          onClick={() => moveTo(at)}
        >
          Move to
        </button>
      ),
    },
  ]
  return (
    <>
      <RecordTable
        caption="Pending events, soonest first"
        rows={agenda}
        keyOf={({ at, type, subject }) => `${at} ${type} ${subject}`}
        columns={columns}
        empty={
          <Empty title="No events are pending.">
            This list shows scheduled events, such as booking outcomes, bulk imports and deliveries.
            To see one, book with the <code>bk_confirm_after_15m</code> key.
          </Empty>
        }
      />
      {pending > agendaLimit && <p class="hint">Showing the next {agendaLimit}.</p>}
    </>
  )
}

function Subject({ users, title, order_id, user_id, webhook }: DueItem & { users: FetchedUsers }) {
  const user = users?.find((known) => known.user_id === user_id)
  return (
    <span class="subject">
      {escapeHidden(title)}
      <span class="hint">
        {user && `${displayName(user)} `}
        {order_id && <a href={linkTo(['orders', order_id])}>Order {order_id.slice(0, 8)}</a>}
        {webhook && <a href={linkTo(['webhooks', webhook])}>{escapeHidden(webhook)}</a>}
      </span>
    </span>
  )
}
