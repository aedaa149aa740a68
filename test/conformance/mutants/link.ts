import {
  before,
  change,
  changeDespiteError,
  changeResponses,
  drop,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
  teamsLike,
} from '../mutant.ts'
import { deletion, providers } from './targets.ts'

const fields = ['name', 'slug', 'description', 'logo'].map(
  (field): Mutant => ({
    rule: '2.7/fields',
    name: `lists a provider without ${field}`,
    between: changeResponses(providers, ([, , third]) => drop(field)(third)),
  }),
)

const values: Record<string, Json> = {
  name: 7,
  slug: ['oura'],
  description: null,
  logo: 'oura.png',
  auth_type: ['oauth'],
  supported_resources: { sleep: true },
}

const types = Object.entries(values).map(
  ([field, value]): Mutant => ({
    rule: '2.7/fields',
    name: `lists a provider with another type of ${field}`,
    between: changeResponses(providers, (body) => {
      body.at(-1)[field] = value
    }),
  }),
)

/** Sends a DELETE to another path as well. */
function alsoDelete(replace: (path: string) => string | undefined): NonNullable<Mutant['between']> {
  return (fetch) => async (input, init) => {
    const url = new URL(String(input))
    const other = init?.method === 'DELETE' ? replace(url.pathname) : undefined
    if (other !== undefined) await fetch(new URL(other, url).href, init)
    return fetch(input, init)
  }
}

