import type { ServiceClient } from '../client/client.ts'
import { NotFoundError } from '../client/errors/status-errors.ts'
import { abortable } from '../client/transport/cancellation.ts'
import { type SummaryResource, summaryResources } from '../contract/values/known-values.ts'
import { itemsOf } from '../events/parse.ts'
import { isObject, ownValue, present } from '../shared/narrow.ts'
import { SyncError } from './database-errors.ts'
import { partsOf } from './parts.ts'
import { type SyncRow, syncRowOf, tablesByResource } from './rows.ts'
import type { SyncSettings } from './settings.ts'
import type { SyncCounts } from './store-message.ts'
import type { ReadBatch } from './store-rows.ts'
import { isUuid, toDay } from './values.ts'

/** The users and resources that a backfill or verification reads. */
export interface ReadOptions {
  /** The users' ids, as a list or an iterable such as a database cursor. */
  users: Iterable<string> | AsyncIterable<string>
  /** The summary resources to read. Default: all. */
  resources?: readonly SummaryResource[] | undefined
  /** The number of users to process concurrently, from 1 to 1,000. Default: 4. */
  concurrency?: number | undefined
  /** Aborts the run, which then rejects with an `AbortError` or the signal's reason. */
  signal?: AbortSignal | undefined
}

/** A range of days, `YYYY-MM-DD`, inclusive at both ends. */
export interface DayRange {
  first: string
  last: string
}

/** A backfill or verification. */
export interface ReadRun<Options extends ReadOptions> {
  client: ServiceClient
  settings: SyncSettings
  counts: SyncCounts
  options: Options
}

export interface ReadStep {
  user_id: string
  resource: SummaryResource
  range: DayRange
}

/** Returns undefined after a 404. */
export async function readRecords(
  { client, options: { signal } }: ReadRun<ReadOptions>,
  { user_id, resource, range }: ReadStep,
): Promise<ReadBatch | undefined> {
  // Use real time, because `sentAt` is compared with the times of messages. Message times are in whole seconds. Without
  // the subtracted second, a message sent right after the request could seem older than the request.
  const sentAt = new Date(Date.now() - 1000).toISOString()
  const query = { start_date: range.first, end_date: range.last }
  const options = signal ? { signal } : {}
  let response: unknown
  try {
    response =
      resource === 'profile'
        ? await client.summaries.list(user_id, resource, {}, options)
        : await client.summaries.list(user_id, resource, query, options)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
  const table = present(tablesByResource[resource])
  // In the response, the list has the same name as the table. An unvalidated response may have a different form.
  const records =
    resource === 'profile'
      ? [response]
      : itemsOf(isObject(response) ? ownValue(response, table.name) : undefined)
  function* read(): Generator<SyncRow | undefined> {
    for (const record of records) {
      const origin = { user_id, resource, rank: 1, sentAt } as const
      yield isObject(record)
        ? syncRowOf(table, record, { ...origin, source: record['source'] })
        : undefined
    }
  }
  const rows: SyncRow[] = []
  for await (const part of partsOf(read())) rows.push(...part)
  return { table, user_id, rows, skipped: records.length - rows.length }
}

/** The number of days per request. */
const rangeDays = 30
const day = 86_400_000

export function rangesOf({ first, last }: DayRange): DayRange[] {
  const end = Date.parse(last)
  const count = Math.ceil((end - Date.parse(first) + day) / (rangeDays * day))
  return Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const start = Date.parse(first) + index * rangeDays * day
    return { first: dayOf(start), last: dayOf(Math.min(start + (rangeDays - 1) * day, end)) }
  })
}

export function dayOf(moment: number, days = 0): string {
  return new Date(moment + days * day).toISOString().slice(0, 10)
}

export function checkRange(now: number, from: string, to = dayOf(now, 1)): DayRange {
  const range = { first: checkDay('from', from), last: checkDay('to', to) }
  if (from <= to) return range
  throw new SyncError('argument_invalid', 'Expected the from day to be no later than the to day.')
}

function checkDay(name: string, value: string): string {
  if (toDay(value) !== undefined) return value
  throw new SyncError('argument_invalid', `Expected ${name} to be a day such as 2026-01-31.`)
}

/** The maximum concurrency. Each concurrent user needs memory and a connection. */
const mostConcurrent = 1000

export function checkRead({ resources = summaryResources, concurrency = 4 }: ReadOptions) {
  const unknown = resources.some((name) => !summaryResources.includes(name))
  if (
    unknown ||
    !Number.isSafeInteger(concurrency) ||
    concurrency < 1 ||
    concurrency > mostConcurrent
  ) {
    const names = summaryResources.join(', ')
    throw new SyncError(
      'argument_invalid',
      `Expected resources to contain only ${names}, and concurrency to be a whole number from 1 to ${mostConcurrent}.`,
    )
  }
  return { resources, concurrency }
}

/** Processes users concurrently. After an error, processes no further users, but waits for those in progress. */
export async function forEachUser(
  { users, signal }: ReadOptions,
  concurrency: number,
  run: (userId: string) => Promise<void>,
): Promise<void> {
  const iterator = iterate(users)
  const stopped = new AbortController()
  const throwIfStopped = () => {
    signal?.throwIfAborted()
    stopped.signal.throwIfAborted()
  }
  let waiting = 0
  /** Returns the next user. Does not wait for a slow source after an error or an abort. */
  const read = async () => {
    throwIfStopped()
    waiting += 1
    const next = iterator.next().finally(() => {
      waiting -= 1
    })
    return abortable(signal ? abortable(next, signal) : next, stopped.signal)
  }
  const work = async () => {
    for (let next = await read(); !next.done; next = await read()) {
      throwIfStopped()
      if (!isUuid(next.value)) {
        throw new SyncError('argument_invalid', 'Expected each user id to be a UUID.')
      }
      await run(next.value.toLowerCase())
    }
  }
  const stop = (error: unknown) => {
    stopped.abort(error)
    throw error
  }
  const results = await Promise.allSettled(
    Array.from({ length: concurrency }, () => work().catch(stop)),
  )
  const returned = iterator.return(undefined)
  // An async generator with a pending read cannot return until that read ends.
  if (waiting === 0) await returned
  else returned.catch(() => {})
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function* iterate(users: Iterable<string> | AsyncIterable<string>) {
  yield* users
}
