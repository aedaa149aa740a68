import {
  before,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
  withFirst,
} from '../../mutant.ts'
import { aggregate } from '../targets.ts'

type Table = Record<string, Json[]>

/** Changes every table of a response. */
function tables(change: (table: Table, at: number) => void) {
  return changeResponses(aggregate, ({ results }) => {
    for (const [at, { table }] of results.entries()) change(table, at)
  })
}

/** Changes every query of a request. */
function queries(change: (query: Json, at: number) => void) {
  return before(aggregate, ({ body }) => body.queries.forEach(change))
}

function timeframes(change: (timeframe: Json) => void) {
  return before(aggregate, ({ body }) => change(body.timeframe))
}

/** Replaces a function by another one, under its name. */
function instead(name: string, func: string): Mutant {
  return {
    name: `computes ${func} for ${name}`,
    rule: '2.10/objects',
    only: ['4.11'],
    between: (fetch, key) => {
      const asked = before(aggregate, ({ body, headers }) => {
        if (headers.get('accept')?.includes('parquet')) return
        for (const query of body.queries) {
          for (const item of query.select) if (item.func === name) item.func = func
        }
      })
      const named = changeResponses(aggregate, ({ results }) => {
        for (const { table } of results) {
          if (!table[func]) continue
          table[name] ??= table[func]
        }
      })
      return named(asked(fetch, key), key)
    },
  }
}

