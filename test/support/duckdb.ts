import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'

type Bytes = Uint8Array<ArrayBuffer>

async function database() {
  const folder = await mkdtemp(join(tmpdir(), 'duckdb-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(async () => {
    connection.closeSync()
    instance.closeSync()
    await rm(folder, { recursive: true })
  })
  return { connection, path: join(folder, 'table.parquet') }
}

/** The types and the rows of a Parquet file as DuckDB reads them; values are as its JSON writes them. */
export async function readWithDuckDB(parquet: Bytes) {
  const { connection, path } = await database()
  await writeFile(path, parquet)
  const result = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
  const types = result.columnNames().map((name, at) => [name, String(result.columnType(at))])
  return {
    types: Object.fromEntries(types) as Record<string, string>,
    rows: result.getRowObjectsJson(),
  }
}

/** The answer to a SELECT as a Parquet file that DuckDB wrote; `options` such as `COMPRESSION zstd`. */
export async function writeWithDuckDB(select: string, options = ''): Promise<Bytes> {
  const { connection, path } = await database()
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet${options && `, ${options}`})`)
  return new Uint8Array(await readFile(path))
}
