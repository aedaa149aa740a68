import { describe, expect, it, vi } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { parseEvent } from '../../../src/events/index.ts'
import {
  column,
  dateTrunc,
  mean,
  past,
  query,
  ServiceClient,
  type SleepSummary,
  sum,
} from '../../../src/index.ts'
import { tables } from '../../../src/parquet/index.ts'
import { listOf } from '../../support/parquet/archives.ts'
import { datesToCheck } from './people.ts'

/** The number of users in each time zone; 25 of them in the long run. */
const users = Number(process.env['LIFE_PEOPLE'] ?? 8) / 8

// Many days of many people take several seconds.
vi.setConfig({ testTimeout: 300_000 * users })

const day = 24 * 60 * 60 * 1000

/** Time zones, with a moment shortly after a change of their clocks. */
const places: [timeZone: string, now: string][] = [
  ['UTC', '2025-06-01T09:00:00Z'],
  ['Europe/Berlin', '2025-04-02T09:00:00Z'],
  ['Europe/Berlin', '2024-10-29T23:30:00Z'],
  ['America/New_York', '2025-03-11T03:00:00Z'],
  ['America/Santiago', '2024-09-10T12:00:00Z'],
  ['Australia/Lord_Howe', '2025-04-08T09:00:00Z'],
  ['Pacific/Auckland', '2025-10-01T09:00:00Z'],
  ['Pacific/Kiritimati', '2025-06-01T09:00:00Z'],
]

interface Subject {
  team: Team
  client: ServiceClient
  userId: string
  /** The calendar date of the user. */
  today: string
}

function subjectsIn(timeZone: string, firstNow: string): Subject[] {
  return Array.from({ length: Math.ceil(users) }, (_, seed) =>
    // Samples of 30 days are generated; earlier days are checked at an earlier time.
    Array.from({ length: Math.ceil(datesToCheck(25) / 25) }, (_, period) => {
      const now = new Date(Date.parse(firstNow) - period * 25 * day)
      const team = createMock({ seed, now }).team({ timeZone, clock: 'manual' })
      const { user_id: userId } = team.users.create()
      const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
      return { team, client: new ServiceClient(team.connection()), userId, today }
    }),
  ).flat()
}

const sumOf = (values: readonly unknown[]) =>
  values.reduce<number>((total, value) => total + Number(value), 0)

const garmin = "source_provider = 'garmin'"
const daily = (resource: string, name: string) =>
  query(sum(resource, name))
    .groupBy(dateTrunc(resource, 1, 'day'))
    .where(garmin)

