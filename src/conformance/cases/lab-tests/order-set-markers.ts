import { assertEqual, assertSuccess } from '../../assertions.ts'
import { unknownId } from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape } from '../../shape.ts'
import {
  assertCounters,
  assertIds,
  assertOnlyPage,
  assertPageBounds,
  assertPaging,
  type PageQuery,
  pageForm,
  presumePaging,
  readPage,
} from './marker-pages.ts'
import { assertStored, makeMarkers } from './offers.ts'

async function list(service: TestedService, body: unknown) {
  return readPage(await service.call('labTests.listOrderSetMarkers', { body }))
}

async function addTests(service: TestedService, prefix: string) {
  const markers = makeMarkers(prefix, 6)
  const tests = [markers.slice(0, 2), markers.slice(2, 4)]
  const lab = await service.setup.lab({ markers, tests })
  return { lab, markers, codes: markers.map(({ provider_id }) => provider_id) }
}

/** Returns the ids at the given positions, which start at 1. */
function pick(ids: readonly number[], ...positions: number[]): number[] {
  return positions.map((position) => ids[position - 1] ?? -1)
}

export const orderSetMarkerCases = defineCases(['lab'], {
  '4.6/page': {
    title: "Returns a page of an order set's markers with all fields",
    rules: ['4.6/response', '2.5/page', '2.5/marker', '2.5/expected-result', '2.5/loinc'],
    async run(service) {
      const { lab, markers } = await addTests(service, 'SetFields')
      for (const [test, from] of [0, 2].entries()) {
        const body = { lab_test_ids: [lab.tests[test]] }
        const response = await service.call('labTests.listOrderSetMarkers', { body })
        assertShape(assertSuccess(response).json, pageForm, 'the page')
        const ids = lab.markers.slice(from, from + 2)
        assertStored(readPage(response).markers, markers.slice(from, from + 2), lab, ids)
      }
    },
  },
  '4.6/lab-tests': {
    title: "Lists only the markers of an order set's lab tests",
    rules: ['4.6/body', '4.6/response'],
    async run(service) {
      const { lab } = await addTests(service, 'Set')
      const all = [1, 2, 3, 4]
      const [one, other] = lab.tests
      for (const [lab_test_ids, positions] of [
        [[one], [1, 2]],
        [[other], [3, 4]],
        [[one, other], all],
        [[other, one], all],
        [[one], [1, 2]],
      ] as const) {
        const found = await list(service, { lab_test_ids })
        assertOnlyPage(found, pick(lab.markers, ...positions), 'the lab tests')
      }
    },
  },
  '4.6/add-on': {
    title: "Lists the markers of an order set's lab tests and of its add-on",
    rules: ['4.6/body', '4.6/response'],
    async run(service) {
      const { lab, codes } = await addTests(service, 'Added')
      const [one, other] = lab.tests
      for (const [lab_test_ids, added, positions] of [
        [[one], [codes[4]], [1, 2, 5]],
        [[one], [codes[5]], [1, 2, 6]],
        [[other], [codes[4], codes[5]], [3, 4, 5, 6]],
        [[one, other], [codes[5]], [1, 2, 3, 4, 6]],
      ] as const) {
        const found = await list(service, { lab_test_ids, add_on: { provider_ids: added } })
        assertOnlyPage(found, pick(lab.markers, ...positions), 'the lab tests and the add-on')
      }
    },
  },
  '4.6/add-on-alone': {
    title: 'Lists the markers of an order set that consists only of an add-on',
    rules: ['4.6/body'],
    assumption: 'an order set may consist only of an add-on',
    async run(service) {
      const { lab, codes } = await addTests(service, 'Alone')
      for (const [positions, changes] of [
        [[5], {}],
        [[2, 6], {}],
        [[1], { lab_test_ids: [] }],
      ] as const) {
        const provider_ids = positions.map((position) => codes[position - 1])
        const found = await list(service, { add_on: { provider_ids }, ...changes })
        assertIds(found, pick(lab.markers, ...positions), 'the add-on')
      }
    },
  },
  '4.6/once': {
    title: 'Lists a marker once even if several parts of an order set contain it',
    rules: ['4.6/body'],
    assumption: 'a marker that several parts of an order set contain is listed once',
    async run(service) {
      const markers = makeMarkers('Shared', 3)
      const tests = [markers.slice(0, 2), markers.slice(1)]
      const lab = await service.setup.lab({ markers, tests })
      const provider_ids = markers.slice(0, 1).map(({ provider_id }) => provider_id)
      const body = { lab_test_ids: lab.tests, add_on: { provider_ids } }
      assertOnlyPage(await list(service, body), lab.markers, 'tests that share a marker')
    },
  },
  '4.6/paging': {
    title: "Paginates an order set's markers; the defaults are page 1 and size 50",
    rules: ['4.6/paging', '8/page-size', '8/page-number'],
    async run(service) {
      const markers = makeMarkers('Many', 103)
      const lab = await service.setup.lab({
        markers,
        tests: [markers.slice(0, 60), markers.slice(60)],
      })
      const body = { lab_test_ids: lab.tests }
      const request = (query: PageQuery) =>
        service.call('labTests.listOrderSetMarkers', { body, query })
      await presumePaging(service, request)
      await assertPaging(request, lab.markers)
    },
  },
  '4.6/default-size': {
    title: 'Returns 50 markers of a large order set by default',
    rules: ['8/page-size', '8/page-number'],
    async run(service) {
      const markers = makeMarkers('Half', 51)
      const lab = await service.setup.lab({ markers, tests: [markers] })
      const found = await list(service, { lab_test_ids: lab.tests })
      assertCounters(found, { total: 51, page: 1, size: 50 })
      const counts = [found.ids.length, new Set(found.ids).size]
      assertEqual(counts, [50, 50], 'the number of markers on the default page')
    },
  },
  '4.6/bounds': {
    title: "Requires a page of at least 1 and a size from 1 to 100 for an order set's markers",
    rules: ['4.6/paging', '8/page-size', '8/page-number'],
    async run(service) {
      const { lab } = await addTests(service, 'Bounds')
      const body = { lab_test_ids: lab.tests.slice(0, 1) }
      const request = (query: PageQuery) =>
        service.call('labTests.listOrderSetMarkers', { body, query })
      await presumePaging(service, request)
      await assertPageBounds(request)
    },
  },
  '4.6/types': {
    title: 'Rejects wrong types in an order set',
    rules: ['4.6/body'],
    async run(service) {
      const { lab, codes } = await addTests(service, 'Types')
      const lab_test_ids = lab.tests.slice(0, 1)
      for (const body of [
        { lab_test_ids: lab_test_ids[0] },
        { lab_test_ids: { 0: lab_test_ids[0] } },
        { lab_test_ids: [7] },
        { lab_test_ids: [...lab_test_ids, 7] },
        { lab_test_ids, add_on: codes[4] },
        { lab_test_ids, add_on: [codes[4]] },
        { lab_test_ids, add_on: { provider_ids: codes[4] } },
        { lab_test_ids, add_on: { provider_ids: [7] } },
        { lab_test_ids, add_on: { provider_ids: [codes[4], 7] } },
        { add_on: { provider_ids: { 0: codes[4] } } },
        lab_test_ids,
      ]) {
        await service.reject('labTests.listOrderSetMarkers', { body }, 'a wrong type')
      }
    },
  },
  '4.6/refused': {
    title:
      'Rejects an order set that is empty, mixes tests from two labs, or contains unknown tests or markers',
    rules: ['4.6/body'],
    assumption:
      'an order set that is empty, mixes tests from two labs, or contains unknown tests or markers cannot be ordered',
    async run(service) {
      const { lab } = await addTests(service, 'Refused')
      const { lab: other } = await addTests(service, 'OtherLab')
      const lab_test_ids = lab.tests.slice(0, 1)
      for (const body of [
        {},
        { lab_test_ids: [] },
        { lab_test_ids, add_on: {} },
        { lab_test_ids, add_on: { provider_ids: [] } },
        { lab_test_ids: [...lab_test_ids, other.tests[0]] },
        { lab_test_ids: [unknownId] },
        { lab_test_ids: [...lab_test_ids, unknownId] },
        { lab_test_ids, add_on: { provider_ids: ['no-such-marker'] } },
      ]) {
        await service.reject(
          'labTests.listOrderSetMarkers',
          { body },
          'an order set that cannot be ordered',
        )
      }
      const found = await list(service, { lab_test_ids })
      assertIds(found, lab.markers.slice(0, 2), 'a valid order set')
    },
  },
})
