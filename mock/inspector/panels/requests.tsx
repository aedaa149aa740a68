import { useEffect, useRef, useState } from 'preact/hooks'
import type { Summary } from '../../control/operations/journal.ts'
import { Empty, Outcome, Panel, Reading } from '../parts.tsx'
import { type PanelProps, usePlace } from '../place.ts'
import { useRead, useTeam } from '../team.ts'
import { counted, numberOf, timeOf, visible } from '../words.ts'
import { RequestDetail } from './request.tsx'

/** So many of the latest requests are listed. */
const listed = 300

/** The requests of the team as they come, and all about one of them. */
export function RequestsPanel({ teams, choose }: PanelProps) {
  const { apiKey, ask, act, pulse } = useTeam()
  const summaries = useRead<Summary[]>(`GET /journal/summaries?last=${listed}`)
  const [filter, setFilter] = useState('')
  const [, detail] = usePlace()
  const fitting = summaries?.toReversed().filter((summary) => fits(summary, filter.trim()))
  const selected = Number(detail) || undefined
  if (summaries && summaries.length === 0) {
    const busy = teams.filter(({ api_key, requests }) => api_key !== apiKey && requests > 0)
    return (
      <Panel title="Requests">
        <Empty title="This team has made no request yet.">
          Whatever it asks appears here at once. Give your program this server’s address and the
          team’s key: <code>SERVICE_BASE_URL={location.origin}</code>{' '}
          <code>SERVICE_API_KEY={visible(apiKey)}</code>
        </Empty>
        {busy.length > 0 && (
          <ul class="busy-teams">
            {busy.slice(-5).map(({ api_key, requests }) => (
              <li key={api_key}>
                <button type="button" onClick={() => choose(api_key)}>
                  Show {visible(api_key)}, {counted(requests, 'request')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    )
  }
  return (
    <Panel title="Requests">
      <div class="toolbar">
        <input
          type="search"
          aria-label="Filter by operation, status or outcome"
          placeholder="Filter by operation, status or outcome"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <button
          type="button"
          onClick={() => act('The journal is empty.', () => ask('DELETE /journal'))}
        >
          Clear
        </button>
      </div>
      <div class="split">
        <div class="list">
          {fitting ? <RequestList requests={fitting} selected={selected} /> : <Reading />}
          {fitting?.length === 0 && <Empty title="No request fits the filter." />}
          {pulse.requests > listed && (
            <p class="hint">
              The latest {listed} of {numberOf(pulse.requests)}.
            </p>
          )}
        </div>
        <section class="detail" aria-label="The chosen request">
          {selected === undefined ? (
            <Empty title="Choose a request to see what came of it.">
              <kbd>↑</kbd> <kbd>↓</kbd> go from one to the next, <kbd>Home</kbd> to the latest.
            </Empty>
          ) : (
            <RequestDetail key={selected} number={selected} />
          )}
        </section>
      </div>
    </Panel>
  )
}

function fits({ operation, method, path, status, outcome }: Summary, filter: string): boolean {
  const told = `${operation ?? ''} ${method} ${path} ${status ?? ''} ${outcome}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word))
}

interface RequestListProps {
  /** The latest first. */
  requests: Summary[]
  selected: number | undefined
}

function RequestList({ requests, selected }: RequestListProps) {
  const list = useRef<HTMLOListElement>(null)
  const reachable = requests.some(({ number }) => number === selected)
    ? selected
    : requests[0]?.number
  const move = (event: KeyboardEvent) => {
    const at = requests.findIndex(({ number }) => number === reachable)
    const target = targetOf(event.key, at, requests.length)
    const next = target === undefined ? undefined : requests[target]
    if (!next) return
    event.preventDefault()
    show(next.number)
    list.current?.querySelector<HTMLElement>(`[data-number="${next.number}"]`)?.focus()
  }
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    if (selected !== undefined) current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <ol class="requests" ref={list} aria-label="Requests, the latest first" onKeyDown={move}>
      {requests.map((request) => (
        <li key={request.number}>
          <button
            type="button"
            data-number={request.number}
            tabIndex={request.number === reachable ? 0 : -1}
            aria-current={request.number === selected ? 'true' : undefined}
            onClick={() => show(request.number)}
          >
            <Outcome {...request} />
            <span class="name">
              {visible(request.operation ?? `${request.method} ${request.path}`)}
            </span>
            <time dateTime={request.at}>{timeOf(request.at)}</time>
            {effectsOf(request) && <span class="effects">{effectsOf(request)}</span>}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Where a key leads in a list; undefined for another key. */
function targetOf(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, length - 1)
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return undefined
}

function show(number: number): void {
  location.hash = `/requests/${number}`
}

function effectsOf({ operation, changes, events }: Summary): string {
  if (!operation) return 'no such route'
  const parts = [
    changes > 0 ? counted(changes, 'change') : '',
    events > 0 ? counted(events, 'event') : '',
  ]
  return parts.filter((part) => part).join(', ')
}
