import { copyJson, isUnreadable } from '../client/copy-input.ts'
import type { Insurance } from '../contract/insurance.ts'
import type { CreatedOrder } from '../contract/orders.ts'
import { isObject } from '../contract/schema-tools/object.ts'
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
 * - `unresolved`: the outcome cannot be proven. A person must check it and call `resolve`.
 * - `interrupted`: the run ended with a crash or an error. Call the same function with the same id to continue.
 * - `running`: a process is working on the write.
 */
export interface UnresolvedWrite {
  /** Your own id for the write. */
  id: string
  /** The operation, such as `insurance.create`. */
  operation: string
  /** Who must act: a person, your program, or no one. */
  state: 'unresolved' | 'interrupted' | 'running'
  /** When the intent was stored. */
  startedAt: Date
  /** The error from the write, as JSON that is safe to log. Undefined after a crash. */
  cause: unknown
}

/** What a person found out: the value that the operation should return, or `had-no-effect`. */
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
  return writes.map((write) => ({
    id: write.id,
    operation: write.operation,
    state: stateOf(write, now),
    startedAt: new Date(write.startedAt),
    cause: write.state === 'unresolved' ? parseUnresolved(write).cause : undefined,
  }))
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
  if (write?.state !== 'unresolved' && write?.state !== 'pending') throw notOpen(id)
  if (stateOf(write, clock.now()) === 'running') throw running(id)
  checkDecision(write.operation, decision)
  const hadNoEffect = decision === 'had-no-effect'
  if (hadNoEffect && write.operation === 'link.bulkImportAll') return forgetUnknown(write, tools)
  const { attempt, holder } = write
  const end: Pick<WriteEnd, 'state' | 'outcome'> = hadNoEffect
    ? { state: 'cleared', outcome: '' }
    : { state: 'done', outcome: toStoredJson(decision) }
  const now = clock.now()
  if (!(await useStore(id, () => store.end({ id, attempt, holder, now, ...end }))))
    throw running(id)
}

/**
 * Removes the unknown outcomes from an import's progress, so that the next call imports these recipes again. Takes the
 * hold first, so that a statement that the database runs late cannot replace the progress of a later run.
 */
async function forgetUnknown(write: StoredWrite, tools: WriteTools): Promise<void> {
  const { id, attempt, holder, operation, input } = write
  const { store, clock, holdFor } = tools
  const now = clock.now()
  const pending = { id, attempt, state: 'pending', outcome: '', now } as const
  const isPending =
    write.state === 'pending' || (await useStore(id, () => store.end({ ...pending, holder })))
  if (!isPending) throw running(id)
  const token = crypto.randomUUID()
  const heldUntil = now + holdFor
  const intent = { id, operation, input, token, now, heldUntil, progress: '' }
  try {
    const { progress } = await useStore(id, () => store.begin(intent))
    const known = parseProgress(progress).filter(({ outcome }) => outcome !== 'unknown')
    const hold = { token, heldUntil, progress: toJson(known) }
    // Saves nothing if another process holds the write.
    if (!(await useStore(id, () => store.save(id, hold)))) throw running(id)
  } finally {
    await store.end({ ...pending, holder: token }).catch(() => {})
  }
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
  throw invalid('the decision', `'had-no-effect' or what ${operation} returns`)
}

function notOpen(id: string): DurableError {
  const message = 'The write cannot be resolved: the id is unknown, or the write has an outcome.'
  return new DurableError('not_open', message, { id })
}

function running(id: string): DurableError {
  const message =
    'The write cannot be resolved now because a process is working on it. Try again later.'
  return new DurableError('busy', message, { id })
}
