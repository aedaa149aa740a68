import type { ListedTeam, Pulse } from './api-client.ts'
import { SearchBox } from './components/search-box.tsx'
import { escapeHidden, formatCount, formatDateTime, formatDay } from './format.ts'

export interface TeamSelection {
  apiKey: string
  teams: ListedTeam[]
  selectTeam: (apiKey: string) => void
  reloadTeams: () => Promise<void>
}

interface HeaderProps extends TeamSelection {
  pulse: Pulse | undefined
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  search: string
}

export function Header({ pulse, isPaused, setPaused, search, ...selection }: HeaderProps) {
  return (
    <header>
      <p class="brand">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M2 8.5h3l2-4.5 2.5 8 2-3.5H14" />
        </svg>
        Mock inspector
      </p>
      <search>
        <SearchBox label="Search everything" hotkey="/" value={search} search={showResults} />
      </search>
      <TeamSelect {...selection} requests={pulse?.requests} />
      {pulse && (
        <p class="now">
          <span class="day">{formatDay(pulse.now)}</span>
          <time dateTime={pulse.now}>{formatDateTime(pulse.now).slice(11)}</time>
          <span class="hint">UTC, {pulse.mode}</span>
        </p>
      )}
      <button
        type="button"
        class="pause"
        aria-pressed={isPaused}
        onClick={() => setPaused(!isPaused)}
      >
        <span class="light" aria-hidden="true" />
        {isPaused ? 'Paused' : 'Live'}
      </button>
    </header>
  )
}

function showResults(search: string): void {
  if (search) location.hash = `#/search?${new URLSearchParams({ search })}`
}

interface TeamSelectProps extends TeamSelection {
  /** The selected team's request count, which is more recent than the count in `teams`. */
  requests: number | undefined
}

function TeamSelect({ apiKey, teams, selectTeam, reloadTeams, requests }: TeamSelectProps) {
  return (
    <label class="team">
      <span>Team</span>
      <select
        value={apiKey}
        onFocus={() => void reloadTeams()}
        onChange={({ currentTarget }) => selectTeam(currentTarget.value)}
      >
        {teams.map((team, index) => (
          <option key={team.api_key} value={team.api_key}>
            {index === 0 ? 'Default, ' : ''}
            {shortKey(team.api_key)},{' '}
            {formatCount((team.api_key === apiKey && requests) || team.requests, 'request')}
          </option>
        ))}
      </select>
    </label>
  )
}

function shortKey(apiKey: string): string {
  return escapeHidden(apiKey.length > 24 ? `${apiKey.slice(0, 12)}…` : apiKey)
}
