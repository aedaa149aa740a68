import type { Faults } from '../faults/faults.ts'
import type { Journal } from '../http/journal/journal.ts'
import type { TeamClock } from '../state/clock/clock.ts'
import { section } from './text.ts'

interface SummarizedTeam {
  apiKey: string
  users: { size: number }
  orders: { size: number }
  appointments: { size: number }
  clock: Pick<TeamClock, 'now' | 'mode' | 'pending'>
  journal: Pick<Journal, 'count'>
  faults: Pick<Faults, 'list' | 'unused'>
}

export function summarizeTeam(team: SummarizedTeam): string {
  const { users, orders, appointments, clock, journal, faults } = team
  const unused = faults.unused().length
  const facts = [
    `apiKey: ${maskKey(team.apiKey)}`,
    `clock: ${clock.now().toISOString()} (${clock.mode})`,
    `users: ${users.size}`,
    `orders: ${orders.size}`,
    `appointments: ${appointments.size}`,
    `requests: ${journal.count}`,
    `pending events: ${clock.pending().length}`,
    `faults: ${faults.list().length}${unused > 0 ? ` (${unused} unused)` : ''}`,
  ]
  return `Team { ${facts.join(', ')} }`
}

const shownTeams = 10

export function summarizeMock(baseUrl: string, teams: readonly SummarizedTeam[]): string {
  const lines = teams.slice(0, shownTeams).map(summarizeTeam)
  const hidden = teams.length - lines.length
  const title = `Mock { baseUrl: ${baseUrl}, teams: ${teams.length} }`
  return [...section(title, lines), ...(hidden > 0 ? [`  and ${hidden} more`] : [])].join('\n')
}

/** The number of trailing characters that masking leaves visible. */
const shownCharacters = 4

/** Masks a short key completely, but shows the end of a long key, so teams can be distinguished. */
export function maskKey(apiKey: string): string {
  return `…${apiKey.length >= 4 * shownCharacters ? apiKey.slice(-shownCharacters) : ''}`
}
