import { describe, expect, expectTypeOf, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { compileWhere } from '../../../mock/query/filter.ts'
import { buildTable } from '../../../mock/query/table.ts'
import {
  type AggregateValue,
  column,
  columns,
  count,
  dateTrunc,
  type GroupKey,
  groupKey,
  max,
  mean,
  median,
  min,
  newest,
  oldest,
  past,
  type QueriesResult,
  type Query,
  type QueryBuilder,
  query,
  type Resource,
  rows,
  ServiceClient,
  stddev,
  sum,
  type TableOf,
  where,
} from '../../../src/index.ts'
import { userId } from '../../support/bodies.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'

/** A client whose service returns what it is asked, as JSON. */
function echo(sent: unknown[]): ServiceClient {
  return new ServiceClient({
    apiKey: 'k',
    baseUrl: 'https://service.test',
    fetch: async (request) => {
      const body = (await request.json()) as { queries: unknown[] }
      sent.push(body)
      return Response.json({ results: body.queries.map(() => ({ table: {} })) })
    },
  })
}

const timeframe = past(30, 'day', '2025-06-01')

it('gives the wire objects of the specification (2.10)', () => {
  expect(timeframe).toEqual({
    type: 'relative',
    anchor: '2025-06-01',
    past: { unit: 'day', value: 30 },
  })
  expect(dateTrunc('sleep', 2, 'week')).toEqual({
    date_trunc: { unit: 'week', value: 2 },
    arg: { index: 'sleep' },
  })
  expect(column('sleep', 'type')).toEqual({ arg: { sleep: 'type' } })
  expect(column('source', 'source_type')).toEqual({ arg: { source: 'source_type' } })
  expect([groupKey(), groupKey('*'), groupKey(1)]).toEqual([
    { group_key: '*' },
    { group_key: '*' },
    { group_key: 1 },
  ])
  const functions = { mean, min, max, sum, count, median, stddev, oldest, newest }
  for (const [func, make] of Object.entries(functions)) {
    expect(make('sleep', 'score')).toEqual({ arg: { sleep: 'score' }, func })
  }
})

it.each([
  ['a query alone', query(mean('sleep', 'score')), {}],
  [
    'a query with groups',
    query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 1, 'week'), column('sleep', 'type')),
    { group_by: [dateTrunc('sleep', 1, 'week'), column('sleep', 'type')] },
  ],
  [
    'a query with a filter',
    query(mean('sleep', 'score')).where(where`score > ${80}`),
    { where: 'score > 80' },
  ],
  [
    'a query with both',
    query(mean('sleep', 'score'))
      .groupBy(dateTrunc('sleep', 1, 'day'))
      .where('score > 80'),
    { group_by: [dateTrunc('sleep', 1, 'day')], where: 'score > 80' },
  ],
])('sends %s as it would a literal', async (_, built, rest) => {
  const sent: unknown[] = []
  const literal: Query = { select: [{ arg: { sleep: 'score' }, func: 'mean' }], ...rest }
  const client = echo(sent)
  await client.aggregate.query(userId, { timeframe, queries: [built] })
  await client.aggregate.query(userId, { timeframe, queries: [literal] })
  expect(sent).toEqual([
    { timeframe, queries: [literal] },
    { timeframe, queries: [literal] },
  ])
})

it('leaves a query unchanged when it is extended', () => {
  const base = query(mean('sleep', 'score'))
  base.groupBy(dateTrunc('sleep', 1, 'week')).where('score > 1')
  expect({ ...base }).toEqual({ select: [{ arg: { sleep: 'score' }, func: 'mean' }] })
})

it.each([
  [{ timeframe: past(0, 'day', '2025-06-01'), queries: [] }, /timeframe\.past\.value/],
  [{ timeframe: past(1, 'day', 'today'), queries: [] }, /timeframe\.anchor/],
  [
    { timeframe, queries: [query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 0, 'day'))] },
    /queries\[?\.?0\]?\.group_by/,
  ],
  [{ timeframe, queries: 'all' }, /queries/],
  [{ timeframe, queries: [null] }, /queries/],
  [undefined, /./],
])('rejects %j before it is sent', async (request, message) => {
  const sent: unknown[] = []
  // A caller without types may give anything.
  const call = echo(sent).aggregate.query(userId, request as never)
  await expect(call).rejects.toMatchObject({
    code: 'request_invalid',
    message: expect.stringMatching(message),
  })
  expect(sent).toEqual([])
})

describe('where', () => {
  it.each([
    [where`score > ${80}`, 'score > 80'],
    [where`score > ${-0}`, 'score > 0'],
    [where`score > ${1e21}`, 'score > 1e+21'],
    [where`type = ${'nap'}`, "type = 'nap'"],
    [where`type = ${"it's"}`, "type = 'it''s'"],
    [where`a = ${true} OR b IS NOT ${null}`, 'a = true OR b IS NOT null'],
  ])('writes %s', (written, expected) => expect(written).toBe(expected))

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [{}], [['a']], [undefined], [1n]])(
    'rejects %s',
    (value) => {
      // A caller without types may give anything.
      expect(() => where`score > ${value as never}`).toThrow(TypeError)
    },
  )

  it('prevents strings from changing the expression', () => {
    const title = fc.oneof(
      fc.string(),
      fc.stringMatching(/^['" )(=a-zOR]*$/),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(title, title, (asked, other) => {
        const table = buildTable({ at: 'time', title: 'text' }, 'at', [
          { at: '2025-01-01', title: asked },
          { at: '2025-01-02', title: other },
        ])
        const { matches: test } = compileWhere(where`title = ${asked}`, table, ['title'])
        expect([test(0), test(1)]).toEqual([true, asked === other])
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('prevents numbers from changing the expression', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const table = buildTable({ at: 'time', n: 'number' }, 'at', [
          { at: '2025-01-01', n: value },
        ])
        expect(compileWhere(where`n = ${value}`, table, ['n']).matches(0)).toBe(true)
      }),
    )
  })
})

