import type { JournalEntry } from '../../http/journal/journal-entry.ts'
import type { RunResult } from '../run/run.ts'
import { effectOf, type Step } from '../run/steps.ts'
import type { Violation } from './names.ts'
import { canonical } from './records.ts'

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

interface Sent {
  step: Step
  entry: JournalEntry
}

/** A request that would take effect again if it were sent again. */
interface UnsafeRequest extends Sent {
  /** The request's position among the run's steps. */
  index: number
  /** A string that is equal for requests with the same content. */
  identity: string
}

/** The number of non-idempotent requests that may have taken effect, by content. */
export type SendCounts = ReadonlyMap<string, number>

export function countSends({ steps }: RunResult): SendCounts {
  const counts = new Map<string, number>()
  for (const { identity, ...request } of unsafeRequests(steps)) {
    if (!isRejected(request)) counts.set(identity, (counts.get(identity) ?? 0) + 1)
  }
  return counts
}

/**
 * Returns a violation if a non-idempotent request was sent again although its outcome was unknown. A program may send
 * identical requests on purpose, but no more often than in the run without faults. Ignores rejected requests.
 */
export function findUnsafeRetry(run: RunResult, clean: SendCounts): Violation | undefined {
  const groups = Map.groupBy(unsafeRequests(run.steps), ({ identity }) => identity)
  for (const [identity, requests] of groups) {
    const sent = requests.filter((request) => !isRejected(request))
    const again = sent.slice(Math.max(1, clean.get(identity) ?? 0)).find(({ index }) => {
      const unknown = sent.findLast((request) => request.index < index && isUnknown(request))
      return unknown && !isEvidenceBetween(run.steps, unknown.index, index)
    })
    if (!again) continue
    return {
      name: 'unsafeRetries',
      step: again.step,
      message: `Your program sent ${again.step.name} again even though the outcome of an earlier request was unknown, so both may take effect.`,
    }
  }
  return undefined
}

function unsafeRequests(steps: readonly Step[]): UnsafeRequest[] {
  return steps.flatMap((step, index) => {
    const { kind, entry } = step
    if (kind !== 'request' || !entry) return []
    if (effectOf(step) !== 'non-idempotent') return []
    if (idempotencyHeaders.some((name) => entry.request.headers[name] !== undefined)) return []
    return [{ step, entry, index, identity: identityOf(step, entry) }]
  })
}

/**
 * Returns a request's `identity`. Ignores the content of bookings, because an order has at most one appointment.
 */
function identityOf({ name }: Step, { request: { params, body } }: JournalEntry): string {
  const isBooking = name === 'orders.bookPhlebotomyAppointment'
  return canonical([name, params, isBooking ? undefined : body])
}

function isUnknown({ step: { fault, result }, entry: { outcome, response } }: Sent): boolean {
  if (unknownAfter.includes(fault?.fault ?? '')) return true
  if ([outcome, result].some((end) => end === 'lost' || end === 'aborted')) return true
  const { status = 200, headers = {} } = response ?? {}
  return status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)
}

/** Returns whether the program knows that a request had no effect. */
function isRejected(request: Sent): boolean {
  if (isUnknown(request)) return false
  const { outcome, response } = request.entry
  return outcome === 'refused' || (response?.status ?? 0) >= 400
}

/**
 * Returns whether, between two requests, the program acknowledged an event or successfully read data in the earlier
 * request's namespace.
 */
function isEvidenceBetween(steps: readonly Step[], from: number, to: number): boolean {
  const [namespace] = (steps[from]?.name ?? '').split('.')
  return steps.slice(from + 1, to).some((step) => {
    if (step.kind === 'delivery') return step.isAcknowledged
    const isRead = step.kind === 'request' && effectOf(step) === 'read-only'
    return isRead && step.name.startsWith(`${namespace}.`) && step.result === '200'
  })
}

export function findLateCall(
  { steps }: RunResult,
  deadline: number | undefined,
): Violation | undefined {
  const late = steps.find(({ kind, isLate }) => kind === 'request' && isLate)
  if (late) {
    return {
      name: 'lateCalls',
      step: late,
      message: `Your program sent ${late.name} after the scenario had ended: a call continues even though no caller is waiting for it.`,
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
      step: over,
      message: `Your program sent ${over.name} after the scenario's deadline.`,
    }
  )
}
