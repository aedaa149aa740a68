import type { SummaryResource } from '../contract/values/known-values.ts'
import { tableOf } from '../shared/narrow.ts'
import type { SqlTransaction } from '../stores/database.ts'
import { SyncError } from './database-errors.ts'
import { partsOf } from './parts.ts'
import {
  checkRange,
  checkRead,
  type DayRange,
  dayOf,
  forEachUser,
  type ReadOptions,
  type ReadRun,
  type ReadStep,
  rangesOf,
  readRecords,
} from './read-records.ts'
import { columnNames, versionColumns } from './schema/table-columns.ts'
import {
  isWanted,
  lockKindFor,
  lockStatement,
  newestRows,
  type ReadBatch,
  storeRows,
} from './store-rows.ts'
import { toJsonb } from './values.ts'

/** Options for `sync.verify`. */
export interface VerifyDataOptions extends ReadOptions {
  /** How many days before today the comparison starts, from 0 to 36,525. Default: 7. */
  days?: number | undefined
  /** The first day, `YYYY-MM-DD`. Overrides `days`. */
  from?: string | undefined
  /** The last day, `YYYY-MM-DD`. Default: tomorrow in UTC, to include users east of UTC. */
  to?: string | undefined
  /** Whether to store the service's version of records that are missing, stale or different. Default: true. */
  repair?: boolean | undefined
  /** Called after each request and each user. */
  onProgress?: ((progress: VerifyProgress) => void) | undefined
}

/** The progress of a verification. */
export interface VerifyProgress {
  /** The number of users processed so far. */
  users: number
  /** The number of requests so far. */
  requests: number
}

/** The findings for a resource's records. */
export interface VerifyCounts {
  /** The number of valid records in the service. */
  records: number
  /** The number of records missing from the database. */
  missing: number
  /** The number of stored records that are outdated. */
  stale: number
  /**
   * The number of stored records that differ but are not outdated. A stored record that is newer than the service's is
   * not repaired.
   */
  different: number
  /** The number of stored records that are missing from the service. They are not deleted. */
  extra: number
  /** The number of missing, stale and different records that are now correct. */
  repaired: number
  /** The number of records not stored because they have no valid id. */
  skipped: number
}

/** The result of a verification. */
export interface VerifyReport extends VerifyProgress {
  /** The findings, by resource. */
  resources: Partial<Record<SummaryResource, VerifyCounts>>
  /** The number of requests that received a 404, by resource. */
  notFound: Partial<Record<SummaryResource, number>>
  /**
   * Whether the stored records match the service's, after any repairs. Extra records are ignored. False if a record was
   * skipped or a request received a 404, except for a missing profile.
   */
  isComplete: boolean
  /** The findings as a human-readable table. */
  table: string
}

export async function verify(run: ReadRun<VerifyDataOptions>): Promise<VerifyReport> {
  const { options } = run
  const { resources, concurrency } = checkRead(options)
  const range = daysOf(run)
  const progress = { users: 0, requests: 0 }
  const found: VerifyReport['resources'] = {}
  const notFound: VerifyReport['notFound'] = {}
  await forEachUser(options, concurrency, async (user_id) => {
    for (const resource of resources) {
      const ranges = resource === 'profile' ? [range] : rangesOf(range)
      for (const each of ranges) {
        const counts = await verifyRange(run, { user_id, resource, range: each })
        if (counts) found[resource] = added(found[resource], counts)
        else notFound[resource] = (notFound[resource] ?? 0) + 1
        progress.requests += 1
        options.onProgress?.({ ...progress })
      }
    }
    progress.users += 1
    options.onProgress?.({ ...progress })
  })
  const isRight = Object.values(found).every(
    ({ missing, stale, different, repaired, skipped }) =>
      missing + stale + different === repaired && skipped === 0,
  )
  const isComplete = isRight && Object.keys(notFound).every((name) => name === 'profile')
  return { ...progress, resources: found, notFound, isComplete, table: formatCounts(found) }
}

/** 100 years. */
const mostDays = 36_525

