import { after, before, type Call, type Json, type Mutant, rejectCalls } from '../mutant.ts'
import {
  booking,
  bulkOps,
  deletion,
  imports,
  info,
  insurance,
  order,
  providers,
  token,
} from './targets.ts'

const header = 'x-service-api-key'

/** Adds the key of the team to calls that have it in another place. */
function alsoReadKey(from: (call: Call, key: string) => unknown): NonNullable<Mutant['between']> {
  return before(/./, (call, key) => {
    if (!call.headers.has(header) && from(call, key)) call.headers.set(header, key)
  })
}

const places: Record<string, (call: Call, key: string) => unknown> = {
  'the header authorization': ({ headers }, key) =>
    headers.get('authorization') === `Bearer ${key}`,
  'a header of another name': ({ headers }, key) => headers.get('x-api-key') === key,
  'a cookie': ({ headers }, key) => headers.get('cookie')?.includes(key),
  'the query': ({ url }, key) => url.searchParams.get('api_key') === key,
  'basic authentication': ({ headers }, key) =>
    headers.get('authorization') === `Basic ${btoa(`${key}:`)}`,
}

const otherPlaces = Object.entries(places).map(
  ([place, from]): Mutant => ({
    rule: '5/header',
    name: `accepts the key in ${place}`,
    between: alsoReadKey(from),
  }),
)

const lines: Record<string, string | RegExp> = {
  'update user info': info,
  'create an insurance record': insurance,
  'create a sign-in token': token,
  'delete a connection': deletion,
  'import connections': imports,
  'list providers': providers,
  'list markers': 'GET /v3/lab_tests/markers',
  'list the markers of a test': /^GET .*-.*\/markers$/,
  'list the markers of an order set': /order_set_markers$/,
  'book an appointment': booking,
  'query aggregates': /^POST .*\/query$/,
  'create an order': order,
  'list lab tests': 'GET /v3/lab_test',
  'list bulk operations': bulkOps,
  'list summaries': /^GET \/v2\/summary/,
}

const withoutKey = Object.entries(lines).map(
  ([purpose, line]): Mutant => ({
    rule: '5/team-key',
    name: `requires no key to ${purpose}`,
    between: before(line, ({ headers }, key) => {
      if (!headers.has(header)) headers.set(header, key)
    }),
  }),
)

/** Replaces the path of requests. */
function rewrite(from: RegExp, to: string): NonNullable<Mutant['between']> {
  return before(/./, ({ url }) => {
    url.pathname = url.pathname.replace(from, to)
  })
}

/** Parses a body that is not JSON in another way. */
function parseLeniently(parse: (text: string) => Json): NonNullable<Mutant['between']> {
  return before(/./, (call) => {
    if (typeof call.body !== 'string') return
    try {
      call.body = parse(call.body)
    } catch {
      // The other parser does not understand it either.
    }
  })
}