describe.each(places)('generated health data in %s at %s', (...place) => {
  const subjects = subjectsIn(...place)

  it('sums samples to the summaries of days, in JSON and Parquet', async () => {
    for (const { client, userId, today } of subjects) {
      const request = {
        timeframe: past(25, 'day', today),
        queries: [
          daily('steps', 'value'),
          daily('activity', 'steps'),
          daily('distance', 'value'),
          daily('activity', 'distance_meter'),
          daily('calories_active', 'value'),
          daily('activity', 'calories_active'),
          query(mean('heartrate', 'value'))
            .groupBy(dateTrunc('heartrate', 1, 'day'))
            .where(garmin),
          daily('activity', 'heart_rate_mean'),
        ],
      }
      const { results } = await client.aggregate.query(userId, request)
      const found = results.map(({ table: { index = [], ...rest } }) => {
        const [values = []] = Object.values(rest)
        return new Map(index.map((date, at) => [date, values[at]]))
      })
      for (const at of [0, 2, 4, 6]) {
        const [samples, summaries] = [found[at], found[at + 1]]
        expect(summaries?.size).toBeGreaterThan(10)
        for (const [date, value] of summaries ?? []) {
          const sampled = Number(samples?.get(date))
          expect([date, at === 6 ? Math.round(sampled) : sampled]).toEqual([date, value])
        }
      }
      const archive = await listOf(tables(await client.aggregate.queryParquet(userId, request)))
      for (const table of archive) {
        const rows = (await listOf(table.rows())).map((row) => Object.values(row))
        expect(rows).toEqual([...(found[table.query] ?? [])])
      }
    }
  })

  it('counts steps twice in a sum of all sources, and once by the best source', async () => {
    for (const { client, userId, today } of subjects) {
      const all = query(sum('activity', 'steps')).groupBy(dateTrunc('activity', 1, 'month'))
      const bySource = query(sum('activity', 'steps')).groupBy(column('source', 'source_provider'))
      const { results } = await client.aggregate.query(userId, {
        timeframe: past(20, 'day', today),
        queries: [query(sum('activity', 'steps')), all, bySource],
      })
      const [naive, best, each] = results.map(({ table }) => table['sum'] ?? [])
      expect(sumOf(naive ?? [])).toBe(sumOf(each ?? []))
      expect(sumOf(naive ?? [])).toBeGreaterThan(sumOf(best ?? []) * 1.4)
    }
  })

  it('sends events that agree with the summaries and with each other', async () => {
    for (const { team, client, userId } of subjects) {
      team.connections.create({ user_id: userId, provider: 'oura' })
      const recordsOf = (resource: string) => {
        const body = team.events.last(`historical.data.${resource}.created`)?.body
        const { data } = parseEvent(body).data as { data?: Record<string, unknown>[] }
        return data ?? []
      }
      const nights = recordsOf('sleep')
      expect(nights.length).toBeGreaterThan(4)
      const ids = nights.map(({ id }) => id)
      const { sleep } = await client.summaries.list(userId, 'sleep', {
        start_date: String(nights[0]?.['calendar_date']),
        provider: 'oura',
      })
      expect(sleep.filter(({ id }) => ids.includes(id))).toEqual(nights)
      const heartRates = recordsOf('heartrate')
      const first = Date.parse(String(heartRates[0]?.['timestamp']))
      for (const [at, cycle] of recordsOf('sleep_cycle').entries()) {
        expectStages(cycle, nights[at] ?? {})
        const start = Date.parse(String(cycle['session_start']))
        const end = Date.parse(String(cycle['session_end']))
        const values = heartRates.flatMap(({ timestamp, value }) => {
          const moment = Date.parse(String(timestamp))
          return moment >= start && moment < end ? [Number(value)] : []
        })
        if (start < first || values.length === 0) continue
        expect(nights[at]).toMatchObject({
          hr_lowest: Math.min(...values),
          hr_average: Math.round(sumOf(values) / values.length),
        })
      }
    }
  })

  it('has nights of a year as long as their times in UTC, on the date of waking', async () => {
    for (const { client, userId, today } of subjects.slice(0, 1)) {
      const start_date = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`
      const { sleep } = await client.summaries.list(userId, 'sleep', { start_date })
      expect(sleep.length).toBeGreaterThan(300)
      expect(sleep.filter((night) => !isLocal(night))).toEqual([])
    }
  })
})

/** Whether a night is as long as its times in UTC, and on the local date of waking. */
function isLocal(night: SleepSummary): boolean {
  const { bedtime_start, bedtime_stop, timezone_offset, calendar_date, duration } = night
  const [start, end] = [bedtime_start, bedtime_stop].map((time) => Date.parse(String(time)))
  const local = new Date(Number(end) + Number(timezone_offset) * 1000)
  const isLong = (Number(end) - Number(start)) / 1000 === duration
  return isLong && local.toISOString().slice(0, 10) === calendar_date
}

/** Expects the stages of a cycle to cover the session, with the totals of its summary. */
function expectStages(cycle: Record<string, unknown>, night: Record<string, unknown>): void {
  const starts = cycle['stage_start_offset_second'] as number[]
  const ends = cycle['stage_end_offset_second'] as number[]
  const types = cycle['stage_type'] as string[]
  const seconds = (type: string) =>
    sumOf(types.map((of, at) => (of === type ? Number(ends[at]) - Number(starts[at]) : 0)))
  expect(starts).toEqual([0, ...ends.slice(0, -1)])
  expect(ends.at(-1)).toBe(night['duration'])
  for (const type of ['awake', 'light', 'deep', 'rem']) expect(seconds(type)).toBe(night[type])
  expect(cycle).toMatchObject({
    sleep_id: night['id'],
    session_start: night['bedtime_start'],
    session_end: night['bedtime_stop'],
  })
}

it.each(['athlete', 'office_worker', 'shift_worker'] as const)(
  'has the local times of the place where a user of the persona %s is',
  async (persona) => {
    const zones = new Set<unknown>()
    for (const seed of [1, 2, 3, 4]) {
      const team = createMock({ seed, now: '2025-06-01T09:00:00Z' }).team()
      const { user_id } = team.users.create({ persona, time_zone: 'Pacific/Auckland' })
      const client = new ServiceClient(team.connection())
      const start_date = '2024-06-10'
      const { activity } = await client.summaries.list(user_id, 'activity', { start_date })
      for (const day of activity) zones.add(day['time_zone'])
      const { sleep } = await client.summaries.list(user_id, 'sleep', { start_date })
      expect(sleep.filter((night) => !isLocal(night))).toEqual([])
      const days = activity.map(
        ({ calendar_date, source }) => `${calendar_date} ${source.provider}`,
      )
      expect(new Set(days).size).toBe(days.length)
    }
    expect(zones.size).toBeGreaterThan(1)
  },
)
