import { before, type Call, type Mutant, stick } from '../mutant.ts'
import {
  aggregate,
  imports,
  info,
  insurance,
  markers,
  orderSet,
  pages,
  providers,
  testMarkers,
  token,
} from '../mutants/targets.ts'

const ofAggregates = { rule: '4.11/json', only: ['4.11', '2.10'] }
const ofParquet = { rule: '4.11/parquet', only: ['4.11'] }
const userOf = ({ url }: Call) => url.pathname.split('/').at(-2)

/** Returns a stored archive again for requests with the same key. */
function archived(name: string, keyOf: (user: string, body: string) => string): Mutant {
  return {
    ...ofParquet,
    name,
    between: (fetch) => {
      const stored = new Map<string, Uint8Array<ArrayBuffer>>()
      return async (input, init = {}) => {
        const response = await fetch(input, init)
        const isArchive = /parquet/.test(response.headers.get('content-type') ?? '')
        if (!isArchive || !response.ok) return response
        const user = new URL(String(input)).pathname.split('/').at(-2) ?? ''
        const key = keyOf(user, String(init.body))
        const bytes = stored.get(key) ?? new Uint8Array(await response.arrayBuffer())
        stored.set(key, bytes)
        return new Response(bytes, response)
      }
    },
  }
}

const part = (body: string, ...names: string[]) =>
  JSON.stringify(names.map((name) => JSON.parse(body)[name]))

/** Keeps a parameter of an earlier request when a later one does not have it. */
function sticky(
  name: string,
  rule: string,
  lines: string | RegExp,
  ...parameters: string[]
): Mutant {
  return {
    rule,
    name,
    only: ['4.4', '4.5', '4.6', '4.9'],
    between: (fetch, key) => {
      const known = new Map<string, string>()
      const keep = before(lines, ({ url }) => {
        for (const parameter of parameters) {
          const sent = url.searchParams.get(parameter)
          if (sent !== null) known.set(parameter, sent)
          const kept = known.get(parameter)
          if (sent === null && kept !== undefined) url.searchParams.set(parameter, kept)
        }
      })
      return keep(fetch, key)
    },
  }
}

/** Keeps a part of the body of aggregate queries. */
function keeps(
  name: string,
  field: string,
  kept: (earlier: unknown, sent: unknown) => boolean,
): Mutant {
  return {
    ...ofAggregates,
    name,
    between: (fetch, key) => {
      let earlier: unknown
      const keep = before(aggregate, ({ body }) => {
        for (const query of body.queries) {
          if (kept(earlier, query[field])) query[field] = earlier
          else earlier = query[field]
        }
      })
      return keep(fetch, key)
    },
  }
}

const page = (body: { page?: number }) => (body.page ?? 1) > 1

