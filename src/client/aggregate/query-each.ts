import { RequestValidationError } from '../errors/validation-errors.ts'
import { observe } from '../observe.ts'
import { abortable } from '../transport/cancellation.ts'
import type { QueryEachOptions, QueryEachProgress } from './query-each-options.ts'
import { type NextUser, type UserIds, UserSource } from './user-source.ts'

/** The result or error for one user. */
export type UserResult<Result> =
  | {
      /** The user's id, exactly as your iterable yielded it. */
      userId: string
      /** The result of the queries. */
      result: Result
      /** Absent if the queries succeeded. */
      error?: undefined
    }
  | {
      /** The user's id, exactly as your iterable yielded it. */
      userId: string
      /** The reason for the failure, usually a `ServiceError`. */
      error: unknown
      /** Absent if the queries failed. */
      result?: undefined
    }

interface QueryPlan<Result> extends Pick<QueryEachOptions, 'concurrency' | 'onProgress'> {
  send: (userId: string, signal: AbortSignal) => PromiseLike<Result>
  /** Disposes of a result that is not yielded. */
  discard?: (result: Result) => Promise<void>
  signal?: AbortSignal | undefined
}

interface EndedRequest<Result> {
  controller: AbortController
  result: UserResult<Result>
}

type RunningRequests<Result> = Map<AbortController, Promise<EndedRequest<Result>>>

/**
 * Sends the requests for all users, and reads the next user only when another request can start. Aborts the running
 * requests and waits for them to settle when the consumer stops or the signal is aborted.
 */
export async function* queryEachUser<Result>(
  userIds: UserIds,
  plan: QueryPlan<Result>,
): AsyncGenerator<UserResult<Result>> {
  const { concurrency = 4, onProgress, signal } = plan
  const users = new UserSource(userIds)
  const running: RunningRequests<Result> = new Map()
  const progress: QueryEachProgress = { succeeded: 0, failed: 0 }
  try {
    for (;;) {
      const events: Promise<EndedRequest<Result> | NextUser>[] = [...running.values()]
      if (running.size < concurrency && !users.isExhausted) events.push(users.peek())
      if (events.length === 0) break
      const event = await unlessAborted(Promise.race(events), signal)
      if (isNextUser(event)) {
        users.take()
        if (event.userId !== undefined) startRequest(running, event.userId, plan)
        continue
      }
      running.delete(event.controller)
      const { result } = event
      if (isFailed(result) && isSameForAllUsers(result.error)) throw result.error
      progress[isFailed(result) ? 'failed' : 'succeeded'] += 1
      observe(() => onProgress?.({ ...progress }))
      yield result
    }
    users.throwIfFailed()
  } finally {
    await Promise.all([...running].map((request) => cancelRequest(request, plan)))
    await users.close()
  }
}

function isNextUser(event: object): event is NextUser {
  return Object.hasOwn(event, 'userId')
}

function isFailed<Result>(
  result: UserResult<Result>,
): result is Extract<UserResult<Result>, { error: unknown }> {
  return Object.hasOwn(result, 'error')
}

/**
 * Starts a request with its own signal. When the loop ends, only requests without a yielded result are aborted, so a
 * yielded archive stays readable.
 */
function startRequest<Result>(
  running: RunningRequests<Result>,
  userId: string,
  { send, signal }: QueryPlan<Result>,
): void {
  const controller = new AbortController()
  const either = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  const request = async (): Promise<EndedRequest<Result>> => {
    try {
      return { controller, result: { userId, result: await send(userId, either) } }
    } catch (error) {
      return { controller, result: { userId, error } }
    }
  }
  running.set(controller, request())
}

async function cancelRequest<Result>(
  [controller, ended]: [AbortController, Promise<EndedRequest<Result>>],
  { discard }: QueryPlan<Result>,
): Promise<void> {
  controller.abort()
  const { result } = await ended
  if (!isFailed(result)) await discard?.(result.result).catch(() => {})
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const result = await (signal ? abortable(work, signal) : work)
  signal?.throwIfAborted()
  return result
}

/** Returns whether the error affects every user, because something other than the user id is invalid. */
function isSameForAllUsers(error: unknown): boolean {
  return (
    error instanceof RequestValidationError && error.issues.some(({ path }) => path !== 'user_id')
  )
}
