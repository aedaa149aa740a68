import {
  before,
  type Call,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
} from '../../mutant.ts'
import { markers, orderSet, pages, testMarkers } from '../targets.ts'

const labTests = 'GET /v3/lab_test'
const size = 'size'

function clamp({ url }: Call, name: string, minimum: number, maximum: number): void {
  const value = Number(url.searchParams.get(name) ?? Number.NaN)
  if (!Number.isInteger(value)) return
  url.searchParams.set(name, String(Math.min(maximum, Math.max(minimum, value))))
}

/** Sets a parameter that a call does not have. */
function byDefault(name: string, value: string) {
  return ({ url }: Call) => {
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  }
}

/** Returns the mutants of one listing, whose pages all have the same bounds. */
function pagingMutants(list: string, lines: string | RegExp, section: string): Mutant[] {
  const only = [section]
  const rule = '8/page-size'
  const page = '8/page-number'
  const drop = (name: string) => before(lines, ({ url }) => url.searchParams.delete(name))
  return [
    {
      name: `accepts pages of 101 in ${list}`,
      rule,
      only,
      between: before(lines, (call) => clamp(call, size, -9, 100)),
    },
    {
      name: `accepts pages of 0 in ${list}`,
      rule,
      only,
      between: before(lines, (call) => {
        if (call.url.searchParams.get(size) === '0') call.url.searchParams.set(size, '1')
      }),
    },
    {
      name: `rejects pages of 100 in ${list}`,
      rule,
      only,
      between: rejectCalls(lines, ({ url }) => url.searchParams.get(size) === '100'),
    },
    {
      name: `rejects pages of 1 in ${list}`,
      rule,
      only,
      between: rejectCalls(
        lines,
        ({ url }) => url.searchParams.get(size) === '1' && !url.searchParams.has('page'),
      ),
    },
    {
      name: `returns 49 markers by default in ${list}`,
      rule,
      only,
      between: before(lines, byDefault(size, '49')),
    },
    {
      name: `returns 100 markers by default in ${list}`,
      rule,
      only,
      between: before(lines, byDefault(size, '100')),
    },
    {
      name: `accepts page 0 in ${list}`,
      rule: page,
      only,
      between: before(lines, (call) => {
        if (call.url.searchParams.get('page') === '0') call.url.searchParams.set('page', '1')
      }),
    },
    {
      name: `returns the second page by default in ${list}`,
      rule: page,
      only,
      between: before(lines, byDefault('page', '2')),
    },
    {
      name: `ignores the page of ${list} when the size is given`,
      rule: page,
      only,
      between: before(lines, ({ url }) => {
        if (Number(url.searchParams.get(size)) > 1) url.searchParams.delete('page')
      }),
    },
    {
      name: `counts the markers of the page as total in ${list}`,
      rule: '2.5/page',
      only,
      between: changeResponses(lines, (body) => {
        body.total = body.markers.length
      }),
    },
    {
      name: `begins again after the last page of ${list}`,
      rule: page,
      only,
      between: before(lines, (call) => clamp(call, 'page', -9, 5)),
    },
    ...(section === '4.5'
      ? [
          { name: `ignores the size of ${list}`, rule, only, between: drop(size) },
          { name: `ignores the page of ${list}`, rule: page, only, between: drop('page') },
        ]
      : []),
  ]
}

