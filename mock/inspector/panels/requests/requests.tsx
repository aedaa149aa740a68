import { environment } from '../../../../src/contract/wire.ts'
import { setFilter, useAddress } from '../../address.ts'
import type { JournalSummary } from '../../api-client.ts'
import { Empty, Loading, Panel } from '../../components/panel.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { escapeHidden, formatCount, formatNumber } from '../../format.ts'
import { type PanelProps, useFetch, useTeam } from '../../team-context.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

const requestLimit = 300

/** Each filter's name in the address, and its title. */
const filters = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['faulted', 'With a fault'],
  ['changing', 'With changes'],
] as const

export function RequestsPanel(props: PanelProps) {
  const { pulse } = useTeam()
  const { query, path } = useAddress()
  const [search, only] = [query.get('search') ?? '', query.get('only') ?? '']
  const filter = filters.find(([name]) => name === only)?.[0] || undefined
  const wanted = { last: requestLimit, search, only: filter }
  const summaries = useFetch('journal.summaries', { query: wanted })?.toReversed()
  return (
    <Panel title="Requests">
      {pulse.requests === 0 ? (
        <NoRequests {...props} />
      ) : (
        <>
          <Toolbar search={search} only={only} />
          <Requests summaries={summaries} selected={Number(path[0]) || undefined} />
        </>
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
        Requests appear here when the server receives them. In your program, set this server’s
        address and the team’s API key:{' '}
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

interface RequestsProps {
  summaries: JournalSummary[] | undefined
  selected: number | undefined
}

function Requests({ summaries, selected }: RequestsProps) {
  const { pulse } = useTeam()
  return (
    <div class="split">
      <div class="list">
        {summaries ? <RequestList requests={summaries} selected={selected} /> : <Loading />}
        {summaries?.length === 0 && <Empty title="No requests match the filter." />}
        {summaries?.length === requestLimit && (
          <p class="hint">
            Showing the latest {requestLimit} of {formatNumber(pulse.requests)}.
          </p>
        )}
      </div>
      <section class="detail" aria-label="Selected request">
        {selected === undefined ? (
          <Empty title="Select a request to see its details.">
            <kbd>↑</kbd> and <kbd>↓</kbd> move through the list. <kbd>Home</kbd> goes to the latest
            request.
          </Empty>
        ) : (
          <RequestDetail key={selected} number={selected} />
        )}
      </section>
    </div>
  )
}

function Toolbar({ search, only }: { search: string; only: string }) {
  const { send, run } = useTeam()
  return (
    <div class="toolbar">
      <SearchBox
        label="Filter by path, id, body or status"
        value={search}
        search={(text) => setFilter('search', text)}
      />
      <fieldset class="segments">
        <legend>Show</legend>
        {filters.map(([name, title]) => (
          <label key={name}>
            <input
              type="radio"
              name="only"
              checked={only === name}
              onChange={() => setFilter('only', name)}
            />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        onClick={() => run('Cleared the journal.', () => send('journal.clear'))}
      >
        Clear
      </button>
    </div>
  )
}
