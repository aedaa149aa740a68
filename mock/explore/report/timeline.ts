import { shorten } from '../../diagnostics/text.ts'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import type { RunResult } from '../run/run.ts'
import type { Step } from '../run/steps.ts'

const shownSteps = 60

/** Describes a run's steps without ids and bodies, and marks each fault with its number in the plan. */
export function describeTimeline(run: RunResult): string[] {
  const lines = run.steps.map((step) => {
    const text = describeStep(step)
    const fault = step.fault ? ` [fault ${run.plan.indexOf(step.fault) + 1}]` : ''
    const place = step.line?.()
    const line = place ? `, ${place}` : ''
    return `${formatTime(step.at).padStart(10)}  ${text}${line}${fault}`
  })
  const hidden = lines.length - shownSteps
  if (hidden <= 0) return lines
  const half = shownSteps / 2
  return [...lines.slice(0, half), `… ${hidden} more steps …`, ...lines.slice(-half)]
}

const texts: Record<Exclude<Step['kind'], 'request' | 'delivery'>, string> = {
  clock: 'clock',
  environment: 'environment',
  crash: 'your program crashes',
  restart: 'restart starts your program again',
}

function describeStep(step: Step): string {
  if (step.kind === 'request') return describeRequest(step)
  if (step.kind === 'delivery') return describeDelivery(step)
  if (step.kind === 'environment') return `environment: ${step.fault?.fault.replaceAll('_', ' ')}`
  return step.kind === 'clock' ? `clock: ${step.result}` : texts[step.kind]
}

function describeRequest({ name, nth, entry, result }: Step): string {
  const sent = `request ${name} #${nth}`
  if (!entry) return `${sent} does not reach the service`
  const { response, outcome, changes } = entry
  const end = result ?? `${response?.status ?? outcome}`
  const summary = summarizeChanges(changes)
  return `${sent}: ${outcomes[end] ?? end}${summary.length > 0 ? ` (${summary.join(', ')})` : ''}`
}

const outcomes: Record<string, string> = {
  lost: 'the response is lost',
  refused: 'the connection is refused',
  aborted: 'the caller gives up',
  waiting: 'no response yet',
}

const changeWords = { create: 'new', update: 'changed', delete: 'deleted' } as const

/** Summarizes a request's changes, such as `1 new in orders`. Counts each record once. */
function summarizeChanges(changes: JournalEntry['changes']): string[] {
  const first = new Map<string, JournalEntry['changes'][number]>()
  for (const change of changes) {
    const record = `${change.collection} ${change.key}`
    if (!first.has(record)) first.set(record, change)
  }
  const groups = Map.groupBy(
    first.values(),
    ({ action, collection }) => `${changeWords[action]} in ${collection}`,
  )
  return [...groups].map(([group, records]) => `${records.length} ${group}`)
}

function describeDelivery({ name, nth, attempt = 1, isAcknowledged, result }: Step): string {
  const number = attempt === 1 ? '' : `, attempt ${attempt}`
  const answer = isAcknowledged
    ? 'acknowledged'
    : `not acknowledged (${result?.replaceAll('_', ' ') ?? 'no response yet'})`
  return `event ${shorten(name)} #${nth}${number}: ${answer}`
}

function formatTime(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `+${seconds.toFixed(3)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `+${minutes} m ${Math.floor(seconds % 60)} s`
  return `+${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
