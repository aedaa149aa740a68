import { copyJson, isUnreadable } from '../client/copy-input.ts'
import type { Insurance } from '../contract/insurance.ts'
import type { CreatedOrder } from '../contract/orders.ts'
import { isObject } from '../shared/narrow.ts'
import { toJson } from '../shared/own-fields.ts'
import type { StoredWrite, WriteEnd } from '../stores/write-store.ts'
import { DurableError } from './durable-error.ts'
import { parseUnresolved, toStoredJson } from './end-write.ts'
import { parseProgress } from './imports.ts'
import { checkId, invalid } from './options.ts'
import type { EndedDurableBooking } from './orders.ts'
import type { DurableImportReport } from './progress.ts'
import { useStore } from './use-store.ts'
import type { WriteTools } from './write.ts'

/**
 * A write without an outcome.
 * - `unresolved`: the outcome cannot be determined. A person must check it and call `resolve`.
 * - `interrupted`: the run ended with a crash or an error. Call the same function with the same id to continue.
 * - `running`: a process is working on the write.
 */
export interface UnresolvedWrite {
  /** Your own id for the write. */
  id: string
  /** The operation, such as `insurance.create`. */
  operation: string
  /** The state, which determines who must act: a person, your program, or no one. */
  state: 'unresolved' | 'interrupted' | 'running'
  /** When the intent was stored. */
  startedAt: Date
  /** The last error, or an import's `failures`, in a form that is safe to log. Undefined after a crash. */
  cause: unknown
}

/** The outcome that a person determined: the value that the operation should return, or `had-no-effect`. */
export type Decision =
  | 'had-no-effect'
  | CreatedOrder
  | Insurance
  | DurableImportReport
  | EndedDurableBooking

export async function listUnresolved(
  { store, clock }: WriteTools,
  limit: number,
): Promise<UnresolvedWrite[]> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw invalid('the limit of unresolved', 'a whole number, at least 1')
  }
  const writes = await useStore(undefined, () => store.open(limit))
  const now = clock.now()
  return writes.map((write) => {
    const { cause, result } = parseUnresolved<DurableImportReport>(write)
    return {
      id: write.id,
      operation: write.operation,
      state: stateOf(write, now),
      startedAt: new Date(write.startedAt),
      cause: cause ?? result?.failures,
    }
  })
}

function isOpen(write: StoredWrite | undefined): write is StoredWrite {
  return write?.state === 'unresolved' || write?.state === 'pending'
}

function stateOf({ state, heldUntil }: StoredWrite, now: number): UnresolvedWrite['state'] {
  if (state === 'unresolved') return 'unresolved'
  return heldUntil > now ? 'running' : 'interrupted'
}

export async function resolveWrite(id: string, given: Decision, tools: WriteTools): Promise<void> {
  checkId(id)
  const { store, clock } = tools
  const decision = copyJson(given)
  const write = await useStore(id, () => store.read(id))
  if (!isOpen(write)) throw notOpen(id)
  if (stateOf(write, clock.now()) === 'running') throw running(id)
  checkDecision(write.operation, decision)
  const isImport = write.operation === 'link.bulkImportAll'
  const isContinued = decision === 'had-no-effect' && isImport
  const held = write.state === 'pending' || isImport ? await takeHold(write, tools) : write
  if (isContinued) await forgetUnknown(held, tools)
  const { attempt, holder } = held
  const end = { id, attempt, holder, now: clock.now(), ...endOf(isContinued, decision) }
  if (!(await useStore(id, () => store.end(end)))) throw await tooLate(id, tools)
}

function endOf(isContinued: boolean, decision: Decision): Pick<WriteEnd, 'state' | 'outcome'> {
  if (isContinued) return { state: 'pending', outcome: '' }
  if (decision === 'had-no-effect') return { state: 'cleared', outcome: '' }
  return { state: 'done', outcome: toStoredJson(decision) }
}

/**
 * Holds a write with a new token, so a late store call from this `resolve` cannot affect a later run. An unresolved
 * write becomes pending.
 */
async function takeHold(write: StoredWrite, tools: WriteTools): Promise<StoredWrite> {
  const { id, attempt, holder, operation, input, state, progress } = write
  const { store, clock, holdFor } = tools
  const now = clock.now()
  const pending = { id, attempt, holder, state: 'pending', outcome: '', now } as const
  const isPending = state === 'pending' || (await useStore(id, () => store.end(pending)))
  if (!isPending) throw await tooLate(id, tools)
  const token = crypto.randomUUID()
  const intent = { id, operation, input, token, now, heldUntil: now + holdFor, progress: '' }
  const held = await useStore(id, () => store.begin(intent))
  if (held.holder !== token) throw await tooLate(id, tools)
  if (held.attempt === attempt) {
    // Another call has changed the progress, so the decision may no longer be true.
    if (held.progress === progress) return held
    await useStore(id, () => store.end({ ...pending, holder: token }))
    throw running(id)
  }
  // The write was cleared in the meantime, so `begin` started a new attempt.
  const cleared = { ...pending, attempt: token, holder: token, state: 'cleared' } as const
  await useStore(id, () => store.end(cleared))
  throw notOpen(id)
}

/** Removes unknown outcomes from an import's progress, so the next call imports those recipes again. */
async function forgetUnknown(held: StoredWrite, { store }: WriteTools): Promise<void> {
  const { id, holder, heldUntil } = held
  const known = parseProgress(held.progress).filter(({ outcome }) => outcome !== 'unknown')
  const hold = { token: holder, heldUntil, progress: toJson(known) }
  if (!(await useStore(id, () => store.save(id, hold)))) throw running(id)
}

/** Required fields of each operation's result, used to reject a decision that belongs to a different operation. */
const requiredFields: Record<string, string[]> = {
  'orders.create': ['order'],
  'orders.bookAndWait': ['result', 'appointment'],
  'insurance.create': ['member_id'],
  'link.bulkImportAll': ['ranges'],
}

function checkDecision(operation: string, decision: unknown): void {
  if (decision === 'had-no-effect') return
  const fields = requiredFields[operation] ?? []
  const isReadable = isObject(decision) && !isUnreadable(decision)
  if (isReadable && fields.every((name) => decision[name] !== undefined)) return
  throw invalid('the decision', `'had-no-effect' or the value that ${operation} returns`)
}

/** Returns the error for a write that was ended or taken over after `resolve` had read it. */
async function tooLate(id: string, { store }: WriteTools): Promise<DurableError> {
  const now = await useStore(id, () => store.read(id))
  return isOpen(now) ? running(id) : notOpen(id)
}

function notOpen(id: string): DurableError {
  const message =
    'The write cannot be resolved: its id is unknown, or it already has an outcome. To list open writes, use unresolved().'
  return new DurableError('not_open', message, { id })
}

function running(id: string): DurableError {
  const message =
    'The write cannot be resolved now because a process is working on it. Try again later.'
  return new DurableError('busy', message, { id })
}
