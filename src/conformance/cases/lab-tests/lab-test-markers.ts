import { assertEqual, assertRejected, assertSuccess } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { listTestMarkers } from '../../operations.ts'
import { assertShape } from '../../shape.ts'
import {
  assertPageBounds,
  assertPagesAgree,
  assumedLabTests,
  getPage,
  labTestRequest,
  testPageForm,
} from './marker-pages.ts'

export const labTestMarkerCases = defineCases({
  '4.5/page': {
    title: 'Returns the markers of a lab test with all four counters',
    rules: ['4.5/response', '2.5/page'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const { json } = assertSuccess(
        await service.call(listTestMarkers, await labTestRequest(service)),
      )
      assertShape(json, testPageForm, 'the page')
    },
  },
  '4.5/defaults': {
    title: 'Returns the first page with 50 markers by default',
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const found = await getPage(service, listTestMarkers, await labTestRequest(service))
      if (found.page !== null) assertEqual(found.page, 1, 'page')
      if (found.size !== null) assertEqual(found.size, 50, 'size')
    },
  },
  '4.5/bounds': {
    title: 'Accepts page numbers from 1 and page sizes from 1 to 100',
    rules: ['4.5/parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      await assertPageBounds(service, listTestMarkers, await labTestRequest(service))
    },
  },
  '4.5/pages': {
    title: 'Pages the markers of a lab test so that each is returned once and in a stable order',
    rules: ['4.5/parameters', '4.5/response'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      await assertPagesAgree(service, listTestMarkers, await labTestRequest(service))
    },
  },
  '4.5/counts': {
    title: 'Counts the pages of a lab test',
    rules: ['4.5/response'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const request = await labTestRequest(service)
      const { total, pages } = await getPage(service, listTestMarkers, {
        ...request,
        query: { size: 2 },
      })
      if (typeof total === 'number' && pages !== null)
        assertEqual(pages, Math.ceil(total / 2), 'pages')
    },
  },
  '4.5/past-the-end': {
    title: 'Returns no markers past the last page',
    rules: ['4.5/response'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const request = { ...(await labTestRequest(service)), query: { page: 1000 } }
      assertEqual(
        (await getPage(service, listTestMarkers, request)).ids.length,
        0,
        'the number of markers',
      )
    },
  },
  '4.5/uuid': {
    title: 'Rejects a lab test or lab account whose id is not a UUID',
    rules: ['4.5/parameters'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const params = { lab_test_id: 'not-a-uuid' }
      assertRejected(
        await service.call(listTestMarkers, { params }),
        'a lab_test_id that is not a UUID',
      )
      const request = {
        ...(await labTestRequest(service)),
        query: { lab_account_id: 'not-a-uuid' },
      }
      assertRejected(
        await service.call(listTestMarkers, request),
        'a lab_account_id that is not a UUID',
      )
    },
  },
  '4.5/lab-account': {
    title: 'Returns only the markers of a lab test that are available to a lab account',
    rules: ['4.5/parameters'],
    needs: ['labAccount'],
    assumption: assumedLabTests,
    async run(service) {
      const request = await labTestRequest(service)
      const query = { lab_account_id: await service.labAccount('none') }
      const { ids } = await getPage(service, listTestMarkers, { ...request, query })
      assertEqual(ids.length, 0, 'the number of markers of an account for none')
    },
  },
})