/** Results of an earlier request that later ones get again. */
export const stale: Mutant[] = [
  archived('returns the Parquet of a user again', (user) => user),
  archived('returns the Parquet of a request again', (user, body) => user + body),
  archived(
    'returns the Parquet of the same queries again',
    (user, body) => user + part(body, 'queries'),
  ),
  archived(
    'returns the Parquet of the same timeframe again',
    (user, body) => user + part(body, 'timeframe'),
  ),
  archived('returns the Parquet of the same queries to every user', (_, body) =>
    part(body, 'queries', 'timeframe'),
  ),
  archived(
    'returns the Parquet of as many queries again',
    (user, body) => user + JSON.parse(body).queries.length,
  ),
  archived(
    'returns the Parquet of a body of the same length again',
    (user, body) => user + body.length,
  ),
  {
    ...ofAggregates,
    name: 'returns the result of a request again',
    between: stick(aggregate, (call) => userOf(call) + JSON.stringify(call.body)),
  },
  {
    ...ofAggregates,
    name: 'returns the result of the same timeframe again',
    between: stick(aggregate, (call) => userOf(call) + JSON.stringify(call.body.timeframe)),
  },
  {
    ...ofAggregates,
    name: 'returns the result of the same queries again',
    between: stick(aggregate, (call) => userOf(call) + JSON.stringify(call.body.queries)),
  },
  {
    ...ofAggregates,
    name: 'returns the result of the same number of queries again',
    between: stick(aggregate, (call) => `${userOf(call)}${call.body.queries.length}`),
  },
  {
    ...ofAggregates,
    name: 'returns the result of a body to every user',
    between: stick(aggregate, ({ body }) => JSON.stringify(body)),
  },
  keeps(
    'keeps where for later queries without it',
    'where',
    (earlier, sent) => sent === undefined && earlier !== undefined,
  ),
  keeps('keeps group_by of the first query', 'group_by', (earlier) => earlier !== undefined),
  keeps('keeps select of the first query', 'select', (earlier) => earlier !== undefined),
  {
    rule: '4.3/response',
    name: 'returns the lists of an import of the same users again',
    survives: 'An import of the same users may have the same result.',
    only: ['4.3', '7'],
    between: stick(imports, ({ body }) =>
      JSON.stringify([
        body.wait_for_completion,
        body.connections?.map(({ user_id }: { user_id: string }) => user_id),
      ]),
    ),
  },
  {
    rule: '4.3/response',
    name: 'returns the lists of an import of as many users again',
    only: ['4.3', '7'],
    between: stick(imports, ({ body }) => `${body.wait_for_completion}${body.connections.length}`),
  },
  {
    rule: '4.3/body',
    name: 'imports a user only once',
    only: ['2.4', '4.3'],
    between: (fetch, key) => {
      const known = new Set<string>()
      const only = before(imports, ({ body }) => {
        if (body.wait_for_completion !== true || !Array.isArray(body.connections)) return
        for (const connection of body.connections) {
          if (known.has(connection.user_id)) connection.provider_id = 'of-the-first-import'
          known.add(connection.user_id)
        }
      })
      return only(fetch, key)
    },
  },
  {
    rule: '2.4/fields',
    name: 'keeps the scopes of the first import',
    only: ['2.4', '4.3'],
    between: (fetch, key) => {
      const known = new Map<string, unknown>()
      const keep = before(imports, ({ body }) => {
        for (const connection of body.connections) {
          connection.oauth_scopes = known.get(connection.user_id) ?? connection.oauth_scopes
          known.set(connection.user_id, connection.oauth_scopes)
        }
      })
      return keep(fetch, key)
    },
  },
  sticky('keeps source_type for later lists of providers', '4.9/query', providers, 'source_type'),
  sticky('keeps lab_id for later lists of markers', '4.4/parameters', markers, 'lab_id'),
  sticky('keeps lab_slug for later lists of markers', '4.4/parameters', markers, 'lab_slug'),
  sticky('keeps the name for later lists of markers', '4.4/further-parameters', markers, 'name'),
  sticky(
    'keeps the lab account for later lists of markers',
    '4.4/further-parameters',
    markers,
    'lab_account_id',
  ),
  sticky(
    'keeps the lab account for later markers of a lab test',
    '4.5/parameters',
    testMarkers,
    'lab_account_id',
  ),
  sticky('keeps the size for later lists of markers', '8/page-size', pages, 'size'),
  sticky('keeps the page for later lists of markers', '8/page-number', pages, 'page'),
  ...[
    ['4.4', markers],
    ['4.5', testMarkers],
    ['4.6', orderSet],
  ].map(
    ([section, lines]): Mutant => ({
      rule: '2.5/page',
      only: [String(section)],
      name: `returns the second page of ${section} for every later one`,
      between: stick(lines as string | RegExp, ({ url, body }) => {
        const number = Number(url.searchParams.get('page') ?? 1)
        const rest = [
          url.pathname,
          url.searchParams.get('size'),
          url.searchParams.get('lab_id'),
          url.searchParams.get('lab_slug'),
          body,
        ]
        return page({ page: number }) ? JSON.stringify(rest) : Symbol('first')
      }),
    }),
  ),
  {
    rule: '4.2/response',
    name: 'returns the info of an update with the same email again',
    only: ['2.1', '4.2'],
    between: stick(info, ({ url, body }) => url.pathname + body.email),
  },
  {
    rule: '4.1/response',
    name: 'returns the insurance of the same payor again',
    only: ['2.2', '4.1'],
    between: stick(insurance, ({ url, body }) => url.pathname + body.payor_code),
  },
  {
    rule: '4.7/response',
    name: 'returns the token of a user again',
    only: ['4.7', '5'],
    between: stick(token, ({ url }) => url.pathname),
    survives: 'Two tokens of one user may be equal: specification 5 does not show their lifetime.',
  },
]
