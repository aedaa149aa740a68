import type { Issue } from '../contract/schema/check.ts'
import { RequestValidationError } from './errors.ts'
import { observe } from './observer.ts'
import { atLeastOne, callback, optionIssues, sourceIssues } from './option-rules.ts'
import type { RequestOptions } from './options.ts'
import { abortable } from './transport/cancellation.ts'

/** The result of one user, or the error in its place. */
export type UserAnswer<Result> =
  | { userId: string; result: Result; error?: undefined }
  | { userId: string; error: unknown; result?: undefined }

/** How many users have been answered so far. */
export interface QueryEachProgress {
  succeeded: number
  failed: number
}

/** Options of `aggregate.queryEach`, besides those of every call. */
export interface QueryEachOptions<Format extends 'json' | 'parquet' = 'json' | 'parquet'>
  extends RequestOptions {
  /** Users asked at a time, at least 1; as many answers are held at most. Default: 4. */
  concurrency?: number | undefined
  /** `json` results in tables, `parquet` in archives. Default: `json`. */
  format?: Format | undefined
  /** Told after every user. What it throws is ignored. */
  onProgress?: ((progress: QueryEachProgress) => void) | undefined
}

/** How the users are asked. */
interface Asking<Result> {
  ask: (userId: string, signal: AbortSignal) => PromiseLike<Result>
  /** Frees what a result holds that nobody gets. */
  discard: (result: Result) => Promise<void>
  concurrency?: number | undefined
  onProgress?: QueryEachOptions['onProgress']
  signal?: AbortSignal | undefined
}

export type UserIds = Iterable<string> | AsyncIterable<string>

const optionRules = {
  concurrency: atLeastOne,
  format: {
    isValid: (value: unknown) => value === 'json' || value === 'parquet',
    expected: "'json' or 'parquet'",
  },
  onProgress: callback,
}

/** The issues of what `queryEach` is given, besides those of its request. */
export function issuesOfEach(userIds: UserIds, options: QueryEachOptions | undefined): Issue[] {
  return [...sourceIssues('userIds', userIds, 'user ids'), ...optionIssues(options, optionRules)]
}

/**
 * Asks for every user, a bounded number of them at a time, and yields each answer as it comes; it reads ahead no further
 * than that. When the consumer stops or the signal aborts, what is under way is aborted and awaited.
 */
export async function* askEach<Result>(
  userIds: UserIds,
  { ask, discard, concurrency = 4, onProgress, signal }: Asking<Result>,
): AsyncGenerator<UserAnswer<Result>> {
  const users = new Reader(userIds)
  const underWay = new Map<AbortController, Promise<Ended<Result>>>()
  const progress: QueryEachProgress = { succeeded: 0, failed: 0 }
  try {
    for (;;) {
      const events: Promise<Ended<Result> | Read>[] = [...underWay.values()]
      if (underWay.size < concurrency && !users.isExhausted) events.push(users.next())
      if (events.length === 0) break
      const event = await unlessAborted(Promise.race(events), signal)
      if ('userId' in event) {
        users.take()
        if (event.userId !== undefined) start(underWay, event.userId, ask, signal)
        continue
      }
      underWay.delete(event.controller)
      const { answer } = event
      if ('error' in answer && concernsAll(answer.error)) throw answer.error
      progress['error' in answer ? 'failed' : 'succeeded'] += 1
      observe(() => onProgress?.({ ...progress }))
      yield answer
    }
    users.throwIfFailed()
  } finally {
    await Promise.all([...underWay].map((request) => giveUp(...request, discard)))
    await users.leave()
  }
}

/** A request that has an answer. */
interface Ended<Result> {
  controller: AbortController
  answer: UserAnswer<Result>
}

/** Each request has a signal of its own, for what was yielded must outlive the walk. */
function start<Result>(
  underWay: Map<AbortController, Promise<Ended<Result>>>,
  userId: string,
  ask: Asking<Result>['ask'],
  signal: AbortSignal | undefined,
): void {
  const controller = new AbortController()
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  const ended = async (): Promise<Ended<Result>> => {
    try {
      return { controller, answer: { userId, result: await ask(userId, both) } }
    } catch (error) {
      return { controller, answer: { userId, error } }
    }
  }
  underWay.set(controller, ended())
}

async function giveUp<Result>(
  controller: AbortController,
  ended: Promise<Ended<Result>>,
  discard: Asking<Result>['discard'],
): Promise<void> {
  controller.abort()
  const { answer } = await ended
  if (!('error' in answer)) await discard(answer.result).catch(() => {})
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const result = await (signal ? abortable(work, signal) : work)
  signal?.throwIfAborted()
  return result
}

/** Whether an error is no matter of its user: the next one would meet it too, before anything is sent. */
function concernsAll(error: unknown): boolean {
  return (
    error instanceof RequestValidationError && error.issues.some(({ path }) => path !== 'user_id')
  )
}

/** One user of the source, or its end. */
interface Read {
  userId: string | undefined
}

/** Reads users one at a time. The source's error is kept until what is under way has come. */
class Reader {
  readonly #source: Iterator<string> | AsyncIterator<string>
  #reading: Promise<Read> | undefined
  #isReading = false
  #failure: { error: unknown } | undefined
  isExhausted = false

  constructor(userIds: UserIds) {
    this.#source =
      Symbol.asyncIterator in userIds ? userIds[Symbol.asyncIterator]() : userIds[Symbol.iterator]()
  }

  /** The next user; the same promise until it is taken. */
  next(): Promise<Read> {
    this.#reading ??= this.#read()
    return this.#reading
  }

  /** Lets the next call of `next` read on. */
  take(): void {
    this.#reading = undefined
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** Lets the source clean up. One that still waits for a user cannot before it has it, so it is not waited for. */
  async leave(): Promise<void> {
    if (this.isExhausted) return
    const left = Promise.resolve(this.#source.return?.())
    if (this.#isReading) left.catch(() => {})
    else await left
  }

  async #read(): Promise<Read> {
    this.#isReading = true
    try {
      const { done, value } = await this.#source.next()
      this.isExhausted = done === true
      return { userId: done ? undefined : value }
    } catch (error) {
      this.isExhausted = true
      this.#failure = { error }
      return { userId: undefined }
    } finally {
      this.#isReading = false
    }
  }
}
