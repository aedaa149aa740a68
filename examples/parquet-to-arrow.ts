/** The Parquet answer, read as Arrow. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tableFromIPC } from 'apache-arrow'
import { initSync, readParquet } from 'parquet-wasm/esm'
import { createMock } from '../mock/index.ts'
import { dateTrunc, max, mean, past, query, ServiceClient } from '../src/index.ts'
import { check, close, fact, part } from './support/terminal.ts'

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
  check('there is a row for most hours of a week', arrow.numRows > 140)
  check(
    'no maximum is below its mean',
    arrow.toArray().every((row) => row.max >= row.mean),
  )
}
close()