export const aggregateMutants: Mutant[] = [
  instead('mean', 'median'),
  instead('newest', 'oldest'),
  instead('newest', 'max'),
  instead('min', 'oldest'),
  {
    name: 'returns columns of unequal length',
    rule: '4.11/json',
    between: tables((table) => table['index']?.pop()),
  },
  {
    name: 'returns one value too many in the second column',
    rule: '4.11/json',
    between: tables((table) => Object.values(table)[1]?.push(null)),
  },
  {
    name: 'returns results in the reverse order',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body) => {
      body.results.reverse()
    }),
  },
  {
    name: 'returns the first result for every query',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body) => {
      body.results = body.results.map(() => body.results[0])
    }),
  },
  {
    name: 'returns equal queries once',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body, call) => {
      const texts: string[] = call.body.queries.map((query: Json) => JSON.stringify(query))
      body.results = body.results.filter(
        (_: Json, at: number) => texts.indexOf(texts[at] ?? '') === at,
      )
    }),
  },
  {
    name: 'omits results without rows',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body) => {
      body.results = body.results.filter(({ table }: Json) => table.index.length > 0)
    }),
  },
  {
    name: 'returns at most five results',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body) => {
      body.results.length = Math.min(5, body.results.length)
    }),
  },
  {
    name: 'returns tables without an index',
    rule: '4.11/json',
    between: tables((table) => delete table['index']),
  },
  {
    name: 'returns the table itself as the result',
    rule: '4.11/json',
    between: changeResponses(aggregate, (body) => {
      body.results = body.results.map(({ table }: Json) => table)
    }),
  },
  {
    name: 'returns rows instead of columns',
    rule: '4.11/json',
    between: changeResponses(aggregate, ({ results }) => {
      for (const result of results) {
        const { index } = result.table
        result.table = index.map((_: Json, at: number) =>
          Object.fromEntries(
            Object.entries<Json>(result.table).map(([name, values]) => [name, values[at]]),
          ),
        )
      }
    }),
  },
  {
    name: 'confuses min and max',
    rule: '4.11/json',
    between: tables((table) => {
      const { min, max } = table
      if (min && max) Object.assign(table, { min: max, max: min })
    }),
  },
  {
    name: 'returns another column of each table',
    rule: '4.11/json',
    between: tables((table) => {
      table['count'] = table['index'] ?? []
    }),
  },
  {
    name: 'computes only the first aggregation of a query',
    rule: '4.11/json',
    between: queries((query) => {
      query.select = query.select.slice(0, 1)
    }),
  },
  {
    name: 'names columns after the column of the resource',
    rule: '4.11/json',
    between: tables((table) => {
      for (const name of Object.keys(table)) {
        if (name === 'index') continue
        table[`${name}.value`] = table[name] ?? []
        delete table[name]
      }
    }),
  },
  {
    name: 'rounds means to integers',
    rule: '4.11/json',
    between: tables(({ mean }) => {
      mean?.forEach((value, at) => {
        if (value !== null) mean[at] = Math.round(value)
      })
    }),
  },
  {
    name: 'returns numbers as strings',
    rule: '4.11/json',
    between: tables(({ max }) => {
      max?.forEach((value, at) => {
        max[at] = String(value)
      })
    }),
  },
  {
    name: 'shifts a column by one row',
    rule: '4.11/json',
    between: tables(({ max }) => {
      if (max && max.length > 1) max.unshift(max.pop())
    }),
  },
  {
    name: 'sorts the values of a column',
    rule: '4.11/json',
    between: tables(({ max }) => {
      max?.sort((one, other) => one - other)
    }),
  },
  {
    name: 'omits the first row',
    rule: '4.11/json',
    between: tables((table) => {
      for (const column of Object.values(table)) column.shift()
    }),
  },
  {
    name: 'omits the last row',
    rule: '4.11/json',
    between: tables((table) => {
      for (const column of Object.values(table)) column.pop()
    }),
  },
  {
    name: 'returns the first row twice',
    rule: '4.11/json',
    between: tables((table) => {
      for (const column of Object.values(table)) column.unshift(column[0])
    }),
  },
  {
    name: 'returns a row for every day of the timeframe',
    rule: '4.11/json',
    between: tables((table) => {
      table['index']?.push('2025-05-03T00:00:00')
      for (const [name, column] of Object.entries(table)) if (name !== 'index') column.push(null)
    }),
  },
  {
    name: 'returns index a day later',
    rule: '4.11/json',
    between: tables(({ index }) => {
      index?.forEach((value, at) => {
        const moment = Date.parse(`${value}Z`) + 86_400_000
        index[at] = new Date(moment).toISOString().slice(0, 19)
      })
    }),
  },
  {
    name: 'ignores where',
    rule: '2.10/objects',
    only: ['4.11'],
    between: queries((query) => delete query.where),
  },
  {
    name: 'uses where of the first query for all',
    rule: '2.10/objects',
    only: ['4.11'],
    between: before(aggregate, ({ body }) => {
      for (const query of body.queries) query.where = body.queries[0].where
    }),
  },
  {
    name: 'ignores group_by',
    rule: '2.10/objects',
    only: ['4.11'],
    between: queries((query) => delete query.group_by),
  },
  {
    name: 'groups by day only',
    rule: '2.10/objects',
    only: ['4.11'],
    between: queries(({ group_by: [group] }) => {
      group.date_trunc.unit = 'day'
    }),
  },
  {
    name: 'ignores the value of date_trunc',
    rule: '2.10/value',
    only: ['4.11'],
    between: queries(({ group_by: [group] }) => {
      if (Number.isInteger(group.date_trunc.value)) group.date_trunc.value = 1
    }),
  },
  {
    name: 'doubles the value of date_trunc',
    rule: '2.10/value',
    only: ['4.11'],
    between: queries(({ group_by: [group] }) => {
      if (group.date_trunc.value > 2) group.date_trunc.value *= 2
    }),
  },
  {
    name: 'uses a timeframe that is ten times as long',
    rule: '2.10/objects',
    only: ['4.11'],
    between: timeframes(({ past }) => {
      if (past.value > 0) past.value *= 10
    }),
  },
  {
    name: 'uses half of the timeframe',
    rule: '2.10/objects',
    only: ['4.11'],
    between: timeframes(({ past }) => {
      if (past.value > 1) past.value = Math.ceil(past.value / 2)
    }),
  },
  {
    name: 'reads the past as days',
    rule: '2.10/objects',
    only: ['4.11'],
    between: timeframes(({ past }) => {
      past.unit = 'day'
    }),
  },
  {
    name: 'ignores the anchor',
    rule: '2.10/objects',
    only: ['4.11'],
    between: timeframes((timeframe) => {
      if (timeframe.anchor.startsWith('20')) timeframe.anchor = '2025-05-31'
    }),
  },
  {
    name: 'includes rows after the anchor',
    rule: '2.10/objects',
    only: ['4.11'],
    between: timeframes((timeframe) => {
      const { anchor, past } = timeframe
      if (past.unit !== 'day' || past.value < 40) return
      const later = Date.parse(anchor) + 30 * 86_400_000
      timeframe.anchor = new Date(later).toISOString().slice(0, 10)
      past.value += 30
    }),
  },
  {
    name: 'uses the first timeframe for all requests',
    rule: '4.11/body',
    between: withFirst((first) =>
      before(aggregate, ({ body }) => {
        body.timeframe = first(body.timeframe)
      }),
    ),
  },
  {
    name: 'returns the first result of each user for all later requests',
    rule: '4.11/json',
    between: stick(aggregate, ({ url }) => url.pathname),
  },
  {
    name: 'returns the result of the first user for every other',
    rule: '4.11/path',
    between: (fetch, key) => {
      let first: string | undefined
      const repeat = before(aggregate, ({ url }) => {
        first ??= url.pathname
        if (url.pathname.length === first.length) url.pathname = first
      })
      return repeat(fetch, key)
    },
  },
  {
    name: "returns another team's data",
    rule: '5/team-key',
    only: ['4.11'],
    between: before(aggregate, ({ headers }, key) => headers.set('x-service-api-key', key)),
  },
  {
    name: 'counts missing values as 0',
    rule: '4.11/json',
    setup: (setup) => ({
      ...setup,
      addHealthData: (user, rows) =>
        setup.addHealthData?.(
          user,
          rows.map(({ resource, values }) => ({
            resource,
            values: Object.fromEntries(
              Object.entries(values).map(([name, value]) => [name, value ?? 0]),
            ),
          })),
        ),
    }),
  },
  {
    name: 'orders the rows of a day by their insertion',
    rule: '2.10/objects',
    only: ['4.11'],
    setup: (setup) => ({
      ...setup,
      addHealthData: (user, rows) =>
        setup.addHealthData?.(
          user,
          rows.map(({ resource, values }, at) => {
            const time = String(values['session_end']).slice(0, 10)
            const session_end = `${time}T00:${String(at).padStart(2, '0')}:00`
            return { resource, values: { ...values, session_end } }
          }),
        ),
    }),
  },
  {
    name: 'rejects more than ten queries',
    rule: '4.11/parquet',
    between: rejectCalls(aggregate, ({ body }) => body.queries.length > 10),
  },
]
