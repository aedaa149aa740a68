import { changeResponses, type Json, type Mutant, stick } from '../../mutant.ts'
import { markers, orderSet, pages, testMarkers } from '../targets.ts'

const lists = [
  ['the list of markers', markers, '2.5/marker', ['2.5', '4.4']],
  ['the markers of a lab test', testMarkers, '2.5/marker', ['4.5']],
  ['the markers of an order set', orderSet, '2.5/marker', ['4.6']],
] as const

const fields = [
  'id',
  'name',
  'slug',
  'description',
  'lab_id',
  'provider_id',
  'type',
  'price',
  'expected_results',
]
const resultFields = ['id', 'name', 'slug', 'lab_id', 'provider_id', 'loinc']
const loincFields = ['id', 'name', 'slug', 'code']

/** Changes every marker, or every expected result, or every LOINC entry of a list. */
function eachMarker(change: (marker: Json, all: Json[]) => void) {
  return (body: Json) => {
    for (const marker of body.markers) change(marker, body.markers)
  }
}

function eachResult(change: (result: Json) => void) {
  return eachMarker(({ expected_results }) => expected_results.forEach(change))
}

const dropped: Mutant[] = [
  ...fields.map((field, at): Mutant => {
    const [list, lines, rule, only] = lists[at % 3] ?? lists[0]
    const between = changeResponses(
      lines,
      eachMarker((marker) => delete marker[field]),
    )
    return { name: `omits ${field} in ${list}`, rule, only: [...only], between }
  }),
  ...resultFields.map((field, at): Mutant => {
    const [list, lines, , only] = lists[at % 3] ?? lists[0]
    const between = changeResponses(
      lines,
      eachResult((result) => delete result[field]),
    )
    const name = `omits ${field} of expected results in ${list}`
    return { name, rule: '2.5/expected-result', only: [...only], between }
  }),
  ...loincFields.map((field, at): Mutant => {
    const [list, lines, , only] = lists[at % 3] ?? lists[0]
    const between = changeResponses(
      lines,
      eachResult(({ loinc }) => delete loinc[field]),
    )
    return {
      name: `omits ${field} of LOINC entries in ${list}`,
      rule: '2.5/loinc',
      only: [...only],
      between,
    }
  }),
]

/** Fields that every marker takes from the first one. */
const sticky = ['slug', 'price', 'provider_id', 'description'].map((field): Mutant => {
  const between = changeResponses(
    pages,
    eachMarker((marker, [first]) => {
      marker[field] = first[field]
    }),
  )
  return {
    name: `returns ${field} of the first marker for all`,
    rule: '2.5/marker',
    only: ['2.5', '4.4'],
    between,
  }
})

export const markerFieldsMutants: Mutant[] = [
  ...dropped,
  ...sticky,
  {
    name: 'returns prices as numbers',
    rule: '2.5/marker',
    only: ['2.5'],
    between: changeResponses(
      markers,
      eachMarker((marker) => {
        marker.price = Number.parseFloat(marker.price) || 0
      }),
    ),
  },
  {
    name: 'rounds prices',
    rule: '2.5/marker',
    only: ['2.5'],
    between: changeResponses(
      markers,
      eachMarker((marker) => {
        if (marker.price !== 'N/A') marker.price = `${Math.round(marker.price)}.00`
      }),
    ),
  },
  {
    name: 'returns lab_id as a string',
    rule: '2.5/marker',
    only: ['4.6'],
    between: changeResponses(
      orderSet,
      eachMarker((marker) => {
        marker.lab_id = String(marker.lab_id)
      }),
    ),
  },
  {
    name: 'returns LOINC codes as numbers',
    rule: '2.5/loinc',
    only: ['2.5'],
    between: changeResponses(
      markers,
      eachResult(({ loinc }) => {
        loinc.code = 1
      }),
    ),
  },
  {
    name: 'returns only the first expected result',
    rule: '2.5/marker',
    only: ['4.5'],
    between: changeResponses(
      testMarkers,
      eachMarker((marker) => {
        marker.expected_results.length = 1
      }),
    ),
  },
  {
    name: 'returns the LOINC entry of the first result for all',
    rule: '2.5/loinc',
    only: ['4.5'],
    between: changeResponses(testMarkers, ({ markers: list }: Json) => {
      const [{ expected_results: first }] = list
      for (const { expected_results } of list) {
        for (const result of expected_results) result.loinc = first[0].loinc
      }
    }),
  },
  {
    name: 'escapes descriptions as HTML',
    rule: '2.5/marker',
    only: ['2.5'],
    between: changeResponses(
      markers,
      eachMarker((marker) => {
        marker.description = marker.description?.replaceAll('&', '&amp;')
      }),
    ),
  },
  {
    name: 'returns the first list of markers for every lab',
    rule: '4.4/parameters',
    between: stick(markers),
  },
]
