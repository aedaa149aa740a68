import { assertRejected, assertSuccess } from '../../assertions.ts'
import { invalidUuids, unknownId } from '../../bodies/invalid-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape } from '../../shape.ts'
import {
  assertIds,
  assertOnlyPage,
  assertPageBounds,
  assertPaging,
  type PageQuery,
  readPage,
  testPageForm,
} from './marker-pages.ts'
import { assertStored, makeMarkers } from './offers.ts'

function request(service: TestedService, lab_test_id = '', query: PageQuery = {}) {
  return service.call('labTests.listTestMarkers', { params: { lab_test_id }, query })
}

async function list(service: TestedService, id?: string, query?: PageQuery) {
  return readPage(await request(service, id, query))
}

async function addTests(service: TestedService, prefix: string) {
  const markers = makeMarkers(prefix, 4)
  const tests = [markers.slice(0, 2), markers.slice(2), []]
  return { markers, lab: await service.setup.lab({ markers, tests }) }
}

export const labTestMarkerCases = defineCases(['lab'], {
  '4.5/page': {
    title: "Returns total, page, size and pages on every page of a lab test's markers",
    rules: ['4.5/response', '2.5/page'],
    async run(service) {
      const { lab } = await addTests(service, 'Page')
      for (const [test, query] of [
        [0, {}],
        [1, { page: 2, size: 1 }],
        [2, {}],
      ] as const) {
        const { json } = assertSuccess(await request(service, lab.tests[test], query))
        assertShape(json, testPageForm, 'the page')
      }
    },
  },
  '4.5/after-a-page': {
    title: "Returns the first page of a lab test's markers by default, even after other requests",
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    async run(service) {
      const { lab } = await addTests(service, 'After')
      const [test] = lab.tests
      for (const query of [{ size: 1 }, { page: 2, size: 1 }]) {
        await list(service, test, query)
        assertOnlyPage(await list(service, test), lab.markers.slice(0, 2), 'the lab test')
      }
    },
  },
  '4.5/fields': {
    title: "Returns every field of a lab test's markers",
    rules: ['4.5/response', '2.5/marker', '2.5/expected-result', '2.5/loinc'],
    async run(service) {
      const { lab, markers } = await addTests(service, 'Test')
      for (const [test, from] of [0, 2].entries()) {
        const found = await list(service, lab.tests[test])
        const ids = lab.markers.slice(from, from + 2)
        assertStored(found.markers, markers.slice(from, from + 2), lab, ids)
      }
    },
  },
  '4.5/own-markers': {
    title: 'Returns only the markers of the lab test in the path',
    rules: ['4.5/parameters', '4.5/response', '2.5/page'],
    async run(service) {
      const { lab } = await addTests(service, 'Own')
      const [one, other] = [lab.markers.slice(0, 2), lab.markers.slice(2)]
      for (const [test, expected] of [
        [0, one],
        [1, other],
        [2, []],
        [0, one],
      ] as const) {
        assertOnlyPage(await list(service, lab.tests[test]), expected, 'the lab test')
      }
    },
  },
  '4.5/paging': {
    title: "Paginates a lab test's markers; the defaults are page 1 and size 50",
    rules: ['4.5/parameters', '4.5/response', '8/page-size', '8/page-number'],
    async run(service) {
      const markers = makeMarkers('Many', 103)
      const lab = await service.setup.lab({ markers, tests: [markers] })
      await assertPaging((query) => request(service, lab.tests[0], query), lab.markers)
    },
  },
  '4.5/bounds': {
    title: "Requires a page of at least 1 and a size from 1 to 100 for a lab test's markers",
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    async run(service) {
      const { lab } = await addTests(service, 'Bounds')
      await assertPageBounds((query) => request(service, lab.tests[0], query))
    },
  },
  '4.5/uuid': {
    title: 'Rejects a lab_test_id or lab_account_id that is not a UUID',
    rules: ['4.5/parameters'],
    async run(service) {
      const { lab } = await addTests(service, 'Uuid')
      for (const id of invalidUuids) {
        assertRejected(await request(service, id), 'a lab_test_id that is not a UUID')
        const query = { lab_account_id: id }
        const response = await request(service, lab.tests[0], query)
        assertRejected(response, 'a lab_account_id that is not a UUID')
      }
    },
  },
  '4.5/unknown': {
    title: 'Rejects a request for the markers of an unknown lab test',
    rules: ['4.5/parameters'],
    needs: [],
    readOnly: true,
    assumption: 'a request for the markers of an unknown lab test is rejected',
    async run(service) {
      assertRejected(await request(service, unknownId), 'an unknown lab test')
    },
  },
  '4.5/lab-account': {
    title: 'Returns only the markers of a lab test that are available to a lab account',
    rules: ['4.5/parameters'],
    needs: ['lab', 'labAccount'],
    async run(service) {
      const { lab } = await addTests(service, 'Account')
      const { lab: other } = await addTests(service, 'Other')
      for (const [account, available] of [
        ['all', lab.markers.slice(0, 2)],
        ['none', []],
        [[lab.id], lab.markers.slice(0, 2)],
        [[other.id], []],
      ] as const) {
        const query = { lab_account_id: await service.setup.labAccount(account) }
        const response = await request(service, lab.tests[0], query)
        // A service may reject a lab test that is not available.
        if (available.length === 0 && response.status >= 400 && response.status < 500) continue
        assertOnlyPage(readPage(response), available, 'a lab test for the account')
      }
      assertIds(
        await list(service, lab.tests[1]),
        lab.markers.slice(2),
        'a lab test without lab_account_id',
      )
    },
  },
})
