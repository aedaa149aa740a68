import { useEffect, useState } from 'preact/hooks'
import type { PendingEvent } from '../../state/clock/due-queue.ts'
import { Empty, Field, Panel, Reading, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { dayOf, distance, momentOf } from '../words.ts'

/** The clock as it is sent. */
interface SentClock {
  pending: (Omit<PendingEvent, 'at'> & { at: string })[]
}

const modes = [
  { mode: 'realtime', meaning: 'Time passes as on the wall.' },
  { mode: 'auto', meaning: 'Time stands still, and jumps while a request waits.' },
  { mode: 'manual', meaning: 'Time moves only when it is moved here, or by a test.' },
] as const

const steps = [
  ['1m', '1 minute'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['2d', '2 days'],
] as const

/** What events on the clock do. */
const meanings: Record<string, string> = {
  'booking.outcome': 'A booking is confirmed or fails',
  'booking.pending': 'A booking leaves its request behind',
  'booking.timeout': 'A pending booking is given up',
  'booking.abandoned': 'A booking is cancelled',
  'import.end': 'A bulk import ends',
  'webhook.due': 'An event is delivered',
}

/** The team's time: how it passes, how to move it, and what is still to come. */
export function ClockPanel() {
  const { pulse, ask, act } = useTeam()
  const clock = useRead<SentClock>('GET /clock')
  const moveTo = (to: string, done: string) =>
    act(done, () => ask('POST /clock/advance_to', { to }))
  return (
    <Panel title="Clock">
      <div class="face">
        <p class="day">{dayOf(pulse.now)}</p>
        <p class="time">
          <time dateTime={pulse.now}>{momentOf(pulse.now).slice(11)}</time>
          <span class="hint">UTC</span>
        </p>
      </div>
      <ModeChoice />
      <section class="block">
        <h2>Move time</h2>
        <div class="buttons">
          {steps.map(([by, title]) => (
            <button
              key={by}
              type="button"
              aria-label={`+${by}, advance by ${title}`}
              onClick={() => act(`Advanced by ${title}.`, () => ask('POST /clock/advance', { by }))}
            >
              +{by}
            </button>
          ))}
          <button
            type="button"
            disabled={pulse.pending === 0}
            onClick={() => act('Moved to the next event.', () => ask('POST /clock/run_to_next'))}
          >
            Run to next
          </button>
        </div>
        <MomentForm now={pulse.now} moveTo={moveTo} />
      </section>
      <section class="block">
        <h2>What is to come</h2>
        {!clock && <Reading />}
        {clock?.pending.length === 0 && (
          <Empty title="Nothing is pending.">
            Bookings that wait for their confirmation, bulk imports and deliveries of events stand
            here. Book with the key <code>bk_confirm_after_15m</code> to see one.
          </Empty>
        )}
        {clock && clock.pending.length > 0 && (
          <Table
            caption="Pending events, the next one first"
            rows={clock.pending.slice(0, 100)}
            keyOf={({ at, type, subject }) => `${at} ${type} ${subject}`}
            columns={[
              { title: 'In', cell: ({ at }) => distance(pulse.now, at) },
              { title: 'What', cell: ({ type }) => meanings[type] ?? type },
              { title: 'When', isMinor: true, isWhole: true, cell: ({ at }) => momentOf(at) },
              { title: 'Type', isMinor: true, cell: ({ type }) => <code>{type}</code> },
              {
                title: 'Go',
                cell: ({ at, type }) => (
                  <button
                    type="button"
                    aria-label={`Go there: ${momentOf(at)}, ${type}`}
                    onClick={() => moveTo(at, `Moved to ${momentOf(at)}.`)}
                  >
                    Go there
                  </button>
                ),
              },
            ]}
          />
        )}
      </section>
    </Panel>
  )
}

function ModeChoice() {
  const { pulse, ask, act } = useTeam()
  // What was chosen stands until the clock tells of it.
  const [chosen, setChosen] = useState<string>()
  const told = pulse.mode
  useEffect(() => setChosen(undefined), [told])
  const choose = async (mode: string) => {
    setChosen(mode)
    const isDone = await act(`The clock is ${mode}.`, () => ask('PATCH /clock', { mode }))
    if (!isDone) setChosen(undefined)
  }
  return (
    <fieldset class="choices">
      <legend>How time passes</legend>
      {modes.map(({ mode, meaning }) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            checked={(chosen ?? told) === mode}
            onChange={() => choose(mode)}
          />
          <span>
            {mode}
            <span class="hint">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface MomentFormProps {
  now: string
  moveTo: (to: string, done: string) => Promise<boolean>
}

function MomentForm({ now, moveTo }: MomentFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const moment = String(new FormData(event.currentTarget as HTMLFormElement).get('moment'))
    void moveTo(`${moment}Z`, `Moved to ${moment.replace('T', ' ')}.`)
  }
  return (
    <form class="line" onSubmit={submit}>
      <Field label="To a moment, in UTC" class="wide">
        <input
          type="datetime-local"
          name="moment"
          required
          step="1"
          min={now.slice(0, 19)}
          defaultValue={now.slice(0, 16)}
        />
      </Field>
      <button type="submit">Move there</button>
    </form>
  )
}
