import type { Clock } from '../client/clock.ts'
import { AbortError } from '../client/errors/abort-error.ts'
import { callSiteOf } from '../client/errors/call-site.ts'
import { safeCause } from '../client/errors/safe-cause.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import { isSignal } from '../client/transport/cancellation.ts'
import { readField, toJson } from '../shared/own-fields.ts'
import { stackOf } from '../shared/stack.ts'
import { StoreError, sqlStateOf } from '../stores/store-error.ts'
import type { StoredWrite, WriteEnd, WriteIntent } from '../stores/write-store.ts'
import { DurableError, unresolvedError } from './durable-error.ts'
import { areDifferent, hashInput } from './hash-input.ts'
import { HeldWrite } from './held-write.ts'
import { checkId, type DurableSettings, invalid, type WriteOptions } from './options.ts'

/** How a run of a write ended. An error that it throws also counts as a failure. */
export type RunEnd<Result> =
  | { state: 'done'; result: Result }
  /** The outcome, or part of it, cannot be proven. `isFinal` is false if a later call may still find it. */
  | { state: 'unresolved'; cause?: unknown; result?: Result; isFinal?: boolean }
  | { state: 'failed'; error: unknown; hadNoEffect: boolean }

/** A durable write: what is sent, and how to continue after a crash. */
export interface Write<Result> {
  id: string
  operation: string
  /** What must be the same in every call with the id. */
  input: unknown
  options: WriteOptions & { signal?: AbortSignal | undefined }
  /** Returns what must be stored before sending, as JSON. Sends nothing that has an effect. */
  prepare?: () => Promise<string>
  /** Sends the write for the first time. */
  send(held: HeldWrite): Promise<RunEnd<Result>>
  /** Continues a write that may have been sent, in a way that is safe for the operation. */
  recover(held: HeldWrite): Promise<RunEnd<Result>>
  /** Returns the result of a write whose outcome cannot be proven. Default: throws the error. */
  unresolved?: (error: DurableError) => Result
}

/** The tools that run writes. */
export interface WriteTools extends Omit<DurableSettings, 'key'> {
  clock: Clock
  /** Returns the secret used to hash inputs. */
  readKey(): Promise<string>
}

/** The milliseconds between two checks of a write that another process is working on; doubled after each check. */
const polling = { first: 250, longest: 5_000 }

/**
 * Runs a write, or returns the outcome of an earlier run. The intent is stored before anything is sent, by exactly one run;
 * every other run returns the outcome, waits, or continues after the run that stored it.
 */
export async function runWrite<Result>(write: Write<Result>, tools: WriteTools): Promise<Result> {
  try {
    return await runOrWait(write, tools)
  } catch (error) {
    throw atCaller(error, write)
  }
}

async function runOrWait<Result>(write: Write<Result>, tools: WriteTools): Promise<Result> {
  const { id, operation, options } = write
  const { clock } = tools
  checkId(id)
  const { whenBusy = 'wait' } = options
  // The client rejects an invalid signal before it sends anything.
  const signal = isSignal(options.signal) ? options.signal : undefined
  if (whenBusy !== 'wait' && whenBusy !== 'throw') throw invalid('whenBusy', `'wait' or 'throw'`)
  const input = await hashInput([operation, write.input], await readKey(id, tools), id)
  let prepared = await prepare(write, tools)
  /** Whether another run worked on the write since it was prepared. */
  let isStale = false
  for (let interval = polling.first; ; interval = Math.min(interval * 2, polling.longest)) {
    if (signal?.aborted) throw abortError(operation, signal.reason)
    const token = crypto.randomUUID()
    const now = clock.now()
    const progress = isStale ? '' : prepared.progress
    const intent = { id, operation, input, token, now, heldUntil: now + tools.holdFor, progress }
    const stored = await begin(intent, tools)
    if (stored.state === 'done') return resultOf(stored)
    if (stored.state === 'unresolved') return endUnresolved(write, parseUnresolved(stored))
    if (stored.holder === token && isUnprepared(write, { stored, isStale })) {
      const { attempt } = stored
      const end = { id, attempt, holder: token, state: 'cleared', outcome: '', now } as const
      await useStore(id, () => tools.store.end(end))
      if (isStale) prepared = await prepare(write, tools)
      isStale = false
      continue
    }
    if (stored.holder === token) return runHeld(write, { stored, failure: prepared.failure }, tools)
    if (whenBusy === 'throw') throw busy(id)
    isStale = true
    const left = Math.max(1, Math.ceil(stored.heldUntil - clock.now()))
    await clock.sleep(Math.min(interval, left), signal).catch((error: unknown) => {
      throw signal?.aborted ? abortError(operation, signal.reason) : error
    })
  }
}

/** Returns the error for an aborted signal. This or another run may have sent the write. */
export function abortError(operation: string, cause: unknown): AbortError {
  return new AbortError({ operation, route: '', outcome: 'unknown', attempts: [], cause })
}

/**
 * Returns whether nothing has been sent for a write and it must be prepared first, because an earlier run could not prepare
 * it, or because this run prepared it before it waited for another one. Such a write begins again.
 */
