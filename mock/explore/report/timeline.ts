import { shorten } from '../../diagnostics/text.ts'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import { requestsOf } from '../invariants/requests.ts'
import { describeFault } from '../plan/fault-names.ts'
import type { RunResult } from '../run/run.ts'
import type { Step } from '../run/steps.ts'

/** The most steps of a timeline. */
const shownSteps = 60

/** Returns what happened in a run, as one line per step, without ids and bodies. */
export function describeTimeline(run: RunResult): string[] {
  const requests = new Map(requestsOf(run).map(({ step, entry }) => [step, entry]))
  const lines = run.steps.map((step) => {
    const text = describeStep(step, requests.get(step))
    const fault = step.fault ? ` [${describeFault(step.fault)}]` : ''
    return `${formatTime(step.at).padStart(10)}  ${text}${fault}`
  })
  const hidden = lines.length - shownSteps
  if (hidden <= 0) return lines
  const half = shownSteps / 2
  return [...lines.slice(0, half), `… ${hidden} more steps …`, ...lines.slice(-half)]
}

const texts: Record<Exclude<Step['kind'], 'request' | 'delivery'>, string> = {
  clock: 'clock',
  crash: 'your program crashes',
  restart: 'your program starts again: restart',
}

function describeStep(step: Step, entry: JournalEntry | undefined): string {
  if (step.kind === 'request') return describeRequest(step, entry)
  if (step.kind === 'delivery') return describeDelivery(step)
  return step.kind === 'clock' ? `clock: ${step.result}` : texts[step.kind]
}

function describeRequest(step: Step, entry: JournalEntry | undefined): string {
  const sent = `request ${step.name} #${step.nth}`
  if (!entry) return `${sent}: it does not reach the service`
  const { response, outcome, changes } = entry
  const result = response ? `${response.status}` : outcome
  return `${sent}: ${[result, ...summarizeChanges(changes)].join('; ')}`
}

/** Returns what a request changed, such as `create orders`. */
function summarizeChanges(changes: JournalEntry['changes']): string[] {
  const counts = new Map<string, number>()
  for (const { action, collection } of changes) {
    const change = `${action} in ${collection}`
    counts.set(change, (counts.get(change) ?? 0) + 1)
  }
  return [...counts].map(([change, count]) => (count === 1 ? change : `${count} × ${change}`))
}

function describeDelivery({ name, nth, attempt = 1, isAcknowledged, result }: Step): string {
  const number = attempt === 1 ? '' : `, attempt ${attempt}`
  const answer = isAcknowledged
    ? 'acknowledged'
    : `not acknowledged (${result ?? 'no response yet'})`
  return `event ${shorten(name)} #${nth}${number}: ${answer}`
}

function formatTime(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 60) return `+${seconds.toFixed(3)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `+${minutes} m ${Math.floor(seconds % 60)} s`
  return `+${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
