import {
  assertEqual,
  assertRejected,
  assertSuccess,
  assertThat,
  NotApplicable,
} from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { RequestFields } from '../../http.ts'
import { listMarkers, listOrderSetMarkers, listTestMarkers } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { assertShape } from '../../shape.ts'
import {
  assertPageBounds,
  assertPagesAgree,
  assumedLabTests,
  getPage,
  labTestRequest,
  pageForm,
  parameters,
} from './marker-pages.ts'

/** Returns the request for an order set with one lab test that has several markers. */
async function orderSetRequest(service: TestedService): Promise<RequestFields> {
  return { body: { lab_test_ids: [await service.labTest()] } }
}

export const orderSetMarkerCases = defineCases({
  '4.6/lab-tests': {
    title: 'Lists the markers of the lab tests of an order set',
    rules: ['4.6/body', '4.6/response'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const set = await orderSetRequest(service)
      assertShape(
        assertSuccess(await service.call(listOrderSetMarkers, set)).json,
        pageForm,
        'the page',
      )
      const { ids } = await getPage(service, listOrderSetMarkers, set)
      const test = await getPage(service, listTestMarkers, await labTestRequest(service))
      assertEqual(ids.toSorted().join(), test.ids.toSorted().join(), 'the markers of the order set')
    },
  },
  '4.6/add-on': {
    title: 'Lists the markers that an order set adds by provider_ids',
    rules: ['4.6/body'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const set = await orderSetRequest(service)
      const before = await getPage(service, listOrderSetMarkers, { ...set, query: { size: 100 } })
      const lab_id = Number(before.markers[0]?.['lab_id'])
      const lab = await getPage(service, listMarkers, { query: { lab_id, size: 100 } })
      const added = lab.markers.find(({ id }) => !before.ids.includes(Number(id)))
      if (!added) throw new NotApplicable('the lab has no other marker than those of the lab test')
      const add_on = { provider_ids: [String(added['provider_id'])] }
      const body = { ...(set.body as object), add_on }
      const after = await getPage(service, listOrderSetMarkers, { body, query: { size: 100 } })
      assertEqual(
        after.ids.includes(Number(added['id'])),
        true,
        'whether the added marker is listed',
      )
      assertThat(
        before.ids.every((id) => after.ids.includes(id)),
        'Expected the other markers to remain.',
      )
    },
  },
  '4.6/pages': {
    title: 'Pages the markers of an order set so that each is returned once and in a stable order',
    rules: ['4.6/paging'],
    readOnly: true,
    assumption: `${parameters} of the query; ${assumedLabTests}`,
    async run(service) {
      await assertPagesAgree(service, listOrderSetMarkers, await orderSetRequest(service))
    },
  },
  '4.6/bounds': {
    title: 'Accepts page numbers from 1 and page sizes from 1 to 100',
    rules: ['4.6/paging', '8/page-size', '8/page-number'],
    readOnly: true,
    assumption: `${parameters} of the query; ${assumedLabTests}`,
    async run(service) {
      await assertPageBounds(service, listOrderSetMarkers, await orderSetRequest(service))
    },
  },
  '4.6/types': {
    title: 'Rejects wrong types in an order set',
    rules: ['4.6/body'],
    readOnly: true,
    async run(service) {
      for (const body of [{ lab_test_ids: 'all' }, { add_on: { provider_ids: 'all' } }]) {
        assertRejected(await service.call(listOrderSetMarkers, { body }), 'a wrong type')
      }
    },
  },
})