function daysOf({ client, options }: ReadRun<VerifyDataOptions>): DayRange {
  const { days = 7, from, to } = options
  if (!Number.isSafeInteger(days) || days < 0 || days > mostDays) {
    const expected = `Expected days to be a whole number from 0 to ${mostDays}.`
    throw new SyncError('argument_invalid', expected)
  }
  const now = client.clock.now()
  return checkRange(now, from ?? dayOf(now, -days), to)
}

async function verifyRange(
  run: ReadRun<VerifyDataOptions>,
  step: ReadStep,
): Promise<VerifyCounts | undefined> {
  const { settings, counts, options } = run
  const { database, schema } = settings
  const batch = await readRecords(run, step)
  if (!batch) return undefined
  return database.transaction(async (tx) => {
    await tx.query(lockStatement(schema, lockKindFor(batch.rows.length)), [step.user_id])
    const found = await compare(tx, schema, batch)
    const extra = step.resource === 'profile' ? 0 : await countExtra(tx, schema, batch, step.range)
    const faults = found.missing + found.stale + found.different
    const { rows, skipped } = batch
    const result = { records: rows.length, ...found, extra, repaired: 0, skipped }
    if (faults === 0 || options.repair === false) return result
    await storeRows(tx, schema, batch)
    const left = await compare(tx, schema, batch)
    const repaired = faults - (left.missing + left.stale + left.different)
    counts.rows += repaired
    return { ...result, repaired }
  })
}

/**
 * Counts missing, stale and different rows. Ignores stored rows that are newer because they were sent after the
 * request.
 */
async function compare(tx: SqlTransaction, schema: string, { table, user_id, rows }: ReadBatch) {
  const values = columnNames(table).filter((name) => !versionColumns.some((one) => one === name))
  const row = (of: string) => `(${values.map((name) => `${of}."${name}"`).join(', ')})`
  const key = table.key.map((name) => `stored."${name}" = given."${name}"`).join(' and ')
  const text = `select
  count(*) filter (where stored.sync_version is null)::int as missing,
  count(*) filter (where stored.sync_version < given.sync_version)::int as stale,
  count(*) filter (
    where (
      (stored.sync_version > given.sync_version and stored.sync_sent_at < given.sync_sent_at)
      or (
        stored.sync_version = given.sync_version
        and (stored.sync_rank, stored.sync_sent_at) <= (given.sync_rank, given.sync_sent_at)
      )
    ) and ${row('stored')} is distinct from ${row('given')}
  )::int as different
from ${newestRows(table)}
left join ${schema}.${table.name} stored on ${key}
where ${isWanted(schema)}`
  const found = { missing: 0, stale: 0, different: 0 }
  for await (const part of partsOf(rows)) {
    const { rows: counts } = await tx.query(text, [toJsonb(part), user_id])
    found.missing += Number(counts[0]?.['missing'])
    found.stale += Number(counts[0]?.['stale'])
    found.different += Number(counts[0]?.['different'])
  }
  return found
}

async function countExtra(
  tx: SqlTransaction,
  schema: string,
  { table, user_id, rows }: ReadBatch,
  { first, last }: DayRange,
): Promise<number> {
  const { rows: found } = await tx.query(
    `select count(*)::int as count from ${schema}.${table.name} stored
where user_id = $2::text::uuid and calendar_date between $3::text::date and $4::text::date
  and not exists (select from json_array_elements_text($1::text::json) as given (id) where given.id = stored.id)`,
    [toJsonb(rows.map(({ id }) => id)), user_id, first, last],
  )
  return Number(found[0]?.['count'])
}

function added(one: VerifyCounts | undefined, other: VerifyCounts): VerifyCounts {
  return one ? tableOf(columns, (column) => one[column] + other[column]) : other
}

const columns = [
  'records',
  'missing',
  'stale',
  'different',
  'extra',
  'repaired',
  'skipped',
] as const satisfies (keyof VerifyCounts)[]

function formatCounts(found: VerifyReport['resources']): string {
  const rows = Object.entries(found).map(([name, counts]) => [
    name,
    ...columns.map((column) => String(counts[column])),
  ])
  return [['resource', ...columns], ...rows]
    .map(([name = '', ...cells]) =>
      [name.padEnd(10), ...cells.map((cell) => cell.padStart(9))].join(' '),
    )
    .join('\n')
}
