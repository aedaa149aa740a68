/** Reads a Parquet response as an Arrow table: `npm run example examples/parquet-to-arrow.ts`. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tableFromIPC } from 'apache-arrow'
import { dateTrunc, max, mean, past, query, ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { initSync, readParquet } from 'parquet-wasm/esm'
import { check, fact, part, printSummary } from './support/terminal.ts'

const team = createMock({ seed: 42, now: '2025-06-01T09:00:00Z' }).team()
const client = new ServiceClient(team.connection())
const { user_id } = team.users.create()
const wasm = createRequire(import.meta.url).resolve('parquet-wasm/esm/parquet_wasm_bg.wasm')
initSync({ module: await readFile(wasm) })

const archive = await client.aggregate.queryParquet(user_id, {
  timeframe: past(7, 'day', '2025-06-01'),
  queries: [
    query(mean('heartrate', 'value'), max('heartrate', 'value')).groupBy(
      dateTrunc('heartrate', 1, 'hour'),
    ),
  ],
})

part('Hourly heart rate as an Arrow table')
for await (const file of archive.files()) {
  const arrow = tableFromIPC(readParquet(await file.bytes()).intoIPCStream())
  for (const { name, type } of arrow.schema.fields) fact(name, String(type))
  fact('rows', arrow.numRows)
  check('more than 140 of the 168 hours have a row', arrow.numRows > 140)
  check(
    'no maximum is less than its mean',
    arrow.toArray().every((row) => row.max >= row.mean),
  )
}
printSummary()
