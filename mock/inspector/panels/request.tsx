import type { ComponentChildren } from 'preact'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import { Json } from '../json.tsx'
import { Dotted, Empty, Fold, Outcome, Reading, Status } from '../parts.tsx'
import { useRead } from '../team.ts'
import { counted, momentOf, timeOf, visible } from '../words.ts'

/** An entry of the journal as it is sent. */
type SentEntry = Omit<JournalEntry, 'at' | 'events'> & {
  at: string
  events: { number: number; event_type: string; at: string; body: unknown }[]
}

/** Of changes, and of events, so many are shown. */
const shown = 100

/** A request, its answer, and what else came of it. */
export function RequestDetail({ number }: { number: number }) {
  const entry = useRead<SentEntry>(`GET /journal/${number}`)
  if (entry === undefined) return <Reading />
  if (entry === null) return <Empty title={`The journal has no request ${number} any more.`} />
  const { operation, method, path, at, request, answer, outcome } = entry
  return (
    <article>
      <h2>{operation ?? 'No such route'}</h2>
      <p class="facts">
        <Outcome status={answer?.status} outcome={outcome} />
        <code>
          {method} {visible(path)}
        </code>
        <span class="hint">
          number {number}, {momentOf(at).slice(0, 10)} <time dateTime={at}>{timeOf(at)}</time>
        </span>
      </p>
      <Part title="Request">
        <Pairs caption="Path" pairs={request.params} />
        <Pairs caption="Query" pairs={request.query} />
        {request.body === undefined ? <p class="hint">No body</p> : <Json value={request.body} />}
        <Fold title={counted(Object.keys(request.headers).length, 'header')}>
          <Pairs pairs={request.headers} />
        </Fold>
      </Part>
      <Part title="Answer">
        {answer ? (
          <>
            <Json value={answer.body} />
            <Fold title={counted(Object.keys(answer.headers).length, 'header')}>
              <Pairs pairs={answer.headers} />
            </Fold>
          </>
        ) : (
          <p class="hint">{meanings[outcome]}</p>
        )}
      </Part>
      <Part title="State changes" count={entry.changes.length}>
        {entry.changes.slice(0, shown).map((change, at) => (
          <ChangeView key={at} change={change} />
        ))}
      </Part>
      <Part title="Events caused" count={entry.events.length}>
        {entry.events.slice(0, shown).map(({ number, event_type, at, body }) => (
          <Fold
            key={number}
            title={
              <>
                <Dotted name={event_type} /> <span class="hint">{timeOf(at)}</span>
              </>
            }
          >
            <Json value={body} />
          </Fold>
        ))}
      </Part>
    </article>
  )
}

/** Why there is no answer. */
const meanings: Record<JournalEntry['outcome'], string> = {
  waiting: 'The request waits for time to pass. Move the clock, and it goes on.',
  answered: '',
  refused: 'A fault refused the connection.',
  lost: 'A fault closed the connection; its caller got no answer.',
  aborted: 'Its caller left before it was answered.',
  failed: 'The mock failed; the output of the server tells how.',
}

function Part(props: { title: string; count?: number; children: ComponentChildren }) {
  const { title, count, children } = props
  return (
    <section class="part">
      <h3>
        {title}
        {count !== undefined && <span class="count">{count}</span>}
      </h3>
      {count === 0 ? <p class="hint">None</p> : children}
      {count !== undefined && count > shown && <p class="hint">The first {shown} are shown.</p>}
    </section>
  )
}

function Pairs({ caption, pairs }: { caption?: string; pairs: Record<string, unknown> }) {
  const entries = Object.entries(pairs)
  if (entries.length === 0) return null
  return (
    <>
      {caption && <h4>{caption}</h4>}
      <dl class="pairs">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>{visible(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type Change = JournalEntry['changes'][number]

/** A change: of a record that was there before, only the fields that differ. */
function ChangeView({ change }: { change: Change }) {
  const { collection, action, key, before, after } = change
  return (
    <Fold
      title={
        <>
          <Status word={action} /> <code>{collection}</code>{' '}
          <span class="hint">{visible(key)}</span>
        </>
      }
    >
      {before && after ? (
        <Differences before={before} after={after} />
      ) : (
        <Json value={after ?? before} />
      )}
    </Fold>
  )
}

function Differences({ before, after }: { before: object; after: object }) {
  const earlier = new Map<string, unknown>(Object.entries(before))
  const differing = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(name)),
  )
  return (
    <dl class="pairs">
      {differing.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(name)}</dt>
          <dd>
            <del>{short(earlier.get(name))}</del> <span aria-hidden="true">→</span>{' '}
            <ins>{short(value)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function short(value: unknown): string {
  const json = JSON.stringify(value) ?? 'absent'
  return visible(json.length > 300 ? `${json.slice(0, 300)}…` : json)
}
