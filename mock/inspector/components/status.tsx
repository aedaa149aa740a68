import type { JournalSummary } from '../api-client.ts'
import { escapeHidden } from '../format.ts'

const tones: Record<string, string> = {
  confirmed: 'good',
  success: 'good',
  completed: 'good',
  create: 'good',
  cancelled: 'bad',
  failure: 'bad',
  aborted: 'bad',
  delete: 'bad',
  pending: 'busy',
  in_progress: 'busy',
  update: 'busy',
}

export function Status({ value }: { value: string }) {
  return (
    <span class={`status ${tones[value] ?? ''}`}>{escapeHidden(value).replaceAll('_', ' ')}</span>
  )
}

interface OutcomeProps {
  outcome: JournalSummary['outcome']
  status?: number | undefined
}

export function OutcomeBadge({ status, outcome }: OutcomeProps) {
  const tone = outcome === 'waiting' ? 'busy' : toneOf(status)
  return <span class={`status ${tone}`}>{status ?? outcome}</span>
}

function toneOf(status: number | undefined): string {
  if (status === undefined || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}
