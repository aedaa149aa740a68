import { assertEqual, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import {
  by,
  funcs,
  pastTimeframe,
  queryOf,
  queryTables,
  readTables,
  request,
  send,
} from './queries.ts'
import {
  addSleeper,
  assertComputed,
  assertRows,
  groupRows,
  keys,
  type Night,
  nights,
} from './reference.ts'

export const aggregateGroupCases = defineCases(['user', 'addHealthData'], {
  '4.11/timeframes': {
    title: "Aggregates only the rows in the request's timeframe",
    rules: ['2.10/objects', '4.11/body'],
    async run(service) {
      const slept = Array.from({ length: 12 }, (_, month) => [
        { at: `2024-${String(month + 1).padStart(2, '0')}-15T07:00:00`, duration: 1000 + month },
        { at: `2025-${String(month + 1).padStart(2, '0')}-15T07:00:00`, duration: 2000 + month },
      ]).flat()
      const sleeper = await addSleeper(service, slept)
      for (const [timeframe, from, to] of [
        [pastTimeframe(20), '2025-05-11', '2025-05-31'],
        [pastTimeframe(50), '2025-04-11', '2025-05-31'],
        [pastTimeframe(10), '2025-06-01', '2025-05-31'],
        [pastTimeframe(340), '2024-06-25', '2025-05-31'],
        [pastTimeframe(1000, 'day', '2025-12-31'), '2023-01-01', '2025-12-31'],
        [pastTimeframe(20, 'day', '2024-10-31'), '2024-10-11', '2024-10-31'],
        [pastTimeframe(50, 'day', '2024-10-20'), '2024-09-01', '2024-10-20'],
        [pastTimeframe(60 * 24 * 20, 'minute'), '2025-05-11', '2025-05-31'],
      ] as const) {
        const inside = slept.filter(({ at }) => at >= from && at.slice(0, 10) <= to)
        const selection = { slept: inside, request: { timeframe } }
        await assertComputed(sleeper, ['max duration_second'], selection)
      }
    },
  },
  '4.11/groups': {
    title: 'Groups rows by minute, hour, day, month and year',
    rules: ['2.10/objects', '2.10/value', '4.11/json'],
    async run(service: TestedService) {
      const sleeper = await addSleeper(service, [...nights, ...nights.map(toEarlierYear)])
      const timeframe = pastTimeframe(700)
      for (const unit of ['minute', 'hour', 'day', 'month', 'year'] as const) {
        const group_by = [by(unit)]
        const probe = request([queryOf(funcs('duration_second'), { group_by })], { timeframe })
        const { status } = await send(service, sleeper.user, probe)
        service.presume(unit === 'minute' || status < 400, `${unit} is a time unit`)
        await assertComputed(sleeper, funcs('duration_second'), { unit, request: { timeframe } })
      }
    },
  },
  '4.11/wide-groups': {
    title: 'Groups rows by periods of several days',
    rules: ['2.10/value', '2.10/objects'],
    async run(service) {
      const days = Array.from({ length: 12 }, (_, at) => String(20 + at))
      const slept = days.map((day, at) => ({ at: `2025-05-${day}T07:00:00`, duration: 100 + at }))
      const { user } = await addSleeper(service, slept)
      for (const [value, fewest] of [
        [1, 12],
        [2, 6],
        [3, 4],
        [6, 2],
        [12, 1],
        [1, 12],
      ] as const) {
        const queries = [queryOf(['max duration_second'], { group_by: [by('day', value)] })]
        const [table = {}] = await queryTables(service, user, queries)
        const count = table['index']?.length ?? 0
        // The specification does not define where groups begin, so there may be one more group.
        const most = value === 1 ? fewest : fewest + 1
        const counts = value === 1 ? fewest : `${fewest} or ${most}`
        const message = `Expected ${counts} groups for a group_by value of ${value}, found ${count}.`
        assertThat(count >= fewest && count <= most, message)
        const isLast = (found: unknown) => Math.abs(Number(found) - 111) < 1e-6
        assertThat(table['max']?.some(isLast) === true, 'Expected a group to contain the last day.')
      }
    },
  },
  '4.11/empty': {
    title: 'Returns no rows for a timeframe without data',
    rules: ['4.11/json'],
    async run(service) {
      const { user } = await addSleeper(service, nights)
      const timeframe = pastTimeframe(30, 'day', '2001-05-31')
      const queries = [queryOf(funcs('duration_second')), queryOf(['max score'])]
      for (const table of await queryTables(service, user, queries, { timeframe })) {
        assertEqual(table['index']?.length ?? 0, 0, 'the number of rows')
      }
    },
  },
  '4.11/where': {
    title: "Applies each query's where filter only to that query",
    rules: ['2.10/objects'],
    async run(service: TestedService) {
      const { user } = await addSleeper(service, nights)
      const filters = [
        ['duration_second > 20000', (night: Night) => (night.duration ?? 0) > 20_000],
        ['duration_second < 0', () => false],
        ['score <= 62', (night: Night) => (night.score ?? 100) <= 62],
        [undefined, () => true],
      ] as const
      const queries = filters.map(([where]) => queryOf(['newest duration_second'], { where }))
      const response = await send(service, user, request(queries))
      service.presume(response.status < 400, 'the where field is an expression over columns')
      const tables = readTables(response, queries.length)
      for (const [at, [, keeps]] of filters.entries()) {
        const expected = groupRows(nights.filter(keeps), keys.day, ['newest duration_second'])
        assertRows(tables[at] ?? {}, expected, ['newest'])
      }
    },
  },
  '2.10/timeframe-bounds': {
    title: "Includes all of a timeframe's first day and all of its anchor day",
    rules: ['2.10/objects'],
    assumption: 'a timeframe ends at the end of its anchor day; a week has seven days',
    async run(service) {
      for (const [timeframe, first, last] of [
        [pastTimeframe(1), '2025-05-31', '2025-05-31'],
        [pastTimeframe(2), '2025-05-30', '2025-05-31'],
        [pastTimeframe(7), '2025-05-25', '2025-05-31'],
        [pastTimeframe(1, 'week'), '2025-05-25', '2025-05-31'],
        [pastTimeframe(2, 'week'), '2025-05-18', '2025-05-31'],
        [pastTimeframe(30), '2025-05-02', '2025-05-31'],
        [pastTimeframe(1, 'month', '2025-05-15'), '2025-04-16', '2025-05-15'],
        [pastTimeframe(1, 'year', '2025-05-15'), '2024-05-16', '2025-05-15'],
        [pastTimeframe(3, 'day', '2024-03-01'), '2024-02-28', '2024-03-01'],
        [pastTimeframe(24, 'hour', '2025-05-15'), '2025-05-15', '2025-05-15'],
        [pastTimeframe(1440, 'minute', '2025-05-15'), '2025-05-15', '2025-05-15'],
      ] as const) {
        const slept = [
          { at: `${first}T00:00:00`, duration: 101 },
          { at: `${last}T23:59:00`, duration: 102 },
          { at: `${shift(first, -1)}T23:59:00`, duration: 103 },
          { at: `${shift(last, 1)}T00:00:00`, duration: 104 },
        ]
        const sleeper = await addSleeper(service, slept)
        const selection = { slept: slept.slice(0, 2), request: { timeframe } }
        await assertComputed(sleeper, ['sum duration_second', 'count duration_second'], selection)
      }
    },
  },
  '2.10/time-of-day': {
    title: "Counts a timeframe's hours or minutes back from the end of the anchor day",
    rules: ['2.10/objects'],
    assumption: 'a timeframe ends at the end of its anchor day',
    async run(service) {
      const slept = ['11:59', '12:00', '22:29', '22:30', '23:59'].map((time, at) => {
        return { at: `2025-05-31T${time}:00`, duration: 100 + at }
      })
      const sleeper = await addSleeper(service, slept)
      for (const [timeframe, first] of [
        [pastTimeframe(12, 'hour'), 1],
        [pastTimeframe(90, 'minute'), 3],
        [pastTimeframe(1, 'hour'), 4],
      ] as const) {
        const selection = {
          unit: 'minute',
          slept: slept.slice(first),
          request: { timeframe },
        } as const
        await assertComputed(sleeper, ['min duration_second'], selection)
      }
    },
  },
  '2.10/weeks': {
    title: 'Starts weekly groups on Monday, regardless of the unit of past',
    rules: ['2.10/value', '2.10/objects'],
    assumption: 'weeks start on Monday; a timeframe ends at the end of its anchor day',
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      for (const [value, unit] of [
        [5, 'week'],
        [1, 'month'],
        [1, 'year'],
      ]) {
        const request = { timeframe: pastTimeframe(value, unit) }
        await assertComputed(sleeper, funcs('duration_second'), { unit: 'week', request })
      }
    },
  },
  '2.10/wide-groups': {
    title: 'Aligns groups of several units to 1970-01-01, or to Monday 1970-01-05 for weeks',
    rules: ['2.10/value'],
    assumption:
      'groups of several units are aligned to 1970-01-01; weeks are aligned to Monday 1970-01-05',
    async run(service) {
      const sleeper = await addSleeper(service, nights)
      for (const [unit, value, width] of [
        ['minute', 30, 30],
        ['hour', 6, 360],
        ['day', 2, 2880],
        ['day', 7, 10_080],
        ['week', 2, 20_160],
      ] as const) {
        const origin = unit === 'week' ? Date.parse('1970-01-05T00:00:00Z') : 0
        const keyOf = (at: string) => {
          const span = width * 60_000
          const start = Math.floor((Date.parse(`${at}Z`) - origin) / span) * span + origin
          return new Date(start).toISOString().slice(0, 16)
        }
        await assertComputed(sleeper, ['newest duration_second'], { unit, value, keyOf })
      }
      for (const [unit, value, key] of [
        ['month', 2, '2025-05'],
        ['month', 3, '2025-04'],
        ['year', 2, '2024-01'],
        ['year', 5, '2025-01'],
      ] as const) {
        await assertComputed(sleeper, ['max duration_second'], { unit, value, keyOf: () => key })
      }
    },
  },
  '4.11/index': {
    title: 'Returns index as local times without a time zone, in ascending order',
    rules: ['4.11/json'],
    assumption: 'index contains the start of each group, such as 2025-02-17T00:00:00',
    async run(service) {
      const { user } = await addSleeper(service, nights)
      for (const [unit, length] of [
        ['hour', 13],
        ['day', 10],
        ['month', 7],
      ] as const) {
        const [table = {}] = await queryTables(service, user, [
          queryOf(['max duration_second'], { group_by: [by(unit)] }),
        ])
        const starts = [...new Set(nights.map(({ at }) => at.slice(0, length)))].toSorted()
        const expected = starts.map((start) => `${start}${'0000-01-01T00:00:00'.slice(length)}`)
        assertEqual(table['index'], expected, 'index')
      }
    },
  },
})

function toEarlierYear({ at, duration, score = null }: Night): Night {
  return { at: at.replace('2025-05', '2024-03'), duration: duration && duration + 60, score }
}

function shift(date: string, days: number): string {
  const moment = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000
  return new Date(moment).toISOString().slice(0, 10)
}
