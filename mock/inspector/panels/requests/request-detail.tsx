import type { ComponentChildren } from 'preact'
import { linkTo } from '../../address.ts'
import { ChangeView } from '../../components/change.tsx'
import { JsonView } from '../../components/json.tsx'
import { Details, Empty, Loading, Section } from '../../components/panel.tsx'
import { OutcomeBadge } from '../../components/status.tsx'
import { CopyButton, DottedName, NameValueList } from '../../components/text.tsx'
import { escapeHidden, formatCount, formatDateTime, formatTime } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { describeEffect } from '../faults/fault-effects.ts'
import { clientCallOf, curlOf, requestTestOf, type SentRequest } from './request-code.ts'

const itemLimit = 100

export function RequestDetail({ number }: { number: number }) {
  const entry = useFetch('journal.get', { params: { number } })
  if (entry === undefined) return <Loading />
  if (entry === null) return <Empty title={`The journal does not contain request ${number}.`} />
  return (
    <article>
      <h2>{entry.operation ?? 'Unknown route'}</h2>
      <Facts {...entry} />
      <Failure {...entry} />
      <RequestActions entry={entry} />
      <RequestSection {...entry.request} />
      <ResponseSection {...entry} />
      <ListSection title="State changes" items={entry.changes}>
        {(change, index) => <ChangeView key={index} change={change} />}
      </ListSection>
      <ListSection title="Events" items={entry.events}>
        {(event) => <EventView key={event.number} {...event} />}
      </ListSection>
    </article>
  )
}

function Facts({ number, operation, method, path, at, request, response, outcome }: SentRequest) {
  const { pathname, search } = new URL(request.url)
  return (
    <>
      <p class="facts">
        <OutcomeBadge status={response?.status} outcome={outcome} />
        <code>
          {method} {escapeHidden(pathname + search)}
        </code>
      </p>
      <p class="hint">
        number {number}, {formatDateTime(at).slice(0, 10)}{' '}
        <time dateTime={at}>{formatTime(at)}</time>
        {operation && pathname !== path && (
          <>
            , <code>{path}</code>
          </>
        )}
      </p>
    </>
  )
}

function Failure({ faults, failures, response, outcome }: SentRequest) {
  const { detail }: { detail?: unknown } = Object(response?.body)
  const reason = (response?.status ?? 0) >= 400 && typeof detail === 'string' ? detail : ''
  const lines = [
    ...faults.map((effect) => `A fault ${describeEffect(effect)}.`),
    reason,
    ...failures,
  ].filter((line) => line)
  if (lines.length === 0 || outcome === 'waiting') return null
  return (
    <ul class="failure">
      {lines.map((line) => (
        <li key={line}>{escapeHidden(line)}</li>
      ))}
    </ul>
  )
}

function RequestSection({ params, query, body, headers }: SentRequest['request']) {
  return (
    <Section title="Request">
      <NameValueList caption="Path" values={params} />
      <NameValueList caption="Query" values={query} />
      {body === undefined ? <p class="hint">No body</p> : <JsonView value={body} />}
      <Headers headers={headers} />
    </Section>
  )
}

function ResponseSection({ response, outcome }: SentRequest) {
  return (
    <Section title="Response">
      {response ? (
        <>
          <JsonView value={response.body} />
          <Headers headers={response.headers} />
        </>
      ) : (
        <p class="hint">{outcomeReasons[outcome]}</p>
      )}
    </Section>
  )
}

const outcomeReasons: Record<SentRequest['outcome'], string> = {
  waiting: 'The request is waiting for virtual time to pass. Advance the clock to continue.',
  responded: '',
  refused: 'A fault refused the connection.',
  lost: 'A fault closed the connection before the response was sent.',
  aborted: 'The client aborted the request before the response was sent.',
  failed: 'The mock or an override threw an error. See the server output.',
}

function EventView({ event_type, at, body }: SentRequest['events'][number]) {
  const title = (
    <>
      <DottedName name={event_type} /> <span class="hint">{formatTime(at)}</span>
    </>
  )
  return (
    <Details title={title}>
      <JsonView value={body} />
    </Details>
  )
}

interface ListSectionProps<T> {
  title: string
  items: readonly T[]
  children: (item: T, index: number) => ComponentChildren
}

function ListSection<T>({ title, items, children }: ListSectionProps<T>) {
  return (
    <Section title={title} count={items.length}>
      {items.length === 0 ? <p class="hint">None</p> : items.slice(0, itemLimit).map(children)}
      {items.length > itemLimit && <p class="hint">Showing the first {itemLimit}.</p>}
    </Section>
  )
}

function Headers({ headers }: { headers: Record<string, string> }) {
  return (
    <Details title={formatCount(Object.keys(headers).length, 'header')}>
      <NameValueList values={headers} />
    </Details>
  )
}

export function RequestActions({ entry }: { entry: SentRequest }) {
  const { send } = useTeam()
  const history = useFetch('history.list')
  const point = history?.points.findLast(({ request }) => request === entry.number)
  const before = history?.points.find(({ number }) => number === (point?.number ?? 0) - 1)
  const call = clientCallOf(entry)
  const test = async () => {
    const params = before && { number: before.number }
    const point = params && (await send('history.reproduction', { params }))
    return requestTestOf(entry, point?.line)
  }
  return (
    <div class="actions">
      <CopyButton name="curl command" text={() => curlOf(entry)}>
        Copy as curl
      </CopyButton>
      {call && (
        <CopyButton name="client call" text={() => `await ${call}`}>
          Copy as client call
        </CopyButton>
      )}
      <CopyButton name="test" text={test}>
        Copy as test
      </CopyButton>
      {point && (
        <a class="button" href={linkTo(['rewind', point.number])}>
          Rewind to here
        </a>
      )}
    </div>
  )
}
