import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { past, type Query, ServiceClient } from '../../../src/index.ts'
import { tables } from '../../../src/parquet/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'
import { fc } from '../../support/properties.ts'

const days = Array.from({ length: 6 }, (_, at) => `2025-05-0${at + 1}`)

/** Returns how many rows a query finds, in JSON and in Parquet. */
async function count(team: Team, of: string, where: string, user = userId): Promise<number> {
  const [resource = '', column = ''] = of.split('.')
  const queries: Query[] = [{ select: [{ arg: { [resource]: column }, func: 'count' }], where }]
  const { aggregate } = new ServiceClient(team.connection())
  const request = { timeframe: past(60, 'day', '2025-06-01'), queries }
  const [found = 0] = (await aggregate.query(user, request)).results[0]?.table['count'] ?? []
  for await (const { rows } of tables(await aggregate.queryParquet(user, request))) {
    const { value } = await rows().next()
    expect(value?.['count'] ?? 0).toBe(found)
  }
  return Number(found)
}

describe('a comparison with a time', () => {
  let team: Team
  beforeAll(() => {
    team = createMock().team({ generatedData: false, timeZone: 'America/New_York' })
    for (const day of days) {
      const row = { user_id: userId, resource: 'activity', values: { date: day, steps: 100 } }
      team.data.create(row)
      const timestamp = `${day}T12:00:00`
      team.data.create({ user_id: userId, resource: 'glucose', values: { timestamp, value: 5 } })
    }
  })

  it.each([
    ["date = '2025-05-01'", 1],
    ["date = '2025-05-01T00:00:00'", 1],
    ["date = '2025-05-01 00:00'", 1],
    ["date != '2025-05-01'", 5],
    ["date >= '2025-05-02 12:00:00'", 4],
    ["date > '2025-05-02'", 4],
    ["'2025-05-02' < date", 4],
    ["'2025-05-02T12:00' >= date", 2],
    // The user's midnight is at four in UTC.
    ["date = '2025-05-01T04:00:00Z'", 1],
    ["date = '2025-05-01T00:00-04:00'", 1],
    ["date = '2025-05-01T06:00:00.000+0200'", 1],
    ["date = '2025-05-01T00:00:00Z'", 0],
    ["date >= '2025-05-01' AND date < '2025-05-03'", 2],
    ['date = date', 6],
    ["date < '0001-01-01' OR date > '9999-12-31'", 0],
  ])('finds by %s %i days', async (where, expected) => {
    expect(await count(team, 'activity.steps', where)).toBe(expected)
  })

  it.each([
    ["timestamp = '2025-05-03T12:00'", 1],
    ["timestamp = '2025-05-03 12:00:00.000'", 1],
    ["timestamp = '2025-05-03T16:00Z'", 1],
    ["timestamp > '2025-05-03'", 4],
    ["timestamp <= '2025-05-03T11:59:59.999'", 2],
  ])('finds by %s %i samples', async (where, expected) => {
    expect(await count(team, 'glucose.value', where)).toBe(expected)
  })

  it.each([
    ["date > 'yesterday'", "'yesterday'"],
    ["date = ''", "''"],
    ["date = '2025-02-30'", "'2025-02-30'"],
    ["date = '2025-5-1'", "'2025-5-1'"],
    ["date = '2025-05-01T25:00'", "'2025-05-01T25:00'"],
    ["date = '20250501'", "'20250501'"],
    ["date = '2025-05-01Z'", "'2025-05-01Z'"],
    ["'12:00' < date", "'12:00'"],
  ])('rejects %s', async (where, found) => {
    const { status, body } = await call(team, `POST /aggregate/v1/user/${userId}/query`, {
      timeframe: past(7, 'day', '2025-05-07'),
      queries: [{ select: [{ arg: { activity: 'steps' }, func: 'count' }], where }],
    })
    const message = `expected a time such as '2025-05-01' or '2025-05-01T12:00:00Z', found ${found}`
    expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining(message)])
    expect(body.detail[0].loc).toEqual(['body', 'queries', 0, 'where'])
  })

  it.each(['date > 5', 'date = true', 'date = source_type', 'steps > date'])(
    'rejects %s, which has no time beside the time',
    async (where) => {
      await expect(count(team, 'activity.steps', where)).rejects.toMatchObject({ status: 422 })
    },
  )
})

const minutesOf = (offset: string) => Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))
const offsets = fc.constantFrom('', 'Z', '+02:00', '-07:00', '+05:45')

it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'])(
  'agrees with DuckDB about the nights of a user in %s',
  async (time_zone) => {
    const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
    const user = team.users.create({ time_zone, living: false })
    const client = new ServiceClient(team.connection())
    const { sleep } = await client.summaries.list(user.user_id, 'sleep', {
      start_date: '2025-04-03',
      end_date: '2025-06-01',
    })
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run('CREATE TABLE nights (local TIMESTAMP, moment TIMESTAMPTZ)')
    const rows = sleep.map(({ bedtime_stop, timezone_offset }) => {
      const moment = String(bedtime_stop).slice(0, 19)
      return `(TIMESTAMP '${moment}' + INTERVAL (${Number(timezone_offset)}) SECOND, '${moment}Z')`
    })
    await connection.run(`INSERT INTO nights VALUES ${rows.join(', ')}`)
    const around = fc.tuple(
      fc.nat(sleep.length - 1),
      fc.integer({ min: -2, max: 2 }),
      offsets,
      fc.constantFrom('=', '<', '>=', '!='),
    )
    await fc.assert(
      fc.asyncProperty(around, async ([at, minutes, offset, operator]) => {
        const moment = Date.parse(String(sleep[at]?.bedtime_stop)) + minutes * 60_000
        const shift = offset.length === 6 ? Number(`${offset[0]}1`) * minutesOf(offset) : 0
        const text = new Date(moment + shift * 60_000).toISOString().slice(0, 19) + offset
        const [column, type] = offset === '' ? ['local', 'TIMESTAMP'] : ['moment', 'TIMESTAMPTZ']
        const sql = `SELECT count(*)::INTEGER FROM nights WHERE ${column} ${operator} CAST('${text}' AS ${type})`
        const [[expected] = []] = (await connection.runAndReadAll(sql)).getRows()
        const where = `session_end ${operator} '${text}'`
        expect(await count(team, 'sleep.session_end', where, user.user_id)).toBe(expected)
      }),
      { numRuns: 30 },
    )
    connection.closeSync()
  },
)
