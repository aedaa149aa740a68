import type { SummaryResource } from '../contract/values/known-values.ts'
import type { SqlTransaction } from '../stores/database.ts'
import {
  checkRange,
  checkRead,
  dayOf,
  forEachUser,
  type ReadOptions,
  type ReadRun,
  type ReadStep,
  rangesOf,
  readRecords,
} from './read-records.ts'
import type { SyncSettings } from './settings.ts'
import { isKept, lockKindFor, lockStatement, storeRows } from './store-rows.ts'

/** Options for `sync.backfill`. */
export interface BackfillOptions extends ReadOptions {
  /** The first day, `YYYY-MM-DD`. */
  from: string
  /** The last day, `YYYY-MM-DD`. Default: tomorrow in UTC, to include users east of UTC. */
  to?: string | undefined
  /**
   * The backfill's name. A call with the same `from` and the same name, or without one each time, continues where the
   * last call stopped. Any other call starts over. Default: none.
   */
  id?: string | undefined
  /** Called after each request and each user. */
  onProgress?: ((progress: BackfillProgress) => void) | undefined
}

/** The progress of a backfill. */
export interface BackfillProgress {
  /** The number of users processed so far. */
  users: number
  /** The number of requests in this run. */
  requests: number
  /** The number of valid records read in this run. */
  records: number
}

/** The result of a backfill. */
export interface BackfillReport extends BackfillProgress {
  /** The number of requests that received a 404, by resource. The next run retries these requests. */
  notFound: Partial<Record<SummaryResource, number>>
  /** The number of records not stored because they have no valid id. */
  skipped: number
}

/** Runs a backfill. Stores each response and the new position in one transaction. */
export async function backfill(run: ReadRun<BackfillOptions>): Promise<BackfillReport> {
  const { options } = run
  const { resources, concurrency } = checkRead(options)
  const { first, last } = checkRange(run.client.clock.now(), options.from, options.to)
  const report: BackfillReport = { users: 0, requests: 0, records: 0, notFound: {}, skipped: 0 }
  const id = options.id === undefined ? first : `${options.id} from ${first}`
  await forEachUser(options, concurrency, async (user_id) => {
    const done = await readPositions(run.settings, id, user_id)
    for (const resource of resources) {
      const place = { id, user_id, resource }
      const until = done.get(resource)
      if (resource === 'profile') {
        if (until === undefined) await readRange(run, report, { ...place, range: { first, last } })
        continue
      }
      const start = until ? dayOf(Date.parse(until), 1) : first
      for (const range of rangesOf({ first: start > first ? start : first, last })) {
        const isFound = await readRange(run, report, { ...place, range })
        // Stop here, because a later position would hide this range from the next run.
        if (!isFound) break
      }
    }
    report.users += 1
    options.onProgress?.({ ...report })
  })
  return report
}

interface Step extends ReadStep {
  id: string
}

/** Reads and stores a range of days. Returns false after a 404. */
async function readRange(
  run: ReadRun<BackfillOptions>,
  report: BackfillReport,
  step: Step,
): Promise<boolean> {
  const { settings, counts, options } = run
  const { database, schema } = settings
  const { user_id, resource } = step
  // Use the time before the read, because a day that ends during the read may not have been read completely.
  const now = run.client.clock.now()
  const batch = await readRecords(run, step)
  if (!batch) report.notFound[resource] = (report.notFound[resource] ?? 0) + 1
  else {
    await database.transaction(async (tx) => {
      await tx.query(lockStatement(schema, lockKindFor(batch.rows.length)), [user_id])
      await storeRows(tx, schema, batch)
      await savePosition(tx, schema, { ...step, first: options.from, now })
    })
  }
  const records = batch?.rows.length ?? 0
  report.requests += 1
  report.records += records
  report.skipped += batch?.skipped ?? 0
  counts.rows += records
  options.onProgress?.({ users: report.users, requests: report.requests, records: report.records })
  return batch !== undefined
}

async function readPositions(
  { database, schema }: SyncSettings,
  id: string,
  user_id: string,
): Promise<Map<string, string>> {
  const { rows } = await database.query(
    `select resource, coalesce(to_char(done_until, 'YYYY-MM-DD'), '') as until from ${schema}.backfills
where id = $1::text and user_id = $2::text::uuid`,
    [id, user_id],
  )
  return new Map(rows.map((row) => [String(row['resource']), String(row['until'])]))
}

async function savePosition(
  tx: SqlTransaction,
  schema: string,
  { id, user_id, resource, range, first, now }: Step & { first: string; now: number },
): Promise<void> {
  // The latest days are not complete yet, so a later run reads them again.
  const complete = dayOf(now, -2)
  const until = resource === 'profile' ? null : range.last < complete ? range.last : complete
  const before = dayOf(Date.parse(range.first), -1)
  const isFirst = Date.parse(range.first) <= Date.parse(first)
  // If the position before this range is missing, it was deleted during this backfill, and the earlier days must be
  // read again.
  const needed = isFirst || until === null ? null : until < before ? until : before
  await tx.query(
    `insert into ${schema}.backfills as known (id, user_id, resource, done_until)
select $1::text, $2::text::uuid, $3::text, $4::text::date
where ${isKept(schema, '$2')} and ($5::text is null or exists (
  select from ${schema}.backfills
  where (id, user_id, resource) = ($1::text, $2::text::uuid, $3::text) and done_until >= $5::text::date
))
on conflict (id, user_id, resource) do update set done_until = greatest(known.done_until, excluded.done_until)`,
    [id, user_id, resource, until, needed],
  )
}
