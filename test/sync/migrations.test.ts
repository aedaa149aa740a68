import { describe, expect, it } from 'vitest'
import { adaptDatabase } from '../../src/stores/database.ts'
import { createSync } from '../../src/sync/index.ts'
import { comments } from '../../src/sync/schema/comments.ts'
import { syncTables } from '../../src/sync/schema/tables.ts'
import { sampled } from '../support/long-tests.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { contractComment } from './contract-comments.ts'
import { nightEvent, syncInto } from './synced-schema.ts'

const { databases } = useServers(sampled(databaseNames, 4))

/** The interfaces of the contract of each table. */
const interfaces: Record<string, string[]> = {
  sleep: ['SleepSummary', 'Summary'],
  activity: ['ActivitySummary', 'Summary'],
  workouts: ['WorkoutSummary', 'Summary'],
  body: ['BodySummary', 'Summary'],
  meals: ['MealSummary', 'Summary'],
  profile: ['ProfileSummary'],
  orders: ['Order'],
  appointments: ['Appointment'],
}

it.each(Object.values(syncTables))(
  'has a comment for each column of $name',
  ({ name, columns }) => {
    const known = Object.keys(comments[name] ?? {})
    expect(columns.map((column) => column.name).toSorted()).toEqual(known.toSorted())
    const names = interfaces[name]
    if (!names) return
    const expected = columns.map((column) => [column.name, contractComment(names, column.path)])
    expect(comments[name]).toEqual(Object.fromEntries(expected))
  },
)

it('derives columns from the schema of a record', () => {
  const types = Object.fromEntries(
    syncTables.workouts.columns.map(({ name, type }) => [name, type]),
  )
  expect(types).toMatchObject({
    ...{
      time_start: 'timestamptz',
      calendar_date: 'date',
      title: 'text',
      distance: 'double precision',
    },
    ...{ sport_slug: 'text', hr_zones: 'jsonb' },
  })
})

describe.each(databases)('the migrations with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  /** What Postgres knows of the tables and views of a schema. */
  const describeSchema = async (schema: string) => {
    const { rows } = await adaptDatabase(db()).query(
      `select table_name, column_name, data_type, is_nullable, col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position) as comment
from information_schema.columns where table_schema = $1::text order by table_name, column_name`,
      [schema],
    )
    return rows
  }

  test('are the same as files, and may run again', async () => {
    const { schema, sync } = await syncInto(db())
    const other = `${schema}_files`
    const { migrations } = createSync({ database: db(), schema: other })
    for (const { name, sql } of [
      ...migrations,
      ...migrations.filter(({ name }) => name.startsWith('R')),
    ]) {
      expect(name).toMatch(/^(V\d{4}|R)__\w+\.sql$/)
      // A string may not contain a semicolon at the end of a line.
      for (const statement of sql.split(';\n').filter(Boolean))
        await adaptDatabase(db()).query(statement)
    }
    expect(await describeSchema(other)).toEqual(await describeSchema(schema))
    await Promise.all([sync.migrate(), sync.migrate()])
    expect(await describeSchema(schema)).toEqual(await describeSchema(other))
    await createSync({ database: db(), schema: other }).migrate()
  })

  test('create missing views again beside your own', async () => {
    const { sync, query } = await syncInto(db())
    await query('drop view $.local_samples')
    await query('create view $.own as select 1 as one')
    await sync.migrate()
    expect(await query('select * from $.local_samples')).toEqual([])
  })

  test('add a column that the contract has since, with the values of the records', async () => {
    const { sync, deliver, query } = await syncInto(db())
    const night = { total: 77, bedtime_start: '2026-01-05T23:00:00+00:00', state: 'confirmed' }
    await deliver(nightEvent(night))
    await query('drop view $.best_sleep')
    await query(
      'alter table $.sleep drop column total, drop column bedtime_start, drop column state',
    )
    await sync.migrate()
    const rows = await query('select total, state, bedtime_start::text as at from $.sleep')
    expect(rows).toMatchObject([{ total: 77, state: 'confirmed' }])
    expect(Date.parse(String(rows[0]?.['at']))).toBe(Date.parse(night.bedtime_start))
    await deliver(nightEvent({ ...night, total: 78, updated_at: '2026-01-06T08:00:00Z' }))
    expect(await query('select total from $.best_sleep')).toEqual([{ total: 78 }])
  })
})
