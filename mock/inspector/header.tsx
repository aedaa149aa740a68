import type { Pulse } from '../control/operations/pulse.ts'
import type { ListedTeam } from '../control/operations/teams.ts'
import { counted, dayOf, momentOf, visible } from './words.ts'

interface HeaderProps {
  apiKey: string
  teams: ListedTeam[]
  choose: (apiKey: string) => void
  readTeams: () => Promise<void>
  pulse: Pulse | undefined
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
}

/** Which team is looked at, and its time. */
export function Header(props: HeaderProps) {
  const { apiKey, teams, choose, readTeams, pulse, isPaused, setPaused } = props
  return (
    <header>
      <p class="brand">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M2 8.5h3l2-4.5 2.5 8 2-3.5H14" />
        </svg>
        Mock inspector
      </p>
      <label class="team">
        <span>Team</span>
        <select
          value={apiKey}
          onFocus={() => void readTeams()}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {teams.map(({ api_key, requests }, at) => (
            <option key={api_key} value={api_key}>
              {at === 0 ? 'Default, ' : ''}
              {shortKey(api_key)},{' '}
              {counted(api_key === apiKey ? (pulse?.requests ?? requests) : requests, 'request')}
            </option>
          ))}
        </select>
      </label>
      {pulse && (
        <p class="now">
          <span class="day">{dayOf(pulse.now)}</span>
          <time dateTime={pulse.now}>{momentOf(pulse.now).slice(11)}</time>
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

/** Keys that the mock makes are long and alike. */
function shortKey(apiKey: string): string {
  return visible(apiKey.length > 24 ? `${apiKey.slice(0, 12)}…` : apiKey)
}
