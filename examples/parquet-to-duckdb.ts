/** Saves a Parquet response and queries its files with DuckDB: `npm run example examples/parquet-to-duckdb.ts`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { dateTrunc, mean, past, query, ServiceClient, sum } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { check, fact, part, printSummary, table } from './support/terminal.ts'

const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
const client = new ServiceClient(team.connection())
const { user_id } = team.users.create()
const folder = await mkdtemp(join(tmpdir(), 'health-lab-'))

part('Two queries saved as Parquet')
const archive = await client.aggregate.queryParquet(user_id, {
  timeframe: past(8, 'week', '2025-06-01'),
  queries: [
    query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 1, 'week')),
    query(sum('activity', 'steps')).groupBy(dateTrunc('activity', 1, 'week')),
  ],
})
for await (const file of archive.files()) {
  await file.save(join(folder, file.name))
  fact(file.name, `${file.size} bytes`)
}

part('Joined by DuckDB')
const database = await DuckDBInstance.create(':memory:')
const connection = await database.connect()
const result = await connection.runAndReadAll(`
  SELECT strftime(sleep.index, '%Y-%m-%d') AS week, round(sleep.mean, 1)::VARCHAR AS score, activity.sum::INTEGER::VARCHAR AS steps
  FROM '${join(folder, '0.parquet')}' AS sleep
  JOIN '${join(folder, '1.parquet')}' AS activity USING (index)
  ORDER BY week`)
const weeks = result.getRows().map((row) => row.map(String))
table(['week of', 'score', 'steps'], weeks)
check('both queries have rows for at least eight weeks', weeks.length >= 8)
connection.closeSync()
await rm(folder, { recursive: true })
printSummary()
