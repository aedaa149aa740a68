import { before, changeResponses, type Json, type Mutant, rejectCalls } from '../mutant.ts'

const markers = 'GET /v3/lab_tests/markers'
const testMarkers = /^GET \/v3\/lab_tests\/[^/]{36}\/markers$/
const orderSet = 'POST /v3/lab_tests/list_order_set_markers'
const pages = /^(?:GET|POST) \/v3\/lab_tests\/.*markers$/
const labTests = 'GET /v3/lab_test'
function clampQuery(url: URL, name: string, minimum: number, maximum: number): void {
  const value = Number(url.searchParams.get(name) ?? Number.NaN)
  if (!Number.isInteger(value)) return
  url.searchParams.set(name, String(Math.min(maximum, Math.max(minimum, value))))
}

export const markersMutants: Mutant[] = [
  {
    name: 'prefers lab_id to lab_slug',
    only: ['4.4'],
    between: before(markers, ({ url }) => {
      if (url.searchParams.has('lab_id')) url.searchParams.delete('lab_slug')
    }),
  },
  {
    name: 'ignores lab_id',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('lab_id')),
  },
  {
    name: 'ignores lab_slug',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('lab_slug')),
  },
  {
    name: 'ignores the name of a marker',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('name')),
  },
  {
    name: 'starts again after the last page',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => {
      if (url.searchParams.get('page') === '1000') url.searchParams.set('page', '1')
    }),
  },
  {
    name: 'counts pages from 0',
    only: ['2.5', '4.4', '4.5'],
    between: before(pages, ({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 0)
      url.searchParams.set('page', String(page + 1))
    }),
  },
  {
    name: 'repeats the last marker of a page on the next one',
    only: ['4.4'],
    between: (fetch, key) => {
      let last: Json
      const repeat = changeResponses(pages, (body) => {
        if (last && body.page > 1 && body.markers.length > 0) body.markers[0] = last
        last = body.markers.at(-1)
      })
      return repeat(fetch, key)
    },
  },
  {
    name: 'omits the last marker of each page',
    only: ['4.4'],
    between: changeResponses(markers, (body) => {
      if (body.markers.length > 3) body.markers.pop()
    }),
  },
  {
    name: 'returns 20 markers by default',
    only: ['4.4', '4.5'],
    between: before(pages, ({ url }) => {
      if (!url.searchParams.has('size')) url.searchParams.set('size', '20')
    }),
  },
  {
    name: 'returns the second page by default',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => {
      if (!url.searchParams.has('page')) url.searchParams.set('page', '2')
    }),
  },
  {
    name: 'accepts pages of more than 100',
    only: ['4.4', '8'],
    between: before(markers, ({ url }) => clampQuery(url, 'size', 0, 100)),
  },
  {
    name: 'accepts pages of 0',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => clampQuery(url, 'size', 1, 1000)),
  },
  {
    name: 'accepts page 0',
    only: ['4.6'],
    between: before(orderSet, ({ url }) => clampQuery(url, 'page', 1, 1000)),
  },
  {
    name: 'accepts only pages of less than 100',
    only: ['4.5'],
    between: rejectCalls(testMarkers, ({ url }) => url.searchParams.get('size') === '100'),
  },
  {
    name: 'counts the markers of the page as total',
    only: ['4.4', '4.5'],
    between: changeResponses(pages, (body) => {
      body.total = body.markers.length
    }),
  },
  {
    name: 'counts one page too many',
    only: ['4.5'],
    between: changeResponses(testMarkers, (body) => {
      body.pages += 1
    }),
  },
  {
    name: 'returns the markers of a lab test without pages',
    only: ['4.5'],
    between: changeResponses(testMarkers, (body) => {
      delete body.pages
    }),
  },
  {
    name: 'ignores the lab account',
    only: ['4.4', '4.5'],
    between: before(pages, ({ url }) => url.searchParams.delete('lab_account_id')),
  },
  {
    name: 'returns prices as numbers',
    only: ['2.5'],
    between: changeResponses(markers, (body) => {
      for (const marker of body.markers) marker.price = Number.parseFloat(marker.price) || 0
    }),
  },
  {
    name: 'returns LOINC codes as numbers',
    only: ['2.5'],
    between: changeResponses(markers, (body) => {
      for (const { expected_results } of body.markers) expected_results[0].loinc.code = 1
    }),
  },
  {
    name: 'ignores the add-on of an order set',
    only: ['4.6'],
    between: before(orderSet, ({ body }) => {
      if (body.lab_test_ids) delete body.add_on
    }),
  },
  {
    name: 'lists some of the markers of an order set only',
    only: ['4.6'],
    between: changeResponses(orderSet, (body) => {
      body.markers = body.markers.slice(0, 1)
    }),
  },
  {
    name: 'accepts a string for the lab tests of an order set',
    only: ['4.6'],
    between: before(orderSet, ({ body }) => {
      if (typeof body.lab_test_ids === 'string') body.add_on = { provider_ids: ['1'] }
      if (typeof body.lab_test_ids === 'string') delete body.lab_test_ids
    }),
  },
  {
    name: 'ignores cursors',
    only: ['4.12'],
    between: before(labTests, ({ url }) => url.searchParams.delete('next_cursor')),
  },
  {
    name: 'ignores lab_test_limit',
    only: ['4.12'],
    between: before(labTests, ({ url }) => url.searchParams.delete('lab_test_limit')),
  },
]
