import type { Clock } from '../client/clock.ts'
import { callSiteOf } from '../client/errors/call-site.ts'
import { TimeoutError } from '../client/errors/connection-errors.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import { stackOf } from '../shared/stack.ts'
import { DurableError } from './durable-error.ts'
import type { HeldWrite } from './held-write.ts'
import type { DurableSettings, WriteOptions } from './options.ts'

/** How a run of a write ended. A thrown error is treated as `failed`. */
export type RunEnd<Result> =
  | { state: 'done'; result: Result }
  /**
   * The outcome, or part of it, cannot be determined. `isFinal` is false if a later call may still find the outcome.
   */
  | { state: 'unresolved'; cause?: unknown; result?: Result; isFinal?: boolean }
  | { state: 'failed'; error: unknown; hadNoEffect: boolean }

/**
 * Returns the milliseconds until the call's deadline, or undefined if the deadline is missing or invalid.
 *
 * @throws {TimeoutError} with the outcome `not-sent`, if the deadline has passed.
 */
export type TimeLeft = () => number | undefined

export interface Write<Result> {
  id: string
  operation: string
  /** The input, which must be the same in every call with the same id. */
  input: unknown
  options: WriteOptions & { signal?: AbortSignal | undefined }
  /** The time limit for the whole call, in milliseconds. Default: none. */
  deadline?: number | undefined
  /** Returns the progress to store before sending, as JSON. Sends only read-only requests. */
  prepare?: (left: TimeLeft) => Promise<string>
  send(held: HeldWrite, left: TimeLeft): Promise<RunEnd<Result>>
  /** Continues a write that may have been sent, in a way that is safe for the operation. */
  recover(held: HeldWrite, left: TimeLeft): Promise<RunEnd<Result>>
  /** Whether only the first run sends the write. If so, a rejection proves that the write had no effect. */
  isSentOnce?: boolean
  /** Returns the result for an unresolved write. Default: throws the error. */
  unresolved?: (error: DurableError) => Result
}

export interface StartedWrite<Result> extends Write<Result> {
  left: TimeLeft
}

export interface WriteTools extends Omit<DurableSettings, 'key'> {
  clock: Clock
  /** The client's `deadline` option, in milliseconds. */
  deadline: number | undefined
  readKey(): Promise<string>
}

/** Makes an error's stack start where the method was called. */
export function atCaller<E>(error: E, { options }: Pick<Write<never>, 'options'>): E {
  if (!(error instanceof DurableError || error instanceof ServiceError)) return error
  const stack = stackOf(error, callSiteOf(options))
  if (stack !== undefined) error.stack = stack
  return error
}

export function startTimeLimit(
  { operation, deadline }: Pick<Write<never>, 'operation' | 'deadline'>,
  clock: Clock,
): TimeLeft {
  // The client rejects an invalid deadline.
  if (deadline === undefined || !Number.isInteger(deadline) || deadline < 1) return () => undefined
  const end = clock.monotonic() + deadline
  return () => {
    const left = Math.ceil(end - clock.monotonic())
    if (left > 0) return left
    const facts = { operation, route: '', outcome: 'not-sent', attempts: [] } as const
    throw new TimeoutError(`deadline (${deadline} ms)`, facts)
  }
}
