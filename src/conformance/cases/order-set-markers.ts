import { listMarkers, listOrderSetMarkers, listTestMarkers } from '../../contract/lab-tests.ts'
import {
  assertEqual,
  assertRejected,
  assertSuccess,
  assertThat,
  NotApplicable,
} from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { RequestParts } from '../http.ts'
import type { Service } from '../service.ts'
import { assertShape } from '../shape.ts'
import {
  assertPagesAgree,
  bounds,
  labTestRequest,
  page,
  pageOf,
  parameters,
  shapes,
} from './marker-pages.ts'

/** An order set of one lab test that has several markers. */
async function orderSet(service: Service): Promise<RequestParts> {
  return { body: { lab_test_ids: [await service.labTest()] } }
}

export const orderSetMarkerCases = defineCases({
  '4.6/lab-tests': {
    title: 'Lists the markers of the lab tests of an order set',
    rules: ['4.6/body', '4.6/response'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const set = await orderSet(service)
      assertShape(
        assertSuccess(await service.call(listOrderSetMarkers, set)).json,
        page,
        'the page',
      )
      const { ids } = await pageOf(service, listOrderSetMarkers, set)
      const test = await pageOf(service, listTestMarkers, await labTestRequest(service))
      assertEqual(ids.toSorted().join(), test.ids.toSorted().join(), 'the markers of the order set')
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
      assertEqual(
        after.ids.includes(Number(added['id'])),
        true,
        'whether the added marker is listed',
      )
      assertThat(
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
      await assertPagesAgree(service, listOrderSetMarkers, await orderSet(service))
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
        assertRejected(await service.call(listOrderSetMarkers, { body }), 'another type')
      }
    },
  },
})
