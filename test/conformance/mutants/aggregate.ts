import { before, changeResponses, type Json, type Mutant, rejectCalls } from '../mutant.ts'

const aggregate = /^POST \/aggregate\/.*\/query$/
const summaries = /^GET \/v2\/summary\//
const profile = /^GET \/v2\/summary\/profile\//
const aDay = { unit: 'day', value: 1 }

export const aggregateMutants: Mutant[] = [
  // Aggregate queries
  {
    name: 'returns columns of unequal length',
    only: ['4.11'],
    between: changeResponses(aggregate, ({ results }) => {
      for (const { table } of results) table.index.pop()
    }),
  },
  {
    name: 'returns results in the reverse order',
    only: ['4.11'],
    between: changeResponses(aggregate, (body) => {
      body.results.reverse()
    }),
  },
  {
    name: 'returns tables without an index',
    only: ['4.11'],
    between: changeResponses(aggregate, ({ results }) => {
      for (const { table } of results) delete table.index
    }),
  },
  {
    name: 'confuses min and max',
    only: ['4.11'],
    between: changeResponses(aggregate, ({ results }) => {
      for (const { table } of results) {
        if (table.min && table.max) [table.min, table.max] = [table.max, table.min]
      }
    }),
  },
  {
    name: 'accepts queries for users whose ids are not UUIDs',
    only: ['4.11'],
    between: rejectCalls(/not-a-uuid\/query$/, () => true, 200),
  },
  {
    name: 'ignores where',
    only: ['4.11'],
    between: before(aggregate, ({ body }) => {
      for (const query of body.queries ?? []) delete query.where
    }),
  },
  {
    name: 'ignores group_by',
    only: ['4.11'],
    between: changeResponses(aggregate, ({ results }) => {
      for (const { table } of results) {
        table.index = table.index.map(() => table.index[0])
      }
    }),
  },
  {
    name: 'accepts the 30th of February for an anchor',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.anchor === '2025-02-30') body.timeframe.anchor = '2025-02-28'
    }),
  },
  {
    name: 'uses a timeframe that is ten times as long',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.past?.value > 0) body.timeframe.past.value *= 10
    }),
  },
  {
    name: 'accepts a timeframe of no days',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.past?.value === 0) body.timeframe.past = aDay
    }),
  },
  {
    name: 'accepts groups of half a day',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      for (const { date_trunc } of body.queries?.[0]?.group_by ?? []) {
        if (date_trunc.value === 1.5) date_trunc.value = 2
      }
    }),
  },
  {
    name: 'rejects the unit minute',
    only: ['2.10'],
    between: rejectCalls(aggregate, ({ body }) => body.timeframe?.past?.unit === 'minute'),
  },
  {
    name: 'accepts a request without queries',
    only: ['4.11'],
    between: before(aggregate, ({ body }) => {
      body.queries ??= []
    }),
  },
  {
    name: 'requires a config',
    only: ['4.11'],
    between: rejectCalls(aggregate, ({ body }) => body.config === undefined),
  },
  {
    name: 'rejects the media type */*',
    only: ['4.11'],
    between: rejectCalls(aggregate, ({ headers }) => headers.get('accept') === '*/*', 406),
  },
  {
    name: 'returns JSON when Parquet is requested',
    only: ['4.11'],
    between: before(aggregate, ({ headers }) => headers.delete('accept')),
  },
  // Summaries
  {
    name: 'returns summaries without the provider of their source',
    only: ['4.12'],
    between: changeResponses(summaries, (body) => {
      const list = Object.values<Json>(body).find(Array.isArray) ?? []
      for (const { source } of list) delete source.provider
    }),
  },
  {
    name: 'returns the height of a profile as a string',
    only: ['2.9'],
    between: changeResponses(profile, (body) => {
      body.height = `${body.height} cm`
    }),
  },
  {
    name: 'has no summaries of meals',
    only: ['4.12'],
    between: rejectCalls(/^GET \/v2\/summary\/meal\//, () => true, 404),
  },
  {
    name: 'omits the deprecated source fields before their removal',
    only: ['9'],
    options: { deprecatedFields: 'never' },
  },
]
