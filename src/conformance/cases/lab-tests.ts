import {
  listAllLabTests,
  listLabTests,
  listMarkers,
  listOrderSetMarkers,
  listTestMarkers,
} from '../../contract/lab-tests.ts'
import { markerPageSize } from '../../contract/values/bounds.ts'
import { cases } from '../case.ts'
import { NotApplicable, refused, same, succeeded, that } from '../expect.ts'
import type { Said, Service } from '../service.ts'
import { fieldOf, hasShape, isObject, type Shape } from '../shape.ts'

const loinc: Shape = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  code: 'string',
  'unit?': 'string',
}

const marker: Shape = {
  id: 'integer',
  name: 'string',
  slug: 'string',
  'description?': 'string',
  'lab_id?': 'integer',
  'provider_id?': 'string',
  'type?': 'string',
  'unit?': 'string',
  'price?': 'string',
  'expected_results?': [
    {
      id: 'integer',
      name: 'string',
      slug: 'string',
      'lab_id?': 'integer',
      'provider_id?': 'string',
      'loinc?': loinc,
    },
  ],
}

const counter = 'count | null'
const page: Shape = { markers: [marker], 'total?': 'count', 'page?': 'count', 'size?': 'count' }
const testPage: Shape = {
  markers: [marker],
  total: counter,
  page: counter,
  size: counter,
  pages: counter,
}

type Endpoint = Parameters<Service['call']>[0]

interface Page {
  ids: number[]
  markers: Record<string, unknown>[]
  total: unknown
  page: unknown
  size: unknown
  pages: unknown
}

/** A page of markers. */
async function pageOf(service: Service, endpoint: Endpoint, said: Said = {}): Promise<Page> {
  const { json } = succeeded(await service.call(endpoint, said))
  that(isObject(json) && Array.isArray(json['markers']), 'Expected a page of markers.')
  const { markers, total, page: number, size, pages } = json
  const objects = markers as Record<string, unknown>[]
  return {
    ids: objects.map(({ id }) => Number(id)),
    markers: objects,
    total,
    page: number,
    size,
    pages,
  }
}

/** Every marker of a listing, walked in pages of a size. */
async function walk(service: Service, endpoint: Endpoint, said: Said, size: number) {
  const ids: number[] = []
  for (let number = 1; number <= 100; number += 1) {
    const query = { ...said.query, page: number, size }
    const { ids: next } = await pageOf(service, endpoint, { ...said, query })
    if (next.length === 0) break
    that(next.length <= size, `Expected at most ${size} markers in a page, found ${next.length}.`)
    ids.push(...next)
  }
  return ids
}

/** That pages of two sizes give the same markers in the same order, each once. */
async function pagesAgree(service: Service, endpoint: Endpoint, said: Said): Promise<void> {
  const whole = await walk(service, endpoint, said, 7)
  that(new Set(whole).size === whole.length, 'Expected every marker once, found some twice.')
  const halves = await walk(service, endpoint, said, 3)
  same(halves.join(), whole.join(), 'the markers of smaller pages')
  const first = await pageOf(service, endpoint, { ...said, query: { ...said.query, size: 1 } })
  if (first.total !== null && first.total !== undefined) {
    same(first.total, whole.length, 'total')
  }
}

async function bounds(service: Service, endpoint: Endpoint, said: Said): Promise<void> {
  const ask = (query: Record<string, number>) =>
    service.call(endpoint, { ...said, query: { ...said.query, ...query } })
  const { minimum, maximum } = markerPageSize
  refused(await ask({ page: 0 }), 'page 0')
  refused(await ask({ size: minimum - 1 }), `size ${minimum - 1}`)
  refused(await ask({ size: maximum + 1 }), `size ${maximum + 1}`)
  refused(await ask({ size: 1.5 }), 'size 1.5')
  succeeded(await ask({ page: 1, size: minimum }))
  succeeded(await ask({ size: maximum }))
}

async function testSaid(service: Service): Promise<Said> {
  return { params: { lab_test_id: await service.labTest() } }
}

/** An order set of one lab test that has several markers. */
async function orderSet(service: Service): Promise<Said> {
  return { body: { lab_test_ids: [await service.labTest()] } }
}