function isUnprepared<Result>(
  { prepare }: Write<Result>,
  { stored, isStale }: { stored: StoredWrite; isStale: boolean },
): boolean {
  if (prepare === undefined || stored.progress !== '') return false
  return isStale || stored.attempt !== stored.holder
}

/**
 * Stores an intent, or takes over an open one, and returns what is stored. A store takes over only equal inputs, so an input
 * that was hashed with another key is passed as it is.
 */
async function begin(intent: WriteIntent, { store }: WriteTools): Promise<StoredWrite> {
  const { id, operation, input } = intent
  const stored = await useStore(id, () => store.begin(intent))
  if (stored.operation !== operation || areDifferent(stored.input, input)) throw differs(id)
  if (stored.input === input || stored.state !== 'pending') return stored
  return useStore(id, () => store.begin({ ...intent, input: stored.input }))
}

async function readKey(id: string, { readKey }: WriteTools): Promise<string> {
  try {
    return await readKey()
  } catch (cause) {
    const message =
      'The API key could not be read, so this call sent nothing. See the cause, and call again.'
    throw new DurableError('not_sent', message, { id, cause })
  }
}

interface Prepared {
  progress: string
  /** Why the write cannot be sent now. */
  failure?: unknown
}

/** A write that has an outcome needs no preparation, so a failure of the preparation does not matter. */
async function prepare<Result>(
  { id, prepare }: Write<Result>,
  { store }: WriteTools,
): Promise<Prepared> {
  try {
    return { progress: (await prepare?.()) ?? '' }
  } catch (failure) {
    const stored = await useStore(id, () => store.read(id))
    if (!stored || stored.state === 'cleared') throw failure
    return { progress: '', failure }
  }
}

async function runHeld<Result>(
  write: Write<Result>,
  { stored, failure }: { stored: StoredWrite; failure: unknown },
  tools: WriteTools,
): Promise<Result> {
  const held = new HeldWrite(stored, tools)
  try {
    const run = held.isFirst
      ? failure
        ? Promise.reject(failure)
        : write.send(held)
      : write.recover(held)
    const end = await run.catch((error: unknown) => toFailure(error, held))
    if (end.state !== 'failed') return await storeEnd(write, { stored, end }, tools)
    await release(held, end.hadNoEffect, tools)
    throw end.error
  } finally {
    held.stop()
  }
}

/** Even if this call had no effect, an earlier one may have had one. */
function toFailure(error: unknown, { isFirst, write }: HeldWrite): RunEnd<never> {
  const hadNone = hadNoEffect(error)
  return {
    state: 'failed',
    error: hadNone && !isFirst ? pending(write, error) : error,
    hadNoEffect: hadNone,
  }
}

/** Stores how a run ended and returns its result, or the result that another run has already stored. */
async function storeEnd<Result>(
  write: Write<Result>,
  { stored, end }: { stored: StoredWrite; end: Exclude<RunEnd<Result>, { state: 'failed' }> },
  tools: WriteTools,
): Promise<Result> {
  const { id, attempt, holder } = stored
  const base = { id, attempt, now: endOf(stored, tools) }
  if (end.state === 'done') {
    const { result } = end
    const outcome = toJson(result) ?? 'null'
    // A run that knows the outcome stores it, also after another run took over.
    const isStored = await storeWithRetries({ ...base, state: 'done', outcome }, result, tools)
    return isStored ? result : outcomeOfOther(write, { stored, result }, tools)
  }
  const { cause, result, isFinal = true } = end
  const state = isFinal ? 'unresolved' : 'pending'
  const outcome = isFinal ? toJson({ cause: describeCause(cause), result }) : ''
  const isStored = await storeWithRetries({ ...base, state, outcome, holder }, undefined, tools)
  const now = await tools.store.read(id).catch(() => undefined)
  if (now?.state === 'done') return resultOf(now)
  const isTakenOver = !isStored && now?.state === 'pending' && now.attempt === attempt
  if (!isTakenOver || !isFinal) return endUnresolved(write, { cause, result })
  // What is not stored would not be listed: the run that took over decides.
  if (write.options.whenBusy === 'throw') throw takenOver(id)
  return runWrite(write, tools)
}

/** Another run ended the write before this one. */
async function outcomeOfOther<Result>(
  { id }: Write<Result>,
  { stored, result }: { stored: StoredWrite; result: Result },
  { store }: WriteTools,
): Promise<Result> {
  const now = await store.read(id).catch(() => undefined)
  if (!now) return result
  if (now.attempt === stored.attempt) return resultOf(now)
  throw new DurableError(
    'took_effect',
    'The write took effect although resolve() had recorded that it had no effect, and the id was used again. It may have taken effect twice: a person must check it.',
    { id, result },
  )
}

/**
 * Ends a run that failed. If it began the attempt and nothing happened, the id may be used again. Otherwise a later run
 * continues. If the store fails here, nothing changes: the hold expires by itself.
 */
