import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { runQueries } from '../../../mock/query/engine.ts'
import { buildTable, type CellValue, type Row } from '../../../mock/query/table.ts'
import { fc } from '../../support/properties.ts'

/** Compares the engine with DuckDB; the SQL follows from the specification, not from the engine. */

const types = {
  began: 'time',
  seen: 'time',
  score: 'integer',
  rate: 'number',
  kind: 'text',
  source_provider: 'text',
  source_type: 'text',
} as const
const names = Object.keys(types) as (keyof typeof types)[]
const numbers = ['score', 'rate'] as const
const first = Date.UTC(2023, 10, 20)
const days = 120

function floating(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19)
}

const moment = fc.nat(days * 24 * 60).map((minute) => floating(first + minute * 60_000))
const text = fc.constantFrom('nap', 'long', "it's", 'a b', '')
const score = fc.integer({ min: -50, max: 100 })
const rate = fc.double({ min: -1e3, max: 1e3, noNaN: true }).map((value) => value || 0)
const provider = fc.constantFrom('oura', 'garmin', 'fitbit')
// Two types are unknown to the specification and to our assumptions.
const sourceType = fc.constantFrom('phone', 'watch', 'unknown', 'drone', 'band', 'ring')

const row: fc.Arbitrary<Row> = fc.record({
  began: moment,
  seen: fc.option(moment),
  score: fc.option(score),
  rate: fc.option(rate),
  kind: fc.option(text),
  source_provider: fc.option(provider, { freq: 10 }),
  source_type: fc.option(sourceType, { freq: 10 }),
})

// Each row has a different time: the order of two rows at the same time is not specified.
const table = fc.uniqueArray(row, { selector: ({ began }) => began, maxLength: 120, size: 'max' })

/** An expression in the syntax of the API and in that of DuckDB. */
interface Condition {
  where: string
  sql: string
}

const operator = fc.constantFrom('=', '!=', '<>', '<', '<=', '>', '>=')
const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
const iso = (column: string) => `strftime(${column}, '%Y-%m-%dT%H:%M:%S')`

/** A time in a form of ISO 8601; those of the rows are whole minutes. */
const timeText = fc
  .tuple(
    moment,
    fc.constantFrom(' ', 'T'),
    fc.constantFrom('', ':00', ':00.000', ':00.5', ':59'),
    fc.constantFrom('', 'Z', '+00:00', '+02:00', '-05:30', '+0545', '-03'),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([time, separator, seconds, offset, kind]) => {
    if (kind === 0) return time.slice(0, 10)
    // DuckDB reads an offset only after seconds.
    const digits = time.slice(0, 16).replace('T', separator)
    return `${digits}${offset && seconds === '' ? ':00' : seconds}${offset}`
  })

/** A time with an offset is a moment; without a zone of their own, the rows have that of UTC. */
const hasOffset = (time: string) => /[Z+]|-\d\d(?::?\d\d)?$/.test(time.slice(11))
const sqlTime = (time: string) => `CAST('${time}' AS TIMESTAMP${hasOffset(time) ? 'TZ' : ''})`
const comparedTime = (column: string, time: string) =>
  hasOffset(time) ? `CAST(strftime(${column}, '%Y-%m-%d %H:%M:%S+00') AS TIMESTAMPTZ)` : column

const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...numbers), operator, fc.oneof(score, rate))
    .map(([column, sign, value]) => ({
      where: `${column} ${sign} ${value}`,
      sql: `${column} ${sign} CAST(${value} AS DOUBLE)`,
    })),
  fc
    .tuple(fc.constantFrom('kind', 'source_provider'), operator, fc.oneof(text, provider))
    .map(([column, sign, value]) => ({
      where: `${column}${sign}${quoted(value)}`,
      sql: `${column} ${sign} ${quoted(value)}`,
    })),
  fc.tuple(fc.constantFrom('began', 'seen'), operator, timeText).map(([column, sign, value]) => ({
    where: `${column} ${sign} '${value}'`,
    sql: `${comparedTime(column, value)} ${sign} ${sqlTime(value)}`,
  })),
  fc.tuple(operator, timeText).map(([sign, value]) => ({
    where: `'${value}' ${sign} began`,
    sql: `${sqlTime(value)} ${sign} ${comparedTime('began', value)}`,
  })),
  operator.map((sign) => ({ where: `seen ${sign} began`, sql: `seen ${sign} began` })),
  fc
    .tuple(fc.constantFrom(...names), operator)
    .map(([column, sign]) => ({ where: `${column} ${sign} NULL`, sql: 'NULL::BOOLEAN' })),
  fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([column, negated]) => ({
    where: `${column} is ${negated ? 'not ' : ''}null`,
    sql: `${column} IS ${negated ? 'NOT ' : ''}NULL`,
  })),
  fc.tuple(operator).map(([sign]) => ({ where: `score ${sign} rate`, sql: `score ${sign} rate` })),
  fc.constantFrom(
    { where: 'true', sql: 'TRUE' },
    { where: 'FALSE', sql: 'FALSE' },
    { where: 'null', sql: 'NULL::BOOLEAN' },
  ),
)

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    comparison,
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
      .map(([left, word, right]) => ({
        where: `(${left.where}) ${word.toLowerCase()} (${right.where})`,
        sql: `((${left.sql}) ${word} (${right.sql}))`,
      })),
    tie('condition').map(({ where, sql }) => ({
      where: `NOT (${where})`,
      sql: `(NOT (${sql}))`,
    })),
  ),
}))