/** Two labs that have markers, by id. */
async function twoLabs(service: Service): Promise<[number, number]> {
  const labs = new Set<number>()
  for (let number = 1; number <= 5 && labs.size < 2; number += 1) {
    const query = { page: number, size: 100 }
    const { markers } = await pageOf(service, listMarkers, { query })
    for (const { lab_id } of markers) if (typeof lab_id === 'number') labs.add(lab_id)
  }
  const [one, other] = labs
  if (one === undefined || other === undefined) {
    throw new NotApplicable('the service lists markers of fewer than two labs')
  }
  return [one, other]
}

/** The slug of a lab; lab tests are presumed to tell it in `lab`. */
async function slugOf(service: Service, labId: number): Promise<string> {
  const tests = fieldOf(succeeded(await service.call(listLabTests)).json, 'data')
  const labs = (Array.isArray(tests) ? tests : []).map((test) => fieldOf(test, 'lab'))
  const slug = fieldOf(
    labs.find((lab) => fieldOf(lab, 'id') === labId),
    'slug',
  )
  if (typeof slug !== 'string') throw new NotApplicable('no lab test tells the slug of its lab')
  return slug
}

const parameters = 'the parameters are page and size'
const shapes = 'GET /v3/lab_test answers data with id, markers and lab'

export const labTestCases = cases({
  '2.5/marker': {
    title: 'Answers markers with their fields, results and LOINC codes',
    rules: ['2.5/marker', '2.5/expected-result', '2.5/loinc', '2.5/page', '4.4/response'],
    readOnly: true,
    async run(service) {
      hasShape(succeeded(await service.call(listMarkers)).json, page, 'the page')
    },
  },
  '2.5/counters': {
    title: 'Answers counters that tell of the page',
    rules: ['2.5/page'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const found = await pageOf(service, listMarkers, { query: { page: 2, size: 3 } })
      if (found.page !== null && found.page !== undefined) same(found.page, 2, 'page')
      if (found.size !== null && found.size !== undefined) same(found.size, 3, 'size')
    },
  },
  '4.4/pages': {
    title: 'Pages markers so that each comes once, in one order',
    rules: ['4.4/further-parameters', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const [lab_id] = await twoLabs(service)
      await pagesAgree(service, listMarkers, { query: { lab_id } })
    },
  },
  '4.4/bounds': {
    title: 'Takes pages from 1 and sizes from 1 to 100',
    rules: ['4.4/further-parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      await bounds(service, listMarkers, {})
    },
  },
  '4.4/default-size': {
    title: 'Answers the first page of 50 markers unless told otherwise',
    rules: ['8/page-size', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const found = await pageOf(service, listMarkers)
      const { ids } = await pageOf(service, listMarkers, { query: { page: 1, size: 50 } })
      same(found.ids.join(), ids.join(), 'the markers of the default page')
      const more = await pageOf(service, listMarkers, { query: { size: 100 } })
      if (more.ids.length > 50) same(found.ids.length, 50, 'the number of markers')
    },
  },
  '4.4/lab-id': {
    title: 'Lists the markers of one lab by lab_id',
    rules: ['4.4/parameters'],
    readOnly: true,
    async run(service) {
      for (const lab_id of await twoLabs(service)) {
        const { markers } = await pageOf(service, listMarkers, { query: { lab_id } })
        that(markers.length > 0, 'Expected markers of the lab.')
        for (const found of markers) same(found['lab_id'], lab_id, 'lab_id of a marker')
      }
    },
  },
  '4.4/lab-slug': {
    title: 'Lists the markers of one lab by lab_slug',
    rules: ['4.4/parameters'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      for (const lab_id of await twoLabs(service)) {
        const lab_slug = await slugOf(service, lab_id)
        const { markers } = await pageOf(service, listMarkers, { query: { lab_slug } })
        that(markers.length > 0, 'Expected markers of the lab.')
        for (const found of markers) same(found['lab_id'], lab_id, 'lab_id of a marker')
      }
    },
  },
  '4.4/slug-wins': {
    title: 'Heeds lab_slug when both are given',
    rules: ['4.4/parameters'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const [one, other] = await twoLabs(service)
      const query = { lab_id: other, lab_slug: await slugOf(service, one) }
      const { markers } = await pageOf(service, listMarkers, { query })
      that(markers.length > 0, 'Expected markers of the lab.')
      for (const found of markers) same(found['lab_id'], one, 'lab_id of a marker')
    },
  },
  '4.4/name': {
    title: 'Filters markers by their name',
    rules: ['4.4/further-parameters'],
    readOnly: true,
    presumes: 'the parameter is name',
    async run(service) {
      const all = await pageOf(service, listMarkers, { query: { size: 100 } })
      const name = String(all.markers.at(-1)?.['name'])
      const found = await pageOf(service, listMarkers, { query: { name, size: 100 } })
      that(found.ids.includes(all.ids.at(-1) ?? -1), 'Expected the marker that is named so.')
      that(found.ids.length < all.ids.length, 'Expected fewer markers than all.')
    },
  },
  '4.4/lab-account': {
    title: 'Lets a lab account decide which markers are available',
    rules: ['4.4/further-parameters'],
    needs: ['labAccount'],
    presumes: 'the parameter is lab_account_id',
    async run(service) {
      const all = await pageOf(service, listMarkers)
      for (const [labs, expected] of [
        ['all', all.ids.length],
        ['none', 0],
      ] as const) {
        const query = { lab_account_id: await service.labAccount(labs) }
        const { ids } = await pageOf(service, listMarkers, { query })
        same(ids.length, expected, `the number of markers of an account for ${labs}`)
      }
    },
  },
  '4.5/page': {
    title: 'Answers the markers of a lab test with all four counters',
    rules: ['4.5/response', '2.5/page'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const { json } = succeeded(await service.call(listTestMarkers, await testSaid(service)))
      hasShape(json, testPage, 'the page')
    },
  },
  '4.5/defaults': {
    title: 'Answers the first page of 50 unless told otherwise',
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const found = await pageOf(service, listTestMarkers, await testSaid(service))
      if (found.page !== null) same(found.page, 1, 'page')
      if (found.size !== null) same(found.size, 50, 'size')
    },
  },
  '4.5/bounds': {
    title: 'Takes pages from 1 and sizes from 1 to 100',
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      await bounds(service, listTestMarkers, await testSaid(service))
    },
  },
  '4.5/pages': {
    title: 'Pages the markers of a lab test so that each comes once, in one order',
    rules: ['4.5/parameters', '4.5/response'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      await pagesAgree(service, listTestMarkers, await testSaid(service))
    },
  },
  '4.5/counts': {
    title: 'Counts the pages of a lab test',
    rules: ['4.5/response'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const said = await testSaid(service)
      const { total, pages } = await pageOf(service, listTestMarkers, {
        ...said,
        query: { size: 2 },
      })
      if (typeof total === 'number' && pages !== null) same(pages, Math.ceil(total / 2), 'pages')
    },
  },
  '4.5/past-the-end': {
    title: 'Answers no markers past the last page',
    rules: ['4.5/response'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const said = { ...(await testSaid(service)), query: { page: 1000 } }
      same((await pageOf(service, listTestMarkers, said)).ids.length, 0, 'the number of markers')
    },
  },
  '4.5/uuid': {
    title: 'Refuses a lab test or lab account whose id is no UUID',
    rules: ['4.5/parameters'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const params = { lab_test_id: 'not-a-uuid' }
      refused(await service.call(listTestMarkers, { params }), 'a lab_test_id that is no UUID')
      const said = { ...(await testSaid(service)), query: { lab_account_id: 'not-a-uuid' } }
      refused(await service.call(listTestMarkers, said), 'a lab_account_id that is no UUID')
    },
  },
  '4.5/lab-account': {
    title: 'Lets a lab account decide which markers of a lab test are available',
    rules: ['4.5/parameters'],
    needs: ['labAccount'],
    presumes: shapes,
    async run(service) {
      const said = await testSaid(service)
      const query = { lab_account_id: await service.labAccount('none') }
      const { ids } = await pageOf(service, listTestMarkers, { ...said, query })
      same(ids.length, 0, 'the number of markers of an account for none')
    },
  },
  '4.6/lab-tests': {
    title: 'Lists the markers of the lab tests of an order set',
    rules: ['4.6/body', '4.6/response'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const set = await orderSet(service)
      hasShape(succeeded(await service.call(listOrderSetMarkers, set)).json, page, 'the page')
      const { ids } = await pageOf(service, listOrderSetMarkers, set)
      const test = await pageOf(service, listTestMarkers, await testSaid(service))
      same(ids.toSorted().join(), test.ids.toSorted().join(), 'the markers of the order set')
    },
  },
  '4.6/add-on': {
    title: 'Lists the markers that an order set adds by provider_ids',
    rules: ['4.6/body'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const set = await orderSet(service)
      const before = await pageOf(service, listOrderSetMarkers, { ...set, query: { size: 100 } })
      const lab_id = Number(before.markers[0]?.['lab_id'])
      const lab = await pageOf(service, listMarkers, { query: { lab_id, size: 100 } })
      const added = lab.markers.find(({ id }) => !before.ids.includes(Number(id)))
      if (!added) throw new NotApplicable('the lab has no marker that the lab test lacks')
      const add_on = { provider_ids: [String(added['provider_id'])] }
      const body = { ...(set.body as object), add_on }
      const after = await pageOf(service, listOrderSetMarkers, { body, query: { size: 100 } })
      same(after.ids.includes(Number(added['id'])), true, 'whether the added marker is listed')
      that(
        before.ids.every((id) => after.ids.includes(id)),
        'Expected the others to stay.',
      )
    },
  },
  '4.6/pages': {
    title: 'Pages the markers of an order set so that each comes once, in one order',
    rules: ['4.6/paging'],
    readOnly: true,
    presumes: `${parameters} of the query; ${shapes}`,
    async run(service) {
      await pagesAgree(service, listOrderSetMarkers, await orderSet(service))
    },
  },
  '4.6/bounds': {
    title: 'Takes pages from 1 and sizes from 1 to 100',
    rules: ['4.6/paging', '8/page-size', '8/page-number'],
    readOnly: true,
    presumes: `${parameters} of the query; ${shapes}`,
    async run(service) {
      await bounds(service, listOrderSetMarkers, await orderSet(service))
    },
  },
  '4.6/types': {
    title: 'Refuses other types in an order set',
    rules: ['4.6/body'],
    readOnly: true,
    async run(service) {
      for (const body of [{ lab_test_ids: 'all' }, { add_on: { provider_ids: 'all' } }]) {
        refused(await service.call(listOrderSetMarkers, { body }), 'another type')
      }
    },
  },
  '4.12/lab-tests': {
    title: 'Walks lab tests with lab_test_limit and next_cursor, each once',
    rules: ['4.12/lab-tests'],
    readOnly: true,
    presumes: 'GET /v3/lab_test answers data with id, and next_cursor',
    async run(service) {
      const seen: unknown[] = []
      let next_cursor: string | undefined
      do {
        const query = { lab_test_limit: 2, ...(next_cursor ? { next_cursor } : {}) }
        const { json } = succeeded(await service.call(listLabTests, { query }))
        const tests = fieldOf(json, 'data')
        that(Array.isArray(tests) && tests.length <= 2, 'Expected at most two lab tests in a page.')
        seen.push(...tests.map((test) => fieldOf(test, 'id')))
        const next = fieldOf(json, 'next_cursor')
        next_cursor = typeof next === 'string' ? next : undefined
      } while (next_cursor && seen.length < 500)
      that(new Set(seen).size === seen.length, 'Expected every lab test once.')
      const whole = fieldOf(succeeded(await service.call(listLabTests)).json, 'data')
      const count = Array.isArray(whole) ? whole.length : 0
      that(
        seen.length >= count,
        `Expected ${count} lab tests in small pages, found ${seen.length}.`,
      )
    },
  },
  '9/all-lab-tests': {
    title: 'Still lists all lab tests on the deprecated path',
    rules: ['9/lab-tests'],
    readOnly: true,
    presumes: 'the answer is a list; which day it goes is not shown',
    async run(service) {
      const { json } = succeeded(await service.call(listAllLabTests))
      that(Array.isArray(json), 'Expected a list of lab tests.')
    },
  },
})
