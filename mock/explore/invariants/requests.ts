import { operationFacts } from '../../../src/contract/values/operation-facts.ts'
import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import type { RunResult } from '../run/run.ts'
import { operationOf, type Step } from '../run/steps.ts'
import { canonical } from './canonical.ts'
import type { Violation } from './names.ts'

/** Headers that make a repeated request safe. */
const idempotencyHeaders = ['x-idempotency-key', 'idempotency-key']

/** Faults after which the program cannot know whether its request took effect. */
const unknownAfter = [
  'lose_response',
  'error_after',
  'error_before',
  'crash_after',
  'outage',
  'cut_before_response',
  'cut_mid_body',
  'stall_after',
]

/** A request of a run: its step, and its entry in the journal if it reached the service. */
export interface SentRequest {
  step: Step
  entry: JournalEntry | undefined
  /** Its place among the steps of the run. */
  index: number
}

/** Returns the requests of a run. The entries of an operation are in the order of its steps. */
export function requestsOf({ steps, entries }: RunResult): SentRequest[] {
  const rest = [...entries]
  return steps.flatMap((step, index) => {
    if (step.kind !== 'request') return []
    if (!step.isReceived) return [{ step, entry: undefined, index }]
    const at = rest.findIndex(({ operation }) => operation === step.name)
    const [entry] = at < 0 ? [] : rest.splice(at, 1)
    return [{ step, entry, index }]
  })
}

/** Returns a violation if a non-idempotent request was sent again although its outcome was unknown. */
export function findUnsafeRetry(run: RunResult): Violation | undefined {
  const requests = requestsOf(run)
  const open = new Map<string, number>()
  for (const { step, entry, index } of requests) {
    if (!entry || operationFacts[operationOf(step)].effect !== 'unsafe') continue
    const { headers } = entry.request
    if (idempotencyHeaders.some((name) => headers[name] !== undefined)) continue
    const key = identityOf(step, entry)
    const earlier = open.get(key)
    if (earlier !== undefined && !isEvidenceBetween(run.steps, earlier, index)) {
      return {
        name: 'unsafeRetries',
        message: `Your program sent ${step.name} again although the outcome of the first request was unknown: it may take effect twice.`,
      }
    }
    if (isUnknown(step, entry)) open.set(key, index)
    else open.delete(key)
  }
  return undefined
}

/** Returns what makes two requests the same action. An order has one appointment, whatever its booking key. */
function identityOf({ name }: Step, { request: { params, body } }: JournalEntry): string {
  const isBooking = name === 'orders.bookPhlebotomyAppointment'
  return canonical([name, params, isBooking ? undefined : body])
}

function isUnknown({ fault }: Step, { outcome, response }: JournalEntry): boolean {
  if (unknownAfter.includes(fault?.fault ?? '')) return true
  if (outcome === 'lost' || outcome === 'aborted') return true
  const { status = 200, headers = {} } = response ?? {}
  return status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)
}

/** Returns whether the program learned something about the first request before it sent the second one. */
function isEvidenceBetween(steps: readonly Step[], from: number, to: number): boolean {
  const [namespace] = (steps[from]?.name ?? '').split('.')
  return steps.slice(from + 1, to).some((step) => {
    if (step.kind === 'delivery') return step.isAcknowledged
    const isRead = step.kind === 'request' && operationFacts[operationOf(step)].effect === 'read'
    return isRead && step.name.startsWith(`${namespace}.`) && step.result === '200'
  })
}

/** Returns a violation if the scenario sent a request after its end or deadline. */
export function findLateCall(
  { steps }: RunResult,
  deadline: number | undefined,
): Violation | undefined {
  const late = steps.find(({ kind, isLate }) => kind === 'request' && isLate)
  if (late) {
    return {
      name: 'lateCalls',
      message: `Your program sent ${late.name} after the scenario had ended: a call continues although no caller waits for it.`,
    }
  }
  const restarted = steps.find(({ kind }) => kind === 'restart')?.at ?? Number.POSITIVE_INFINITY
  const over = steps.find(
    ({ kind, at }) =>
      kind === 'request' && deadline !== undefined && at > deadline && at <= restarted,
  )
  return (
    over && {
      name: 'lateCalls',
      message: `Your program sent ${over.name} after the deadline of the scenario.`,
    }
  )
}
