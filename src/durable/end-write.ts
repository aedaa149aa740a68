import type { Clock } from '../client/clock.ts'
import { AbortError } from '../client/errors/abort-error.ts'
import { ApiError } from '../client/errors/api-error.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import { toAscii, toJson } from '../shared/own-fields.ts'
import type { StoredWrite, WriteEnd } from '../stores/write-store.ts'
import { DurableError, takenOver, unresolvedError } from './durable-error.ts'
import { storeCause } from './use-store.ts'
import { startWaiting } from './wait-for-holder.ts'
import { atCaller, type RunEnd, type StartedWrite, type Write, type WriteTools } from './write.ts'

type Failure = Extract<RunEnd<never>, { state: 'failed' }>

interface RunThatEnded<End> {
  stored: StoredWrite
  end: End
}

/** Stores how a run ended. Returns the run's result, or the result that another run stored first. */
export async function storeEnd<Result>(
  write: StartedWrite<Result>,
  { stored, end }: RunThatEnded<Exclude<RunEnd<Result>, Failure>>,
  tools: WriteTools,
): Promise<Result> {
  const { id, attempt, holder } = stored
  const base = { id, attempt, now: endOf(stored, tools) }
  if (end.state === 'done') {
    const { result } = end
    const outcome = toStoredJson(result)
    // Omit `holder`, because a run that knows the outcome may store it even after another run took over.
    const isStored = await storeWithRetries({ ...base, state: 'done', outcome }, result, tools)
    return isStored ? result : outcomeOfOther(write, { stored, result }, tools)
  }
  const { cause, result, isFinal = true } = end
  const state = isFinal ? 'unresolved' : 'pending'
  const outcome = toStoredJson({
    cause: describeError(cause),
    result: isFinal ? result : undefined,
  })
  const isStored = await storeWithRetries({ ...base, state, outcome, holder }, undefined, tools)
  const now = await tools.store.read(id).catch(() => undefined)
  if (now?.state === 'done') return storedResult(now)
  const isTakenOver = !isStored && now?.state === 'pending' && now.attempt === attempt
  if (!isTakenOver || !isFinal) return endUnresolved(write, { cause, result })
  // Do not report this outcome: it was not stored, so `unresolved()` would not list it. The run that took over decides.
  const onCleared = () => endUnresolved(write, { cause, result })
  return outcomeOfTakeover(write, { attempt, cause, onCleared }, tools)
}

/**
 * Clears the write and throws the run's error. If another run took over and may have sent the write again, returns that
 * run's result instead.
 */
export async function clear<Result>(
  write: StartedWrite<Result>,
  { stored, end: { error } }: RunThatEnded<Failure>,
  tools: WriteTools,
): Promise<Result> {
  const { id, attempt, holder } = stored
  const cleared = { id, attempt, holder, state: 'cleared', outcome: '' } as const
  const clearing = () => tools.store.end({ ...cleared, now: endOf(stored, tools) })
  const isCleared = await retryStore(clearing, tools.clock).catch(() => {
    throw new DurableError(
      'store_failed',
      "This call's request had no effect (see the cause), but the store could not save this outcome. Call again with the same input.",
      { id, cause: error },
    )
  })
  if (isCleared || write.isSentOnce) throw error
  const onCleared = () => {
    throw error
  }
  return outcomeOfTakeover(write, { attempt, cause: error, onCleared }, tools)
}

/**
 * Waits for the result of the run that took over. Sends nothing, because this run may have consumed an import's source.
 */
async function outcomeOfTakeover<Result>(
  write: StartedWrite<Result>,
  { attempt, cause, onCleared }: { attempt: string; cause: unknown; onCleared: () => Result },
  { store, clock }: WriteTools,
): Promise<Result> {
  const { id } = write
  const wait = startWaiting(write, clock)
  const busyError = () => takenOver(id, cause)
  for (;;) {
    const now = await retryStore(() => store.read(id), clock).catch(() => {
      throw busyError()
    })
    // The attempt was cleared by `resolve`, or by an earlier store call that took effect although it failed.
    if (now?.attempt !== attempt || now.state === 'cleared') return onCleared()
    if (now.state === 'done') return storedResult(now)
    if (now.state === 'unresolved') return endUnresolved(write, parseUnresolved(now))
    const waitForHolder = async () => {
      if (now.heldUntil <= clock.now()) throw busyError()
      await wait(now.heldUntil, busyError)
    }
    // A clock error must not replace the write's own error.
    await waitForHolder().catch((error: unknown) => {
      throw error instanceof AbortError ? error : busyError()
    })
  }
}