export const markersMutants: Mutant[] = [
  ...pagingMutants('the list of markers', markers, '4.4'),
  ...pagingMutants('the markers of a lab test', testMarkers, '4.5'),
  ...pagingMutants('the markers of an order set', orderSet, '4.6'),
  {
    name: 'prefers lab_id to lab_slug',
    rule: '4.4/parameters',
    between: before(markers, ({ url }) => {
      if (url.searchParams.has('lab_id')) url.searchParams.delete('lab_slug')
    }),
  },
  {
    name: 'uses the first of lab_id and lab_slug',
    rule: '4.4/parameters',
    between: before(markers, ({ url }) => {
      const [first, second] = [...url.searchParams.keys()].filter((name) => name.startsWith('lab_'))
      if (first === 'lab_id' && second === 'lab_slug') url.searchParams.delete(second)
    }),
  },
  {
    name: 'requires both lab_id and lab_slug to match',
    rule: '4.4/parameters',
    between: changeResponses(markers, (body, { url }) => {
      const lab = url.searchParams.get('lab_id')
      if (!lab) return
      body.markers = body.markers.filter((marker: Json) => String(marker.lab_id) === lab)
    }),
  },
  {
    name: 'ignores lab_id',
    rule: '4.4/parameters',
    between: before(markers, ({ url }) => url.searchParams.delete('lab_id')),
  },
  {
    name: 'ignores lab_slug',
    rule: '4.4/parameters',
    between: before(markers, ({ url }) => url.searchParams.delete('lab_slug')),
  },
  {
    name: 'returns the markers of the first lab_slug for every other',
    rule: '4.4/parameters',
    between: stick(markers, ({ url }) => url.searchParams.get('lab_id')),
  },
  {
    name: 'ignores the name of a marker when a lab is given',
    rule: '4.4/further-parameters',
    between: before(markers, ({ url }) => {
      if (url.searchParams.get('name')?.startsWith('Marker')) url.searchParams.delete('name')
    }),
  },
  {
    name: 'finds no test codes',
    rule: '4.4/further-parameters',
    between: changeResponses(markers, (body, { url }) => {
      if (url.searchParams.get('name')?.startsWith('TC')) body.markers = []
    }),
  },
  {
    name: 'repeats the last marker of a page on the next one',
    rule: '4.4/response',
    between: (fetch, key) => {
      let last: Json
      const repeat = changeResponses(markers, (body) => {
        if (last && body.page > 1 && body.markers.length > 1) body.markers[0] = last
        last = body.markers.at(-1)
      })
      return repeat(fetch, key)
    },
  },
  {
    name: 'omits the last marker of each page',
    rule: '4.4/response',
    between: changeResponses(markers, (body) => {
      if (body.markers.length > 3) body.markers.pop()
    }),
  },
  {
    name: 'counts pages from 0',
    rule: '8/page-number',
    only: ['4.5'],
    between: before(pages, ({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 0)
      url.searchParams.set('page', String(page + 1))
    }),
  },
  {
    name: 'counts one page too many',
    rule: '4.5/response',
    between: changeResponses(testMarkers, (body) => {
      body.pages += 1
    }),
  },
  {
    name: 'returns -1 for the pages of a lab test without markers',
    rule: '2.5/page',
    only: ['4.5'],
    between: changeResponses(testMarkers, (body) => {
      if (body.total === 0) body.pages = -1
    }),
  },
  ...['total', 'page', 'size', 'pages'].map(
    (counter): Mutant => ({
      name: `returns the markers of a lab test without ${counter} when it has none`,
      rule: '4.5/response',
      between: changeResponses(testMarkers, (body) => {
        if (body.markers.length === 0) delete body[counter]
      }),
    }),
  ),
  {
    name: 'returns the markers of the first lab test for every other',
    rule: '4.5/parameters',
    between: stick(testMarkers, ({ url }) => url.search),
  },
  {
    name: 'adds a marker of another test to a lab test',
    rule: '4.5/response',
    between: (fetch, key) => {
      let other: Json
      const add = changeResponses(testMarkers, (body) => {
        if (other) body.markers.push(other)
        other ??= body.markers[0]
      })
      return add(fetch, key)
    },
  },
  {
    name: 'accepts lab tests whose ids are not UUIDs',
    rule: '4.5/parameters',
    between: rejectCalls(/^GET \/v3\/lab_tests\/[^/]{1,30}\/markers$/, () => true, 200),
  },
  {
    name: 'ignores a lab_account_id that is not a UUID',
    rule: '4.5/parameters',
    between: before(testMarkers, ({ url }) => {
      if (url.searchParams.get('lab_account_id')?.length !== 36) {
        url.searchParams.delete('lab_account_id')
      }
    }),
  },
  {
    name: 'ignores the lab account of a lab test',
    rule: '4.5/parameters',
    between: before(testMarkers, ({ url }) => url.searchParams.delete('lab_account_id')),
  },
  {
    name: 'counts the markers that a lab account may not order',
    rule: '2.5/page',
    only: ['4.5'],
    between: changeResponses(testMarkers, (body, { url }) => {
      if (url.searchParams.has('lab_account_id')) body.total = 2
    }),
  },
  {
    name: 'ignores the add-on of an order set with tests',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      if (body.lab_test_ids) delete body.add_on
    }),
  },
  {
    name: 'uses only the first provider_id of an add-on',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      body.add_on.provider_ids.length = 1
    }),
  },
  {
    name: 'ignores the tests of an order set with an add-on',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      if (body.add_on?.provider_ids?.length > 0) delete body.lab_test_ids
    }),
  },
  {
    name: 'uses only the first lab test of an order set',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      body.lab_test_ids = body.lab_test_ids.slice(0, 1)
    }),
  },
  {
    name: 'returns the markers of the first order set for every other',
    rule: '4.6/body',
    between: stick(orderSet, ({ url }) => url.search),
  },
  {
    name: 'returns the markers of the first lab tests for every add-on',
    rule: '4.6/body',
    between: stick(orderSet, ({ body }) => String(body?.lab_test_ids)),
  },
  {
    name: 'accepts a string for the lab tests of an order set',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      if (typeof body.lab_test_ids === 'string') body.lab_test_ids = [body.lab_test_ids]
    }),
  },
  {
    name: 'drops numbers from the lab tests of an order set',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      body.lab_test_ids = body.lab_test_ids.filter((id: Json) => typeof id === 'string')
    }),
  },
  {
    name: 'accepts a string for the provider_ids of an add-on',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      const { add_on } = body
      if (typeof add_on.provider_ids === 'string') add_on.provider_ids = [add_on.provider_ids]
    }),
  },
  {
    name: 'drops numbers from provider_ids',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      const { add_on } = body
      add_on.provider_ids = add_on.provider_ids.filter((id: Json) => typeof id === 'string')
    }),
  },
  {
    name: 'ignores an add_on of a wrong type',
    rule: '4.6/body',
    between: before(orderSet, ({ body }) => {
      if (typeof body.add_on !== 'object' || Array.isArray(body.add_on)) delete body.add_on
    }),
  },
  {
    name: 'ignores cursors',
    rule: '4.12/lab-tests',
    between: before(labTests, ({ url }) => url.searchParams.delete('next_cursor')),
  },
  {
    name: 'ignores lab_test_limit',
    rule: '4.12/lab-tests',
    between: before(labTests, ({ url }) => url.searchParams.delete('lab_test_limit')),
  },
  {
    name: 'ignores lab_test_limit after the first page',
    rule: '4.12/lab-tests',
    between: before(labTests, ({ url }) => {
      if (url.searchParams.has('next_cursor')) url.searchParams.delete('lab_test_limit')
    }),
  },
  {
    name: 'returns one lab test more than lab_test_limit',
    rule: '4.12/lab-tests',
    between: before(labTests, ({ url }) => {
      const limit = Number(url.searchParams.get('lab_test_limit'))
      if (limit > 0) url.searchParams.set('lab_test_limit', String(limit + 1))
    }),
  },
  {
    name: 'loses the last lab test of every page',
    rule: '4.12/lab-tests',
    between: changeResponses(labTests, ({ data, next_cursor }) => {
      if (next_cursor && data.length > 1) data.pop()
    }),
  },
  {
    name: 'has no second page of lab tests',
    rule: '4.12/lab-tests',
    between: changeResponses(labTests, (body) => {
      body.next_cursor = null
    }),
  },
]