const unit = fc.constantFrom('minute', 'hour', 'day', 'week', 'month', 'year')
const aggregations = {
  mean: (column: string) => `avg(${column})`,
  min: (column: string) => `min(${column})`,
  max: (column: string) => `max(${column})`,
  sum: (column: string) => `sum(${column})`,
  count: (column: string) => `count(${column})::DOUBLE`,
  median: (column: string) => `quantile_cont(${column}, 0.5)`,
  stddev: (column: string) => `stddev_samp(${column})`,
  oldest: (column: string) => `arg_min(${column}, began)`,
  newest: (column: string) => `arg_max(${column}, began)`,
}
type Func = keyof typeof aggregations

const selected = fc.oneof(
  fc.record({
    func: fc.constantFrom(...(Object.keys(aggregations) as Func[])),
    name: fc.constantFrom(...numbers),
  }),
  fc.record({
    func: fc.constantFrom<Func[]>('min', 'max', 'count', 'oldest', 'newest'),
    name: fc.constantFrom(...names),
  }),
)

const story = fc.record({
  rows: table,
  select: fc.uniqueArray(selected, {
    minLength: 1,
    maxLength: 4,
    selector: ({ func, name }) => `${func} ${name}`,
  }),
  truncation: fc.option(fc.record({ unit, value: fc.integer({ min: 1, max: 30 }) })),
  keys: fc.uniqueArray(fc.constantFrom('kind', 'source_provider', 'source_type', 'score'), {
    maxLength: 3,
  }),
  condition: fc.option(condition),
  past: fc.record({
    unit: fc.oneof({ arbitrary: fc.constant('month'), weight: 3 }, unit),
    value: fc.integer({ min: 1, max: 40 }),
  }),
  anchor: fc.nat(days).map((day) => floating(first + day * 86_400_000).slice(0, 10)),
  overrides: fc.option(fc.shuffledSubarray(['oura', 'garmin'])),
  // Undefined counts the rows of all sources.
  priorities: fc.option(fc.shuffledSubarray(['oura', 'garmin', 'fitbit']), { nil: undefined }),
})
type Story = typeof story extends fc.Arbitrary<infer Told> ? Told : never

async function ofEngine(told: Story) {
  const { rows, select, truncation, keys, condition, past, anchor, overrides, priorities } = told
  const group_by = [
    ...(truncation ? [{ date_trunc: truncation, arg: { index: 'nights' } }] : []),
    ...keys.map((name) => ({ arg: { [name.startsWith('source') ? 'source' : 'nights']: name } })),
  ]
  const query = {
    select: [
      { group_key: '*' } as const,
      ...select.map(({ func, name }) => ({ func, arg: { nights: name } })),
    ],
    ...(group_by.length > 0 ? { group_by } : {}),
    ...(condition ? { where: condition.where } : {}),
  }
  const source = buildTable(types, 'began', rows)
  const [columns = []] = await runQueries(
    {
      timeframe: { type: 'relative', anchor, past },
      queries: [query],
      ...(overrides ? { config: { provider_priority_overrides: overrides } } : {}),
    },
    () => source,
    priorities,
  )
  const [length = 0] = columns.map(({ values }) => values.length)
  return Array.from({ length }, (_, at) => columns.map(({ values }) => values[at] ?? null))
}

