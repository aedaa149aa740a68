import { useState } from 'preact/hooks'
import { environment } from '../../../src/contract/wire.ts'
import type { JournalSummary } from '../../control/operations/journal.ts'
import { Empty, Loading, Panel } from '../components/panel.tsx'
import { escapeHidden, formatCount, formatNumber } from '../format.ts'
import { useRoute } from '../route.ts'
import { type PanelProps, useFetch, useTeam } from '../team-context.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

/** The maximum number of requests that the panel shows. */
const requestLimit = 300

/** Lists the requests of the team, and shows the selected one. */
export function RequestsPanel(props: PanelProps) {
  const summaries = useFetch<JournalSummary[]>(`GET /journal/summaries?last=${requestLimit}`)
  return (
    <Panel title="Requests">
      {summaries?.length === 0 ? (
        <NoRequests {...props} />
      ) : (
        <Requests summaries={summaries?.toReversed()} />
      )}
    </Panel>
  )
}

function NoRequests({ teams, selectTeam }: PanelProps) {
  const { apiKey } = useTeam()
  const busyTeams = teams.filter(({ api_key, requests }) => api_key !== apiKey && requests > 0)
  return (
    <>
      <Empty title="This team has no requests yet.">
        Requests appear here when the server receives them. Set the address of this server and the
        API key of the team in your program:{' '}
        <code>
          {environment.baseUrl}={location.origin}
        </code>{' '}
        <code>
          {environment.apiKey}={escapeHidden(apiKey)}
        </code>
      </Empty>
      {busyTeams.length > 0 && (
        <ul class="busy-teams">
          {busyTeams.slice(-5).map(({ api_key, requests }) => (
            <li key={api_key}>
              <button type="button" onClick={() => selectTeam(api_key)}>
                Show {escapeHidden(api_key)}, {formatCount(requests, 'request')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Shows the list of requests, the latest first, beside the selected request. */
function Requests({ summaries }: { summaries: JournalSummary[] | undefined }) {
  const { pulse } = useTeam()
  const [filter, setFilter] = useState('')
  const selected = Number(useRoute()[1]) || undefined
  const matching = summaries?.filter((summary) => matchesFilter(summary, filter))
  return (
    <>
      <Toolbar filter={filter} setFilter={setFilter} />
      <div class="split">
        <div class="list">
          {matching ? <RequestList requests={matching} selected={selected} /> : <Loading />}
          {matching?.length === 0 && <Empty title="No request matches the filter." />}
          {pulse.requests > requestLimit && (
            <p class="hint">
              Showing the latest {requestLimit} of {formatNumber(pulse.requests)}.
            </p>
          )}
        </div>
        <section class="detail" aria-label="Selected request">
          {selected === undefined ? (
            <Empty title="Select a request to see its details.">
              <kbd>↑</kbd> <kbd>↓</kbd> move through the list, <kbd>Home</kbd> goes to the latest.
            </Empty>
          ) : (
            <RequestDetail key={selected} number={selected} />
          )}
        </section>
      </div>
    </>
  )
}

/** Returns whether a request contains every word of the filter. */
function matchesFilter(
  { operation, method, path, status, outcome }: JournalSummary,
  filter: string,
): boolean {
  const text = `${operation ?? ''} ${method} ${path} ${status ?? ''} ${outcome}`.toLowerCase()
  const words = filter.trim().toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

function Toolbar(props: { filter: string; setFilter: (filter: string) => void }) {
  const { send, run } = useTeam()
  const hint = 'Filter by operation, status or outcome'
  return (
    <div class="toolbar">
      <input
        type="search"
        aria-label={hint}
        placeholder={hint}
        value={props.filter}
        onInput={({ currentTarget }) => props.setFilter(currentTarget.value)}
      />
      <button
        type="button"
        onClick={() => run('Cleared the journal.', () => send('DELETE /journal'))}
      >
        Clear
      </button>
    </div>
  )
}
