import { after, changeResponses, type Json, type Mutant } from '../../mutant.ts'
import { booking, markers, order, orderSet, pages, testMarkers } from '../targets.ts'

const only = ['2.5', '4.4', '4.5', '4.6', '4.12', '8', '9']
const labTests = 'GET /v3/lab_test'
const labs = /^(?:GET|POST) \/v3\/lab_tests?/

/** A legal variation of the answers about markers and lab tests. */
function legal(name: string, between: NonNullable<Mutant['between']>): Mutant {
  return { name, only, between }
}

function eachMarker(change: (marker: Json) => void) {
  return changeResponses(pages, (body) => body.markers.forEach(change))
}

/** Returns a value with a further field in every object. */
export function extend(value: Json): Json {
  if (Array.isArray(value)) return value.map(extend)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, extend(inner)])
  return { unheard_of: { since: 2026 }, ...Object.fromEntries(fields) }
}

/** Returns a value with the fields of every object in the reverse order. */
export function reorder(value: Json): Json {
  if (Array.isArray(value)) return value.map(reorder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, reorder(inner)])
  return Object.fromEntries(fields.toReversed())
}

export const labControls: Mutant[] = [
  legal(
    'returns further fields of markers and lab tests',
    after(labs, ({ body }) => ({ body: extend(body) })),
  ),
  legal(
    'returns the fields of markers in another order',
    after(labs, ({ body }) => ({ body: reorder(body) })),
  ),
  legal(
    'returns the markers of a page in another order',
    changeResponses(pages, (body) => body.markers.reverse()),
  ),
  legal(
    'returns expected results in another order',
    eachMarker(({ expected_results }) => expected_results.reverse()),
  ),
  legal(
    'returns null for all counters',
    changeResponses(pages, (body) => {
      Object.assign(body, { total: null, page: null, size: null, pages: null })
    }),
  ),
  legal(
    'returns no counters in the list of markers',
    changeResponses(markers, (body) => {
      for (const name of ['total', 'page', 'size', 'pages']) delete body[name]
    }),
  ),
  legal(
    'returns no pages for an order set',
    changeResponses(orderSet, (body) => delete body.pages),
  ),
  legal(
    'returns null for every unit',
    eachMarker((marker) => {
      marker.unit = null
      for (const { loinc } of marker.expected_results) loinc.unit = null
    }),
  ),
  legal(
    'omits units that are null',
    eachMarker((marker) => {
      if (marker.unit === null) delete marker.unit
    }),
  ),
  legal(
    'returns markers of an unknown type',
    eachMarker((marker) => {
      marker.type = 'genome'
    }),
  ),
  legal(
    'returns another placeholder for prices',
    eachMarker((marker) => {
      if (marker.price === 'N/A') marker.price = 'On request'
    }),
  ),
  legal(
    'rejects a page after the last one',
    after(testMarkers, ({ body }) =>
      body.page > body.pages && body.total > 0 ? { status: 404, body: {} } : {},
    ),
  ),
  legal(
    'rejects a lab test that a lab account may not order',
    after(testMarkers, ({ body }, { url }) =>
      url.searchParams.has('lab_account_id') && body.total === 0
        ? { status: 403, body: { message: 'Not available' } }
        : {},
    ),
  ),
  legal(
    'returns no next_cursor on the last page',
    changeResponses(labTests, (body) => {
      if (body.next_cursor === null) delete body.next_cursor
    }),
  ),
  legal(
    'returns lab tests in another order within a page',
    changeResponses(labTests, ({ data }) => data.reverse()),
  ),
  legal(
    'returns lab tests without their markers and lab',
    changeResponses(labTests, ({ data }) => {
      for (const test of data) {
        delete test.markers
        delete test.lab
      }
    }),
  ),
  legal(
    'returns lab tests as JSON with a charset',
    after(labs, ({ headers }) => {
      headers.set('content-type', 'Application/JSON; charset=utf-8')
      return {}
    }),
  ),
  legal(
    'rejects with status 400 and a text',
    after(labs, ({ status }) => (status >= 400 ? { status: 400, body: 'Bad request' } : {})),
  ),
  {
    name: 'has no deprecated list of all lab tests, and no lab_test_id',
    only,
    between: after(/^GET \/v3\/lab_tests$|^POST \/v3\/order$/, ({ status }, { url, body }) =>
      url.pathname.endsWith('lab_tests') || body.lab_test_id ? { status: 410 } : { status },
    ),
  },
  {
    name: 'returns 201 for orders and appointments',
    only: ['2.6', '3.1', '4.8', '4.12', '7', '8', '9'],
    between: after(/^POST /, ({ status }, { method, url }) => {
      const line = `${method} ${url.pathname}`
      const creates = line === order || booking.test(line)
      return creates && status === 200 ? { status: 201 } : {}
    }),
  },
]