export const serviceMutants: Mutant[] = [
  ...otherPlaces,
  ...withoutKey,
  {
    rule: '5/header',
    name: 'accepts any key',
    between: before(providers, ({ headers }, key) => {
      if (headers.has(header)) headers.set(header, key)
    }),
  },
  {
    rule: '5/header',
    name: 'compares keys without case',
    between: before(/./, ({ headers }, key) => {
      if (headers.get(header)?.toLowerCase() === key.toLowerCase()) headers.set(header, key)
    }),
  },
  {
    rule: '5/header',
    name: 'compares only the first characters of a key',
    between: before(/./, ({ headers }, key) => {
      if (headers.get(header)?.startsWith(key.slice(0, -1))) headers.set(header, key)
    }),
  },
  {
    rule: '5/header',
    name: 'accepts every key after the right one',
    between: (fetch, key) => {
      let isOpen = false
      const remember = before(/./, ({ headers }) => {
        if (headers.get(header) === key) isOpen = true
        else if (isOpen) headers.set(header, key)
      })
      return remember(fetch, key)
    },
  },
  {
    rule: '5/team-key',
    name: 'uses the team of the first key for every call',
    only: ['5', '4.10', '4.3'],
    between: (fetch, key) =>
      before(/./, ({ headers }) => headers.has(header) && headers.set(header, key))(fetch, key),
  },
  {
    rule: '5/team-key',
    name: 'uses the team of the previous key',
    between: (fetch, key) => {
      let previous: string | null = null
      const late = before(/./, ({ headers }) => {
        const current = headers.get(header)
        if (previous !== null && current !== null) headers.set(header, previous)
        previous = current ?? previous
      })
      return late(fetch, key)
    },
  },
  {
    rule: '5/header',
    name: 'reads the header with the key in lower case only',
    between: (fetch) => (input, init) => {
      const names = Object.keys((init?.headers as Record<string, string>) ?? {})
      const isOther = names.some((name) => name !== header && name.toLowerCase() === header)
      return isOther
        ? Promise.resolve(Response.json({ detail: 'No' }, { status: 401 }))
        : fetch(input, init)
    },
  },
  ...['GET /v2/providers', token, info, deletion].map(
    (line): Mutant => ({
      rule: '4/json',
      name: `returns JSON as text/plain to ${String(line)}`,
      between: after(line, () => ({ headers: new Headers({ 'content-type': 'text/plain' }) })),
    }),
  ),
  {
    rule: '4/json',
    name: 'uses the previous body when one is not JSON',
    between: (fetch, key) => {
      let previous: Json
      const keep = before(info, (call) => {
        if (typeof call.body === 'object') previous = call.body
        else if (previous) call.body = previous
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '4/json',
    name: 'accepts JSON with a trailing comma',
    between: parseLeniently((text) => JSON.parse(text.replace(/,}$/, '}'))),
  },
  {
    rule: '4/json',
    name: 'accepts JSON with single quotes',
    between: parseLeniently((text) => JSON.parse(text.replaceAll("'", '"'))),
  },
  {
    rule: '4/json',
    name: 'ignores what comes after the JSON',
    between: parseLeniently((text) => JSON.parse(text.slice(0, -1))),
  },
  {
    rule: '4/json',
    name: 'completes truncated JSON',
    between: parseLeniently((text) => JSON.parse(`${text}}`)),
  },
  {
    rule: '4/json',
    name: 'ignores comments in JSON',
    between: parseLeniently((text) => JSON.parse(text.replace(/^\/\/.*\n/, ''))),
  },
  {
    rule: '4/json',
    name: 'rejects a content type with a charset',
    between: rejectCalls(
      /./,
      ({ headers }) => headers.get('content-type')?.includes('charset') ?? false,
      415,
    ),
  },
  {
    rule: '9/prefix',
    name: 'accepts paths without their version',
    between: rewrite(/^\/(?=providers$)/, '/v2/'),
  },
  {
    rule: '9/prefix',
    name: 'accepts the version v3 for v2',
    between: rewrite(/^\/v3(?=\/(?:user|providers|link))/, '/v2'),
  },
  {
    rule: '9/prefix',
    name: 'accepts the version v2 for v3',
    between: rewrite(/^\/v2(?=\/(?:lab_test|order))/, '/v3'),
  },
  {
    rule: '9/prefix',
    name: 'accepts the version v1 for all',
    between: rewrite(/^\/v1(?=\/user)/, '/v2'),
  },
  {
    rule: '9/prefix',
    name: 'accepts aggregates of the version v2',
    between: rewrite(/^\/aggregate\/v2/, '/aggregate/v1'),
  },
  {
    rule: '9/prefix',
    name: 'accepts aggregates without a version',
    between: rewrite(/^\/aggregate(?=\/user)/, '/aggregate/v1'),
  },
  {
    rule: '7/success',
    name: 'responds 404 to the list of providers',
    only: ['4', '5'],
    between: after(providers, () => ({ status: 404 })),
  },
  {
    rule: '7/success',
    name: 'responds 302 to an update of user info',
    only: ['4', '4.2'],
    between: after(info, ({ status }) => (status === 200 ? { status: 302 } : {})),
  },
]