/** Returns a bucket in SQL. Buckets are counted from 1970, weeks from its first Monday. */
function sqlOf(told: Story): string {
  const { select, truncation, keys, condition, past, anchor } = told
  const end = `(DATE '${anchor}' + INTERVAL 1 DAY)`
  const bucket = truncation
    ? `time_bucket(INTERVAL '${truncation.value} ${truncation.unit}', began, TIMESTAMP '${
        truncation.unit === 'week' ? '1970-01-05' : '1970-01-01'
      }')`
    : undefined
  const start = `${end} - INTERVAL '${past.value} ${past.unit}'`
  const groups = [...(bucket ? ['bucket'] : []), ...keys.map((_, at) => `key${at}`)]
  const partition = groups.length > 0 ? `PARTITION BY ${groups.join(', ')}` : ''
  const index = bucket ? iso('bucket') : keys.length > 0 ? 'key0' : iso(start)
  const columns = [
    index,
    ...(bucket ? [index] : []),
    ...keys.map((_, at) => `key${at}`),
    ...select.map(({ func, name }) => {
      const isTime = types[name] === 'time'
      const value = aggregations[func](name)
      return isTime && func !== 'count' ? iso(value) : value
    }),
  ]
  return `
    WITH kept AS (
      SELECT *, ${bucket ?? 'NULL'} AS bucket, ${rankOf(told)} AS rank
      ${keys.map((name, at) => `, ${name} AS key${at}`).join('')}
      FROM nights
      WHERE began >= ${start} AND began < ${end} ${condition ? `AND (${condition.sql})` : ''}
    ),
    preferred AS (SELECT *, min(rank) OVER (${partition}) AS best FROM kept)
    SELECT ${columns.join(', ')} FROM preferred WHERE rank = best
    ${groups.length > 0 ? `GROUP BY ${groups.join(', ')} ORDER BY ${groups.map((g) => `${g} NULLS LAST`).join(', ')}` : 'HAVING count(*) > 0'}`
}

/** Returns the rank of a row's source in SQL; the best one is the lowest. */
function rankOf({ truncation, keys, overrides, priorities }: Story): string {
  const isBySource = keys.includes('source_provider') && keys.includes('source_type')
  if (!priorities || isBySource || (!truncation && keys.length === 0)) return '0'
  const types = ['watch', 'ring', 'phone', 'unknown', 'band', 'drone']
  const providers = [...(overrides ?? []), ...priorities, 'fitbit', 'garmin', 'oura']
  return `${placeIn('source_type', types)} * 100 + ${placeIn('source_provider', providers)}`
}

function placeIn(column: string, values: readonly string[]): string {
  const cases = values.map((value, at) => `WHEN ${column} = '${value}' THEN ${at}`)
  return `(CASE ${cases.join(' ')} ELSE ${values.length} END)`
}

function literal(name: keyof typeof types, cell: CellValue | undefined): string {
  if (cell === null || cell === undefined) return 'NULL'
  if (types[name] === 'time') return `TIMESTAMP '${cell}'`
  return typeof cell === 'number' ? `CAST(${cell} AS DOUBLE)` : quoted(String(cell))
}

/** Compares floats with a tolerance of 1e-9, and all other values exactly. */
function isClose(one: unknown, other: unknown): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))
}

const numRuns = 2000

it('agrees with DuckDB on random queries over random data', async () => {
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  await connection.run(`CREATE TABLE nights (began TIMESTAMP, seen TIMESTAMP, score DOUBLE,
    rate DOUBLE, kind VARCHAR, source_provider VARCHAR, source_type VARCHAR)`)
  let responded = 0
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      await connection.run('DELETE FROM nights')
      const values = told.rows.map(
        (cells) => `(${names.map((name) => literal(name, cells[name])).join(', ')})`,
      )
      if (values.length > 0) await connection.run(`INSERT INTO nights VALUES ${values.join(', ')}`)
      const expected = (await connection.runAndReadAll(sqlOf(told))).getRows()
      const found = await ofEngine(told)
      responded += found.length
      expect(found.map((line) => line.length)).toEqual(expected.map((line) => line.length))
      found.forEach((line, at) => {
        line.forEach((cell, column) => {
          if (!isClose(cell, expected[at]?.[column])) expect(line).toEqual(expected[at])
        })
      })
    }),
    { numRuns },
  )
  // Most of the queries had rows.
  expect(responded).toBeGreaterThan(numRuns * 2.5)
  connection.closeSync()
})
