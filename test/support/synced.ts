import type { StoredRow } from '../../mock/index.ts'
import { adaptDatabase } from '../../src/stores/database.ts'
import type { PostgresDatabase } from '../../src/stores/index.ts'
import { tablesByResource } from '../../src/sync/rows.ts'
import { syncTables } from '../../src/sync/schema/tables.ts'

/** Returns the rows of a schema in the form of `team.truth`: the fields of the records, with the values of the columns. */
export async function syncedRows(
  db: PostgresDatabase,
  schema: string,
  userId?: string,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  const database = adaptDatabase(db)
  for (const [resource, table] of [
    ...Object.entries(tablesByResource),
    ['', syncTables.samples] as const,
  ]) {
    const where = userId === undefined ? '' : `where user_id = '${userId}'`
    const result = await database.query(`select * from "${schema}"."${table.name}" ${where}`)
    for (const row of result.rows) rows.push(rowOfTruth(row, resource, table))
  }
  return rows
}

type Row = Readonly<Record<string, unknown>>

function rowOfTruth(
  row: Row,
  resource: string,
  { columns }: (typeof syncTables)[keyof typeof syncTables],
): StoredRow {
  const values = columns
    .filter(
      ({ path, type }) => path.length === 1 && (type === 'text' || type === 'double precision'),
    )
    .filter(({ name }) => row[name] !== null)
    .map(({ name, path }) => [path[0] ?? '', row[name]])
  const record = Object(row['record'])
  return {
    resource: resource === '' ? row['resource'] : resource,
    ...record,
    user_id: row['user_id'],
    source: {
      provider: row['source_provider'],
      type: row['source_type'],
      app_id: row['source_app_id'] || null,
    },
    ...Object.fromEntries(values),
  }
}
