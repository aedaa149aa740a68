/** Loads Parquet responses for ten users into one DuckDB table: `npm run example examples/users-to-duckdb.ts`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { dateTrunc, mean, past, query, ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { check, part, printSummary, table } from './support/terminal.ts'

const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
const client = new ServiceClient(team.connection())
const userIds = Array.from({ length: 10 }, () => team.users.create().user_id)
const folder = await mkdtemp(join(tmpdir(), 'health-lab-'))

const request = {
  timeframe: past(30, 'day', '2025-06-01'),
  queries: [
    query(mean('sleep', 'score'), mean('sleep', 'heart_rate_resting')).groupBy(
      dateTrunc('sleep', 1, 'day'),
    ),
  ],
} as const

const responses = client.aggregate.queryEach(userIds, request, {
  format: 'parquet',
  concurrency: 2,
})
for await (const { userId, result, error } of responses) {
  if (!result) throw error
  for await (const file of result.files()) await file.save(join(folder, `${userId}.parquet`))
}

part('Sleep of ten users by weekday')
const database = await DuckDBInstance.create(':memory:')
const connection = await database.connect()
await connection.run(`
  CREATE TABLE nights AS
  SELECT parse_filename(filename, true) AS user_id, index AS night, mean AS score, "mean.heart_rate_resting" AS resting
  FROM read_parquet('${join(folder, '*.parquet')}', filename = true)`)
const nights = await connection.runAndReadAll(`
  SELECT dayname(night), count(DISTINCT user_id)::VARCHAR, round(avg(score), 1)::VARCHAR, round(avg(resting), 1)::VARCHAR
  FROM nights GROUP BY dayname(night), dayofweek(night) ORDER BY dayofweek(night)`)
const weekdays = nights.getRows().map((row) => row.map(String))
table(['weekday', 'users', 'score', 'resting heart rate'], weekdays)
check('every weekday has a row', weekdays.length === 7)
check(
  'every weekday has nights of all ten users',
  weekdays.every(([, users]) => users === '10'),
)
connection.closeSync()
await rm(folder, { recursive: true })
printSummary()
