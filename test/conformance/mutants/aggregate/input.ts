import { before, type Json, type Mutant, rejectCalls, withFirst } from '../../mutant.ts'
import { aggregate } from '../targets.ts'

const parquet = 'application/vnd.service.tar+gzip+parquet'

/** Corrects an invalid request, so that the service accepts it. */
function accepts(
  name: string,
  rule: string,
  change: (body: Json) => void,
  only = [rule.slice(0, rule.indexOf('/'))],
): Mutant {
  return { name, rule, only, between: before(aggregate, ({ body }) => change(body)) }
}

const isArray = Array.isArray

export const aggregateInputMutants: Mutant[] = [
  {
    name: 'accepts queries for users whose ids are not UUIDs',
    rule: '4.11/path',
    between: rejectCalls(/not-a-uuid\/query$/, () => true, 200),
  },
  accepts('accepts the 30th of February for an anchor', '2.10/objects', ({ timeframe }) => {
    if (timeframe.anchor === '2025-02-30') timeframe.anchor = '2025-02-28'
  }),
  accepts('accepts anchors without hyphens', '2.10/objects', ({ timeframe }) => {
    timeframe.anchor = timeframe.anchor.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  }),
  accepts('accepts any text for an anchor', '2.10/objects', ({ timeframe }) => {
    if (Number.isNaN(Date.parse(timeframe.anchor))) timeframe.anchor = '2025-05-31'
  }),
  {
    name: 'rejects the 29th of February of a leap year',
    rule: '2.10/objects',
    between: rejectCalls(aggregate, ({ body }) => body.timeframe.anchor.endsWith('-02-29')),
  },
  accepts('accepts a timeframe of no days', '2.10/value', ({ timeframe: { past } }) => {
    if (past.value === 0) past.value = 1
  }),
  accepts('uses the size of a negative past', '2.10/value', ({ timeframe: { past } }) => {
    if (past.value < 0) past.value = -past.value
  }),
  accepts('rounds a fraction of past', '2.10/value', ({ timeframe: { past } }) => {
    if (past.value === 1.5) past.value = 2
  }),
  accepts('accepts digits in a string for past', '2.10/value', ({ timeframe: { past } }) => {
    if (past.value === '1') past.value = 1
  }),
  accepts('ignores a value of date_trunc that is no number', '2.10/value', ({ queries }) => {
    for (const { group_by } of queries) {
      const { date_trunc } = group_by[0]
      if (typeof date_trunc.value !== 'number') date_trunc.value = 1
    }
  }),
  accepts('accepts groups of half a day', '2.10/value', ({ queries }) => {
    for (const { date_trunc } of queries[0].group_by) {
      if (date_trunc.value === 1.5) date_trunc.value = 2
    }
  }),
  accepts('accepts groups of no days', '2.10/value', ({ queries }) => {
    for (const { date_trunc } of queries[0].group_by) {
      if (date_trunc.value === 0) date_trunc.value = 1
    }
  }),
  accepts('checks the value of the first query only', '2.10/value', ({ queries }) => {
    for (const { group_by } of queries.slice(1)) group_by[0].date_trunc.value = 1
  }),
  {
    name: 'rejects the unit minute',
    rule: '2.10/value',
    between: rejectCalls(
      aggregate,
      ({ body }) => body.queries[0].group_by[0].date_trunc.unit === 'minute',
    ),
  },
  {
    name: 'rejects a past of minutes',
    rule: '2.10/value',
    between: rejectCalls(aggregate, ({ body }) => body.timeframe.past.unit === 'minute'),
  },
  accepts('accepts a request without queries', '4.11/body', (body) => {
    body.queries ??= []
  }),
  accepts('accepts a request without a timeframe', '4.11/body', (body) => {
    const past = { unit: 'day', value: 30 }
    body.timeframe ??= { type: 'relative', anchor: '2025-05-31', past }
  }),
  accepts('accepts one query instead of an array', '4.11/body', (body) => {
    if (body.queries.select) body.queries = [body.queries]
  }),
  accepts('ignores queries that are not objects', '4.11/body', (body) => {
    body.queries = body.queries.filter((query: Json) => typeof query === 'object')
  }),
  accepts(
    'accepts one group_by item instead of an array',
    '2.10/objects',
    ({ queries }) => {
      for (const query of queries) {
        if (query.group_by && !isArray(query.group_by)) query.group_by = [query.group_by]
      }
    },
    ['4.11'],
  ),
  accepts(
    'ignores a where that is no string',
    '2.10/objects',
    ({ queries }) => {
      for (const query of queries) if (typeof query.where !== 'string') delete query.where
    },
    ['4.11'],
  ),
  accepts(
    'accepts one provider instead of an array of overrides',
    '2.10/objects',
    ({ config }) => {
      if (typeof config.provider_priority_overrides === 'string') {
        config.provider_priority_overrides = [config.provider_priority_overrides]
      }
    },
    ['4.11'],
  ),
  accepts(
    'drops numbers from provider_priority_overrides',
    '2.10/objects',
    ({ config }) => {
      config.provider_priority_overrides = config.provider_priority_overrides.filter(
        (provider: Json) => typeof provider === 'string',
      )
    },
    ['4.11'],
  ),
  accepts('ignores a config that is no object', '4.11/body', (body) => {
    if (typeof body.config === 'string') delete body.config
  }),
  {
    name: 'requires a config',
    rule: '4.11/body',
    between: rejectCalls(aggregate, ({ body }) => body.config === undefined),
  },
  {
    name: 'requires provider_priority_overrides in a config',
    rule: '4.11/body',
    between: rejectCalls(
      aggregate,
      ({ body }) => body.config && body.config.provider_priority_overrides === undefined,
    ),
  },
  {
    name: 'rejects a config with an empty list',
    rule: '2.10/objects',
    only: ['4.11'],
    between: rejectCalls(
      aggregate,
      ({ body }) => body.config?.provider_priority_overrides?.length === 0,
    ),
  },
  {
    name: 'rejects the media type */*',
    rule: '4.11/accept',
    between: rejectCalls(aggregate, ({ headers }) => headers.get('accept') === '*/*', 406),
  },
  {
    name: 'returns Parquet for */*',
    rule: '4.11/accept',
    between: before(aggregate, ({ headers }) => {
      if (headers.get('accept') === '*/*') headers.set('accept', parquet)
    }),
  },
  {
    name: 'returns Parquet without an accept header',
    rule: '4.11/accept',
    between: before(aggregate, ({ headers }) => {
      if (!headers.has('accept')) headers.set('accept', parquet)
    }),
  },
  {
    name: 'requires an accept header',
    rule: '4.11/accept',
    between: rejectCalls(aggregate, ({ headers }) => !headers.has('accept'), 406),
  },
  {
    name: 'returns JSON when Parquet is requested',
    rule: '4.11/parquet',
    between: before(aggregate, ({ headers }) => headers.delete('accept')),
  },
  {
    name: 'returns Parquet once it was requested',
    rule: '4.11/accept',
    between: (fetch, key) => {
      let isParquet = false
      const repeat = before(aggregate, ({ headers }) => {
        isParquet ||= headers.get('accept') === parquet
        if (isParquet) headers.set('accept', parquet)
      })
      return repeat(fetch, key)
    },
  },
  ...Object.entries<(body: Json) => void>({
    'reverses the Parquet files': ({ queries }) => queries.reverse(),
    'numbers Parquet files by their names': ({ queries }) => {
      const byName = queries.map((_: Json, at: number) => `${at}`).toSorted()
      queries.splice(0, queries.length, ...byName.map((at: string) => queries[Number(at)]))
    },
    'omits the last Parquet file': ({ queries }) => {
      if (queries.length > 1) queries.pop()
    },
    'adds a Parquet file': ({ queries }) => queries.push(queries[0]),
    'writes the first table to all Parquet files': ({ queries }) => queries.fill(queries[0]),
    'ignores the timeframe of a Parquet request': ({ timeframe }) => {
      timeframe.past = { unit: 'day', value: 30 }
      timeframe.anchor = '2025-05-31'
    },
    'computes one aggregation only for Parquet': ({ queries }) => {
      for (const query of queries) query.select.length = 1
    },
    'ignores group_by for Parquet': ({ queries }) => {
      for (const query of queries) delete query.group_by
    },
  }).map(
    ([name, change]): Mutant => ({
      name,
      rule: '4.11/parquet',
      between: before(aggregate, ({ headers, body }) => {
        if (headers.get('accept') === parquet) change(body)
      }),
    }),
  ),
  {
    name: 'returns the Parquet of the first user for every other',
    rule: '4.11/parquet',
    between: withFirst((first) =>
      before(aggregate, ({ headers, url }) => {
        if (headers.get('accept') !== parquet) return
        url.pathname = first(url.pathname)
      }),
    ),
  },
  {
    name: 'returns Parquet without compression',
    rule: '4.11/parquet',
    between: (fetch) => async (input, init) => {
      const response = await fetch(input, init)
      if (new Headers(init?.headers).get('accept') !== parquet || !response.body) return response
      return new Response(response.body.pipeThrough(new DecompressionStream('gzip')))
    },
  },
]