describe('a table', () => {
  const result = { table: { mean: [1, null], index: ['a', 'b'] } }

  it('has each of many columns, index first', () => {
    const names = Array.from({ length: 200_000 }, (_, at) => `c${at}`)
    const table = Object.fromEntries([...names, 'index'].map((name) => [name, [1]]))
    expect(columns({ table })).toEqual(['index', ...names])
  })

  it('has its columns, index first', () => expect(columns(result)).toEqual(['index', 'mean']))

  it('turns into one object per row', () => {
    expect(rows(result)).toEqual([
      { index: 'a', mean: 1 },
      { index: 'b', mean: null },
    ])
    expect(rows({ table: {} })).toEqual([])
  })

  it('rejects columns of different lengths', () => {
    expect(() => rows({ table: { index: ['a'], mean: [1, 2] } })).toThrow(
      new RangeError('rows: the columns have different lengths (1, 2)'),
    )
  })
})

it('knows the columns of queries that the helpers build, and leaves those of literals open', () => {
  const built = query(mean('sleep', 'score'), max('sleep', 'score'))
  const finished = built.groupBy(dateTrunc('sleep', 1, 'week')).where('score > 1')
  type Result = QueriesResult<readonly [typeof built, typeof finished, Query]>['results']
  expectTypeOf<Result[0]['table']['mean']>().toExtend<AggregateValue[]>()
  expectTypeOf<Result[1]['table']['index']>().toExtend<AggregateValue[]>()
  expectTypeOf<Result[2]['table']['mean']>().toEqualTypeOf<unknown[]>()
  // A function that takes any builder keeps its columns.
  const weekly = <Builder extends QueryBuilder>(builder: Builder) =>
    builder.groupBy(dateTrunc('sleep', 1, 'week'))
  const good = <Builder extends QueryBuilder>(builder: Builder) =>
    builder.where(where`score > ${80}`)
  const filtered = good(weekly(built))
  const rebuilt = weekly(built)
  type Rebuilt = QueriesResult<readonly [typeof rebuilt, typeof filtered]>['results']
  expectTypeOf<Rebuilt[0]['table']['max']>().toEqualTypeOf<AggregateValue[]>()
  expectTypeOf<Rebuilt[1]['table']['max']>().toEqualTypeOf<AggregateValue[]>()
  const meansOf = <Name extends Resource>(name: Name) =>
    query(mean(name, 'value'), count(name, 'value'))
  const means = meansOf('glucose')
  expectTypeOf<TableOf<typeof means>['count']>().toEqualTypeOf<AggregateValue[]>()
  // Known names complete; others are taken.
  mean('sleep', 'hrv_mean_rmssd')
  mean('a_new_series', 'value')
  // @ts-expect-error a query is made of aggregations
  query('mean')
  // @ts-expect-error a number is no unit
  past(1, 2, '2025-06-01')
})

it('names and types a second aggregation of a function after its column', async () => {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const { user_id } = team.users.create()
  const client = new ServiceClient(team.connection())
  const both = query(mean('sleep', 'score'), mean('sleep', 'efficiency'), max('sleep', 'score'))
  const { results } = await client.aggregate.query(user_id, { timeframe, queries: [both] })
  const { table } = results[0]
  expect(Object.keys(table)).toEqual(['index', 'mean', 'mean.efficiency', 'max'])
  expectTypeOf(table['mean.efficiency']).toEqualTypeOf<AggregateValue[]>()
  expectTypeOf(table.mean).toEqualTypeOf<AggregateValue[]>()
  expectTypeOf(table.max).toEqualTypeOf<AggregateValue[]>()
  expectTypeOf(table['max.score']).toEqualTypeOf<unknown[] | undefined>()
})

it('types the columns of group keys', async () => {
  const client = new ServiceClient(createMock().team().connection())
  const grouped = query(groupKey(1), sum('activity', 'steps'), max('activity', 'steps')).groupBy(
    dateTrunc('activity', 1, 'day'),
    column('source', 'source_provider'),
  )
  const all = query(mean('sleep', 'score'), groupKey()).groupBy(column('sleep', 'type'))
  const literal: Query = {
    select: [{ group_key: 0 }, mean('sleep', 'score')],
    group_by: [bySource],
  }
  const queries = [grouped, all, literal] as const
  const { results } = await client.aggregate.query(userId, { timeframe, queries })
  const [{ table }, every] = results
  expectTypeOf(table['group_key.1']).toEqualTypeOf<AggregateValue[]>()
  expectTypeOf(table.max).toEqualTypeOf<AggregateValue[]>()
  expectTypeOf(table['group_key.0']).toEqualTypeOf<unknown[] | undefined>()
  expectTypeOf(every.table['group_key.7']).toEqualTypeOf<AggregateValue[] | undefined>()
  expect(new Set(table['group_key.1'])).toEqual(new Set(['garmin', 'oura']))
  expect(rows(every)[0]?.['group_key.0']).toBe('long_sleep')
  expectTypeOf(groupKey()).toEqualTypeOf<GroupKey<'*'>>()
})

const bySource = column('source', 'source_provider')
