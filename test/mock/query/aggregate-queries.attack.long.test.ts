import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { aggregationFunctions, timeUnits } from '../../../src/contract/values/known-values.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'
import { queryRoute } from '../server/served-mock.ts'

describe('an aggregate query', () => {
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 30 } }
  const select = [{ arg: { sleep: 'score' }, func: 'mean' }]

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'has no column, resource or value named %s',
    async (name) => {
      const team = createMock().team()
      const ask = async (query: string) =>
        (
          await call(
            team,
            queryRoute,
            `{"timeframe": ${JSON.stringify(timeframe)}, "queries": [${query}]}`,
          )
        ).status
      expect(await ask(`{"select": [{"arg": {"sleep": "${name}"}, "func": "mean"}]}`)).toBe(422)
      expect(await ask(`{"select": [{"arg": {"${name}": "score"}, "func": "mean"}]}`)).toBe(422)
      expect(await ask(`{"select": [{"arg": {"${name}": {"toString": 1}}, "func": "mean"}]}`)).toBe(
        422,
      )
      expect(await ask(`{"select": [{"arg": {"sleep": "score"}, "func": "${name}"}]}`)).toBe(422)
      const groups = `"group_by": [{"arg": {"sleep": "${name}"}}]`
      expect(await ask(`{"select": ${JSON.stringify(select)}, ${groups}}`)).toBe(422)
      expect(await ask(`{"select": ${JSON.stringify(select)}, "where": "${name} = 1"}`)).toBe(422)
    },
  )

  it.each([...timeUnits])('limits a period and a bucket of 10^9 %ss', async (unit) => {
    const team = createMock().team()
    const long = { unit, value: 1e9 }
    const asked = [
      { timeframe: { ...timeframe, past: long }, queries: [{ select }] },
      {
        timeframe,
        queries: [{ select, group_by: [{ date_trunc: long, arg: { index: 'sleep' } }] }],
      },
    ]
    for (const body of asked) {
      const response = await call(team, queryRoute, body)
      expect([200, 422]).toContain(response.status)
      const [table] = (response.body.results ?? []).map((result: { table: object }) => result.table)
      if (table)
        expect(table).toMatchObject({ index: [expect.stringMatching(/^\d{4}-\d\d-\d\dT/)] })
    }
  })

  it.each([
    ['4,000 conditions', Array(4000).fill('score > 0').join(' AND '), 200],
    ['4,000 alternatives', Array(4000).fill('score < 0').join(' OR '), 200],
    ['100,000 ANDs', Array(100_001).fill('score>0').join(' AND '), 422],
    ['a literal of 900 KB', `state = '${'x'.repeat(900_000)}'`, 200],
    ['a literal of 30 MB', `state = '${'x'.repeat(30_000_000)}'`, 422],
    ['a word of 900 KB', `${'x'.repeat(900_000)} = 1`, 422],
    ['100,000 parentheses', '('.repeat(100_000), 422],
    ['100,000 NOTs', `${'NOT '.repeat(100_000)}score > 0`, 200],
    ['100,000 spaces', `score > 0${' '.repeat(100_000)}`, 200],
    ['100,000 quotes', `state = ${"'".repeat(100_000)}`, 200],
  ])('responds to a where expression with %s', async (_, where, status) => {
    const response = await call(createMock().team(), queryRoute, {
      timeframe,
      queries: [{ select, where }],
    })
    expect(response.status).toBe(status)
    expect(JSON.stringify(response.body).length).toBeLessThan(10_000)
  })

  it('reads a null as unknown in a long chain', async () => {
    const team = createMock().team({ generatedData: false })
    team.data.create({ user_id: userId, resource: 'sleep', values: { score: 80 } })
    const ask = async (where: string) => {
      const { body } = await call(team, queryRoute, { timeframe, queries: [{ select, where }] })
      return body.results[0].table.mean
    }
    expect(await ask('score = 80 AND efficiency > 1 AND score = 80')).toEqual([])
    expect(await ask('score = 1 OR efficiency > 1 OR score = 80')).toEqual([80])
    expect(await ask('NOT (score = 80 AND efficiency > 1 AND score = 1)')).toEqual([80])
  })

  it('lists a limited number of invalid values, in a small heap', () => {
    const program = `
      import { createMock } from './mock/index.ts'
      const { fetch, baseUrl, apiKey } = createMock().connection()
      const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' }
      const send = async (path, body) =>
        (await fetch(baseUrl + path, { method: 'POST', headers, body })).status
      const list = (item, count) => '[' + Array(count).fill(item).join() + ']'
      const timeframe = '"timeframe": ${JSON.stringify(timeframe).replaceAll('"', '\\"')}'
      const select = list('{"arg":{"sleep":"none"},"func":"none"}', 50000)
      console.log(
        await send('/v2/link/bulk_import', '{"provider":"oura","connections":' + list(1, 500000) + '}'),
        await send('/aggregate/v1/user/${userId}/query', '{' + timeframe + ',"queries":[{"select":' + select + '}]}'),
        await send('/aggregate/v1/user/${userId}/query', '{' + timeframe + ',"queries":[{"select":' + list(1, 500000) + '}]}'),
      )`
    const parts = ['--max-old-space-size=200', '--input-type=module-typescript', '--eval', program]
    const printed = execFileSync(process.execPath, parts, { encoding: 'utf8', timeout: 240_000 })
    expect(printed.trim()).toBe('422 422 422')
  })

  it('responds to any body with a result of the right shape or 422', async () => {
    const team = createMock().team()
    team.data.create({
      user_id: userId,
      resource: 'weight',
      values: { timestamp: 8e15, value: 1e300 },
    })
    const json = (value: unknown) => JSON.stringify(value)
    const mostly = <T>(usual: readonly T[], rare: readonly T[]) =>
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...rare))
    const odd = ['__proto__', 'constructor', 'toString', '', 'index', '1', 'é']
    const column = mostly(
      ['score', 'score', 'source_provider', 'session_end', 'value', 'timestamp'],
      odd,
    )
    const duration = fc.record({
      unit: mostly<string>(timeUnits, odd),
      value: mostly([1, 7, 30, 1e9, Number.MAX_SAFE_INTEGER], [0, -1, 1.5, 1e300]),
    })
    const comparison = fc
      .tuple(
        column,
        fc.constantFrom('=', '<', '<>', 'IS NULL OR 1 ='),
        mostly(['1', '-1e9'], ["'x'", "'", 'NULL', '(']),
      )
      .map((parts) => parts.join(' '))
    const where = fc.oneof(
      fc.array(comparison, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' AND ')),
      fc
        .tuple(comparison, fc.constantFrom(10, 9999))
        .map(([one, count]) => Array(count).fill(one).join(' OR ')),
      fc.string(),
    )
    const query = mostly(['sleep', 'sleep', 'weight'], odd).chain((resource) => {
      const arg = fc.oneof(
        { weight: 9, arbitrary: column.map((name) => `{${json(resource)}:${json(name)}}`) },
        fc.json().map((value) => `{${json(resource)}:${value}}`),
      )
      const item = fc
        .tuple(arg, mostly<string>(aggregationFunctions, odd))
        .map(([of, func]) => `{"arg":${of},"func":${json(func)}}`)
      const group = fc.oneof(
        arg.map((of) => `{"arg":${of}}`),
        duration.map((of) => `{"date_trunc":${json(of)},"arg":{"index":${json(resource)}}}`),
      )
      return fc
        .tuple(
          fc.array(item, { minLength: 1, maxLength: 2 }),
          fc.array(group, { maxLength: 2 }),
          fc.option(where),
        )
        .map(
          ([items, groups, test]) =>
            `{"select":[${items}],"group_by":[${groups}],"where":${json(test)}}`,
        )
    })
    const anchor = mostly(['2025-06-01'], ['0000-01-01', '9999-12-31', '2025-02-30', ''])
    const body = fc
      .tuple(anchor, duration, fc.array(query, { minLength: 1, maxLength: 2 }))
      .map(
        ([day, past, queries]) =>
          `{"timeframe":{"type":"relative","anchor":"${day}","past":${json(past)}},"queries":[${queries}]}`,
      )
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: body }, fc.json()), async (sent) => {
        const { status, body: response } = await call(team, queryRoute, sent)
        expect([200, 422]).toContain(status)
        if (status !== 200) return
        expect(response.results).toHaveLength(JSON.parse(sent).queries.length)
        for (const { table } of response.results) {
          const lengths = Object.values<unknown[]>(table).map((values) => values.length)
          expect(new Set(lengths).size).toBe(1)
          expect(Object.keys(table).length).toBeGreaterThan(1)
        }
      }),
      { numRuns: runsOf(200) },
    )
  })
})

describe('a large aggregate request', () => {
  const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'year', value: 3 } }
  const query = (unit: string) => ({
    select: [{ arg: { activity: 'steps' }, func: 'mean' }],
    group_by: [{ date_trunc: { unit, value: 1 }, arg: { index: 'activity' } }],
  })

  it('gets 422 for more than 100 queries', async () => {
    const team = createMock().team()
    const bodyOf = (count: number) => ({ timeframe, queries: Array(count).fill(query('year')) })
    expect((await call(team, queryRoute, bodyOf(100))).status).toBe(200)
    const { status, body } = await call(team, queryRoute, bodyOf(101))
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('at most 100 queries')
  })

  it('gets 422 for more than 250,000 cells in all results', async () => {
    const team = createMock().team()
    const minutes = {
      select: [{ arg: { heartrate: 'value' }, func: 'mean' }],
      group_by: [{ date_trunc: { unit: 'minute', value: 1 }, arg: { index: 'heartrate' } }],
    }
    const queries = Array(100).fill(minutes)
    const { status, body } = await call(team, queryRoute, { timeframe, queries })
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('250000 result cells')
  })
})