/**
 * Returns the result of a write that another run completed first. Throws if `resolve` cleared the write and the id was
 * reused.
 */
async function outcomeOfOther<Result>(
  { id }: Write<Result>,
  { stored, result }: { stored: StoredWrite; result: Result },
  { store }: WriteTools,
): Promise<Result> {
  const now = await store.read(id).catch(() => undefined)
  if (!now) return result
  if (now.attempt === stored.attempt) return storedResult(now)
  throw new DurableError(
    'took_effect',
    'The write took effect, but resolve() had recorded that it had not, and the id has since been reused. The write may have taken effect twice. Have someone check it in the service.',
    { id, result },
  )
}

/**
 * Stores a run's error and releases the write, so a later run can continue it. Ignores errors from the store, because
 * the hold expires on its own.
 */
export async function release(
  stored: StoredWrite,
  error: unknown,
  tools: WriteTools,
): Promise<void> {
  const { id, attempt, holder } = stored
  const outcome = toStoredJson({ cause: describeError(error) })
  const end = { id, attempt, holder, state: 'pending', outcome } as const
  await tools.store.end({ ...end, now: endOf(stored, tools) }).catch(() => {})
}

/** Returns the current time, or the start time if the clock fails, so the outcome is not lost. */
function endOf({ startedAt }: StoredWrite, { clock }: WriteTools): number {
  try {
    return clock.now()
  } catch {
    return startedAt
  }
}

/** The delays before the retries of a store call, in milliseconds. */
const storeRetries = [100, 1_000, 5_000]

/** Retries a store call after a request has been sent, because the outcome must not be lost. */
export async function retryStore<T>(use: () => Promise<T>, clock: Clock): Promise<T> {
  for (const wait of storeRetries) {
    try {
      return await use()
    } catch {
      await clock.sleep(wait)
    }
  }
  return use()
}

async function storeWithRetries(
  end: WriteEnd,
  result: unknown,
  { store, clock }: WriteTools,
): Promise<boolean> {
  return retryStore(() => store.end(end), clock).catch((cause: unknown) => {
    throw new DurableError(
      'store_failed',
      'The write was sent, but the store could not save its outcome. It is safe to call again with the same id.',
      { id: end.id, cause: storeCause(cause), result },
    )
  })
}

interface Unresolved<Result> {
  cause?: unknown
  /** The result of an import that is only partly unresolved. */
  result?: Result | undefined
}

export function endUnresolved<Result>(
  write: Write<Result>,
  { cause, result }: Unresolved<Result>,
): Result {
  if (result !== undefined) return result
  const error = atCaller(unresolvedError(write.operation, write.id, cause), write)
  if (write.unresolved) return write.unresolved(error)
  throw error
}

export function toStoredJson(value: unknown): string {
  return toAscii(toJson(value) ?? '')
}

export function storedResult<Result>({ outcome }: StoredWrite): Result {
  const result: unknown = outcome === '' ? undefined : JSON.parse(outcome)
  // The outcome was stored by a run of the same operation.
  return result as Result
}

/**
 * Describes an error as JSON that is safe to log. Omits an API error's body, and its message, which may quote the body.
 */
export function describeError(error: unknown): object | undefined {
  if (error instanceof ApiError) return { ...error.toJSON(), message: undefined }
  if (error instanceof ServiceError) return error.toJSON()
  return error instanceof Error ? { name: error.name } : undefined
}

export function parseUnresolved<Result>({ outcome }: StoredWrite): Unresolved<Result> {
  return outcome === '' ? {} : JSON.parse(outcome)
}
