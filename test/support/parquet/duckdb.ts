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

/** Reads a Parquet file with DuckDB: its column types and its rows, with values in DuckDB's JSON format. */
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

/** Writes the result of a SELECT as a Parquet file with DuckDB; `options` such as `COMPRESSION zstd`. */
export async function writeWithDuckDB(select: string, options = ''): Promise<Bytes> {
  const { connection, path } = await database()
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet${options && `, ${options}`})`)
  return new Uint8Array(await readFile(path))
}