async function release(held: HeldWrite, hadNoEffect: boolean, tools: WriteTools): Promise<void> {
  const { id, attempt, holder } = held.write
  const state = held.isFirst && hadNoEffect ? 'cleared' : 'pending'
  const end = { id, attempt, holder, state, outcome: '', now: endOf(held.write, tools) } as const
  await tools.store.end(end).catch(() => {})
}

/** Returns the time at which a run ends. A clock that fails must not lose its outcome. */
function endOf({ startedAt }: StoredWrite, { clock }: WriteTools): number {
  try {
    return clock.now()
  } catch {
    return startedAt
  }
}

/** Whether an error proves that a call had no effect. */
export function hadNoEffect(error: unknown): boolean {
  if (error instanceof DurableError) return error.code === 'not_sent'
  return error instanceof ServiceError && ['not-sent', 'rejected'].includes(error.outcome)
}

/** The waits between the attempts to store an outcome, in milliseconds. */
const storeRetries = [100, 1_000, 5_000]

async function storeWithRetries(
  end: WriteEnd,
  result: unknown,
  { store, clock }: WriteTools,
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await store.end(end)
    } catch (cause) {
      const wait = storeRetries[attempt]
      if (wait !== undefined) {
        await clock.sleep(wait)
        continue
      }
      throw new DurableError(
        'store_failed',
        'The write was sent, but the store could not save its outcome. Call again with the same id, which continues safely.',
        { id: end.id, cause: storeCause(cause), result },
      )
    }
  }
}

/**
 * Uses the store when nothing has been sent.
 *
 * @throws {DurableError} `store_failed`
 */
export async function useStore<T>(id: string | undefined, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (cause) {
    throw new DurableError(
      'store_failed',
      'The store for durable writes cannot be used, so this call sent nothing. See the cause.',
      { ...(id === undefined ? {} : { id }), cause: storeCause(cause) },
    )
  }
}

/** Returns the class and code of a driver's error, whose message and fields may quote the statement's values. */
function storeCause(cause: unknown): unknown {
  if (cause instanceof StoreError) return cause
  const safe = safeCause(cause)
  const code = databaseCodeOf(cause)
  if (code === undefined) return safe
  safe.message = `${safe.message.split(' ', 1)} ${code}`
  return Object.assign(safe, { code })
}

const redisCodes =
  /^(?:OOM|READONLY|MOVED|ASK|BUSY|LOADING|NOAUTH|NOPERM|WRONGTYPE|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|CROSSSLOT|NOREPLICAS|MISCONF|EXECABORT|NOSCRIPT|ERR)(?= )/

/** Returns the SQLSTATE of a Postgres error, or the code at the start of a Redis error. */
function databaseCodeOf(error: unknown): string | undefined {
  const message = readField(error, 'message')
  return (
    sqlStateOf(error) ?? (typeof message === 'string' ? redisCodes.exec(message)?.[0] : undefined)
  )
}

/** Returns an error whose stack starts where the method was called. */
function atCaller<E>(error: E, { options }: Pick<Write<never>, 'options'>): E {
  if (!(error instanceof DurableError || error instanceof ServiceError)) return error
  const stack = stackOf(error, callSiteOf(options))
  if (stack !== undefined) error.stack = stack
  return error
}

/** What is known about an unresolved write. */
interface Unresolved<Result> {
  cause?: unknown
  /** The result of an import that is only partly unresolved. */
  result?: Result | undefined
}

function endUnresolved<Result>(
  write: Write<Result>,
  { cause, result }: Unresolved<Result>,
): Result {
  if (result !== undefined) return result
  const error = atCaller(unresolvedError(write.operation, write.id, cause), write)
  if (write.unresolved) return write.unresolved(error)
  throw error
}

function resultOf<Result>({ outcome }: StoredWrite): Result {
  // The store returns what a run with the same operation stored.
  return JSON.parse(outcome)
}

/** What is stored about an error: never a body, because it may contain health data. */
function describeCause(cause: unknown): object | undefined {
  if (cause instanceof ServiceError) return cause.toJSON()
  return cause instanceof Error ? { name: cause.name } : undefined
}

/** Returns what is stored about an unresolved write. */
export function parseUnresolved<Result>({ outcome }: StoredWrite): Unresolved<Result> {
  return outcome === '' ? {} : JSON.parse(outcome)
}

function differs(id: string): DurableError {
  return new DurableError(
    'input_differs',
    'The id was already used for another operation or input. Nothing was sent. Use the id with its first input, or a new id for a new write.',
    { id },
  )
}

/** Returns the error for a write that another process took over from this one. */
export function takenOver(id: string): DurableError {
  const message = 'Another process took over this write. Call again for its result.'
  return new DurableError('busy', message, { id })
}

function busy(id: string): DurableError {
  return new DurableError(
    'busy',
    'Another process is working on this id. This call sent nothing. Call again later for the outcome.',
    { id },
  )
}

function pending({ id, operation }: StoredWrite, cause: unknown): DurableError {
  const message = `This call of ${operation} failed (see the cause), but an earlier call with the id may have taken effect. Call again with the same input.`
  return new DurableError('pending', message, { id, cause })
}