export const linkMutants: Mutant[] = [
  ...fields,
  ...types,
  {
    rule: '2.7/supported-resources',
    name: 'lists a number as a supported resource',
    only: ['2.7'],
    between: changeResponses(providers, (body) => {
      body[0].supported_resources = [...(body[0].supported_resources ?? []), 7]
    }),
  },
  {
    rule: '2.7/supported-resources',
    name: 'lists supported resources in upper case',
    between: changeResponses(providers, (body) => {
      for (const one of body) {
        one.supported_resources = one.supported_resources.map((name: string) => name.toUpperCase())
      }
    }),
  },
  {
    rule: '4.9/response',
    name: 'lists a provider twice',
    only: ['2.7'],
    between: changeResponses(providers, (body) => {
      body.push(body[0])
    }),
  },
  {
    rule: '4.9/response',
    name: 'lists providers in an object',
    only: ['2.7', '4.9'],
    between: (fetch) => async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('/v2/providers') || !response.ok) return response
      return Response.json({ data: await response.json() })
    },
  },
  {
    rule: '4.9/response',
    name: 'lists no providers',
    only: ['2.7', '4.9'],
    between: changeResponses(providers, (body) => {
      body.length = 0
    }),
  },
  {
    rule: '4.9/query',
    name: 'ignores source_type',
    between: before(providers, ({ url }) => url.searchParams.delete('source_type')),
  },
  {
    rule: '4.9/query',
    name: 'uses the first source_type for every later call',
    between: stick(providers, ({ url }) => url.searchParams.has('source_type')),
  },
  {
    rule: '4.9/query',
    name: 'returns the providers of the previous source_type to a call without one',
    between: (fetch, key) => {
      let last: string | null = null
      const keep = before(providers, ({ url }) => {
        const { searchParams } = url
        if (!searchParams.has('source_type') && last) searchParams.set('source_type', last)
        last = searchParams.get('source_type')
      })
      return keep(fetch, key)
    },
  },
  {
    rule: '4.9/query',
    name: 'lists one provider of a source_type too few',
    between: changeResponses(providers, (body, { url }) => {
      if (url.searchParams.has('source_type')) body.pop()
    }),
  },
  {
    rule: '4.9/query',
    name: 'lists the providers of a source_type without their resources',
    between: changeResponses(providers, (body, { url }) => {
      if (url.searchParams.has('source_type')) body.forEach(drop('supported_resources'))
    }),
  },
  {
    rule: '4.9/query',
    name: 'requires a source_type',
    only: ['2.7', '4.9'],
    between: rejectCalls(providers, ({ url }) => !url.searchParams.has('source_type')),
  },
  {
    rule: '4.9/query',
    name: 'lists every provider for an unknown source_type',
    assumes: true,
    between: before(providers, ({ url }) => {
      const { searchParams } = url
      if (searchParams.get('source_type') === 'no_such_type') searchParams.delete('source_type')
    }),
  },
  {
    rule: '4.10/cloud',
    name: 'reports a connection as deleted but keeps it',
    between: (fetch) => (input, init) =>
      init?.method === 'DELETE'
        ? Promise.resolve(Response.json({ success: true }))
        : fetch(input, init),
  },
  {
    rule: '4.10/cloud',
    name: 'keeps every second deleted connection',
    between: (fetch) => {
      let count = 0
      return (input, init) => {
        if (init?.method !== 'DELETE') return fetch(input, init)
        count += 1
        return count % 2 === 0
          ? Promise.resolve(Response.json({ success: true }))
          : fetch(input, init)
      }
    },
  },
  {
    rule: '4.10/cloud',
    name: 'responds with 500 when a connection is deleted twice',
    assumes: true,
    between: (fetch) => {
      const deleted = new Set<string>()
      return async (input, init) => {
        const response = await fetch(input, init)
        const url = String(input)
        if (init?.method !== 'DELETE') return response
        const isSecond = deleted.has(url)
        deleted.add(url)
        return isSecond ? new Response(null, { status: 500 }) : response
      }
    },
  },
  {
    rule: '4.10/cloud',
    name: 'deletes another connection of the user as well',
    between: alsoDelete((path) => path.replace(/oura$/, 'fitbit')),
  },
  {
    rule: '4.10/path',
    name: 'deletes the connections of the previous user as well',
    between: (fetch, key) => {
      let previous: string | undefined
      const also = alsoDelete((path) => {
        const last = previous
        previous = path
        const slug = path.slice(path.lastIndexOf('/'))
        return last?.replace(/\/\w+$/, slug)
      })
      return also(fetch, key)
    },
  },
  {
    rule: '4.10/path',
    name: 'deletes the first provider for every later path',
    between: (fetch, key) => {
      let first: string | undefined
      const same = before(deletion, ({ url }) => {
        first ??= url.pathname.replace(/.*\//, '')
        url.pathname = url.pathname.replace(/[^/]+$/, first)
      })
      return same(fetch, key)
    },
  },
  {
    rule: '4.10/auto-connect',
    name: 'deletes connections to phones in Auto Connect mode',
    options: { sdkMode: 'explicit' },
    setup: teamsLike((like) => ({ ...like, sdkMode: 'explicit' })),
  },
  {
    rule: '4.10/auto-connect',
    name: 'deletes connections to one platform of phones in Auto Connect mode',
    inside: (mock) => {
      const { connections } = mock.defaultTeam
      mock.override('link.deleteConnection', (_, { params }) => {
        const { user_id = '', provider = '' } = params
        if (provider === 'health_connect') connections.delete(user_id, provider)
        return {}
      })
    },
  },
  {
    rule: '4.10/explicit',
    name: 'keeps connections to phones in the explicit mode',
    setup: teamsLike(({ sdkMode: _, ...like }) => like),
  },
  {
    rule: '4.10/path',
    name: 'deletes connections of users whose ids are not UUIDs',
    between: rejectCalls(/^DELETE .*not-a-uuid/, () => true, 200),
  },
  {
    rule: '4.10/path',
    name: 'rejects the provider manual',
    between: rejectCalls(/^DELETE .*\/manual$/, () => true),
  },
  {
    rule: '4.10/response',
    name: 'returns success as a string',
    between: changeResponses(deletion, change('success', String)),
  },
  {
    rule: '4.10/response',
    name: 'returns success false for a deleted connection',
    between: changeResponses(
      deletion,
      change('success', () => false),
    ),
  },
  {
    rule: '4.10/response',
    name: 'returns no success',
    between: changeResponses(deletion, drop('success')),
  },
  {
    rule: '4.10/path',
    name: 'deletes a connection in spite of an invalid user id',
    assumes: true,
    only: ['4.10'],
    between: changeDespiteError(deletion, (call) => {
      call.url.pathname = call.url.pathname.replace('oura', 'fitbit')
    }),
  },
]
