import { ServiceError } from '../client/errors/service-error.ts'
import { maxTimerDelay } from '../client/options/rules.ts'
import { abortable, isSignal } from '../client/transport/cancellation.ts'
import { runWithin } from '../client/transport/time-limit.ts'
import { readField } from '../shared/own-fields.ts'
import type { StoredWrite, WriteEnd, WriteIntent } from '../stores/write-store.ts'
import { abortError, busy, DurableError, differs, hadNoEffect, pending } from './durable-error.ts'
import {
  clear,
  endUnresolved,
  parseUnresolved,
  release,
  storedResult,
  storeEnd,
} from './end-write.ts'
import { areDifferent, hashInput } from './hash-input.ts'
import { HeldWrite } from './held-write.ts'
import { checkId, invalid } from './options.ts'
import { useStore } from './use-store.ts'
import { startWaiting } from './wait-for-holder.ts'
import {
  atCaller,
  type RunEnd,
  type StartedWrite,
  startTimeLimit,
  type Write,
  type WriteTools,
} from './write.ts'

/**
 * Runs a write. Exactly one run stores the intent, before the write is sent. Every other run returns the stored
 * outcome, waits for the outcome, or takes over.
 */
export async function runWrite<Result>(write: Write<Result>, tools: WriteTools): Promise<Result> {
  try {
    return await runOrWait({ ...write, left: startTimeLimit(write, tools.clock) }, tools)
  } catch (error) {
    throw atCaller(error, write)
  }
}

async function runOrWait<Result>(write: StartedWrite<Result>, tools: WriteTools): Promise<Result> {
  const { id, operation, options } = write
  const { clock } = tools
  checkId(id)
  const { whenBusy = 'wait', signal } = options
  if (whenBusy !== 'wait' && whenBusy !== 'throw') throw invalid('whenBusy', `'wait' or 'throw'`)
  const input = await hashInput([operation, write.input], await readKey(write, tools), id)
  let prepared = await prepare(write, tools)
  /** Whether another run has worked on the write since it was prepared. */
  let isStale = false
  const wait = startWaiting(write, clock)
  for (;;) {
    if (isSignal(signal) && signal.aborted) throw abortError(operation, signal.reason)
    const token = crypto.randomUUID()
    const now = clock.now()
    const progress = isStale ? '' : prepared.progress
    const intent = { id, operation, input, token, now, heldUntil: now + tools.holdFor, progress }
    const stored = await begin(intent, tools)
    if (stored.state === 'done') return storedResult(stored)
    if (stored.state === 'unresolved') return endUnresolved(write, parseUnresolved(stored))
    if (stored.holder === token && isUnprepared(write, { stored, isStale })) {
      const { attempt } = stored
      await useStore(id, () => tools.store.end(clearedBy(token, { id, attempt, now })))
      if (isStale) prepared = await prepare(write, tools)
      isStale = false
      continue
    }
    if (stored.holder === token) return runHeld(write, { stored, failure: prepared.failure }, tools)
    isStale = true
    await wait(stored.heldUntil, () => busy(id))
  }
}

/**
 * Returns whether a write must be prepared before it is sent, because an earlier run could not prepare it or this run
 * had to wait after preparing it. If so, the caller clears the write and starts over.
 */
function isUnprepared<Result>(
  { prepare }: Write<Result>,
  { stored, isStale }: { stored: StoredWrite; isStale: boolean },
): boolean {
  if (prepare === undefined || stored.progress !== '') return false
  return isStale || stored.attempt !== stored.holder
}

/**
 * Stores an intent. A store takes over a pending write only if the input hashes are equal. If the stored input was
 * hashed with a different key, retries with the stored hash.
 */
async function begin(intent: WriteIntent, { store }: WriteTools): Promise<StoredWrite> {
  const { id, operation, input, token, now } = intent
  const stored = await useStore(id, () => store.begin(intent)).catch(async (error: unknown) => {
    // The store may have saved the intent even though the call failed. Clear it, because a later call would treat the
    // write as sent.
    await store.end(clearedBy(token, { id, attempt: token, now })).catch(() => {})
    throw error
  })
  if (stored.operation !== operation || areDifferent(stored.input, input)) throw differs(id)
  if (stored.input === input || stored.state !== 'pending') return stored
  return useStore(id, () => store.begin({ ...intent, input: stored.input }))
}

/** Returns the `WriteEnd` for an attempt that sent nothing, so the id can be reused. */
function clearedBy(holder: string, write: Pick<WriteEnd, 'id' | 'attempt' | 'now'>): WriteEnd {
  return { ...write, holder, state: 'cleared', outcome: '' }
}

/** Reads the key for hashing inputs. Limits the wait, because the `apiKey` function may never settle. */
async function readKey<Result>(
  { id, operation, options, left }: StartedWrite<Result>,
  { clock, deadline, holdFor, readKey }: WriteTools,
): Promise<string> {
  const signal = isSignal(options.signal) ? options.signal : undefined
  const milliseconds = Math.min(left() ?? deadline ?? holdFor, maxTimerDelay)
  const createError = () => new Error(`The apiKey function took longer than ${milliseconds} ms.`)
  try {
    const limit = { clock, milliseconds, signal, createError }
    return await runWithin(limit, (end) => abortable(readKey(), end))
  } catch (error) {
    if (signal?.aborted) throw abortError(operation, signal.reason)
    // A `ServiceError` does not print the error of the `apiKey` function, which may contain the key.
    const cause = new ServiceError(
      'The apiKey function did not return a valid key. See error.originalCause.',
      {
        operation,
        route: '',
        outcome: 'not-sent',
        attempts: [],
        cause: readField(error, 'cause') ?? error,
      },
    )
    const message =
      'The API key could not be read, so this call sent nothing. See the cause, and call again.'
    throw new DurableError('not_sent', message, { id, cause })
  }
}

interface Prepared {
  progress: string
  failure?: unknown
}

/**
 * Prepares a write. If preparation fails but the write is already stored, returns the failure instead of throwing it,
 * because the write may have an outcome.
 */
async function prepare<Result>(
  { id, prepare, left }: StartedWrite<Result>,
  { store }: WriteTools,
): Promise<Prepared> {
  try {
    return { progress: (await prepare?.(left)) ?? '' }
  } catch (failure) {
    const stored = await useStore(id, () => store.read(id))
    if (!stored || stored.state === 'cleared') throw failure
    return { progress: '', failure }
  }
}

async function runHeld<Result>(
  write: StartedWrite<Result>,
  { stored, failure }: { stored: StoredWrite; failure: unknown },
  tools: WriteTools,
): Promise<Result> {
  const held = new HeldWrite(stored, tools)
  try {
    const run = held.isFirst
      ? failure
        ? Promise.reject(failure)
        : write.send(held, write.left)
      : write.recover(held, write.left)
    const end = await run.catch(toFailure)
    if (end.state !== 'failed') return await storeEnd(write, { stored, end }, tools)
    if (held.isFirst && end.hadNoEffect) return await clear(write, { stored, end }, tools)
    await release(stored, end.error, tools)
    // Even if the last request had no effect, an earlier request may have taken effect.
    throw hadNoEffect(end.error) ? pending(stored, end.error) : end.error
  } finally {
    held.stop()
  }
}

function toFailure(error: unknown): RunEnd<never> {
  return { state: 'failed', error, hadNoEffect: hadNoEffect(error) }
}
