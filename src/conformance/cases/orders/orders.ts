import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { createOrder, downloadRequisition } from '../../operations.ts'
import { orderBody } from '../../request-bodies.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { minutes } from './book.ts'

export const orderCases = defineCases({
  '4.12/order-set': {
    title: 'Creates an order from an order_set',
    rules: ['4.12/order', '9/lab-test-id'],
    needs: ['user'],
    assumption: 'the other fields of an order, and the list of lab tests',
    async run(service) {
      const order_set = { lab_test_ids: [await service.labTest()] }
      const body = orderBody(await service.user(), { order_set })
      const { json } = assertSuccess(await service.call(createOrder, { body }))
      assertShape(fieldOf(json, 'order'), { id: 'uuid' }, 'order')
    },
  },
  '9/lab-test-id': {
    title: 'Creates an order from the deprecated lab_test_id',
    rules: ['9/lab-test-id'],
    needs: ['user'],
    assumption: 'the other fields of an order; the specification does not show the date of removal',
    async run(service) {
      const lab_test_id = await service.labTest()
      const body = orderBody(await service.user(), { lab_test_id })
      assertSuccess(await service.call(createOrder, { body }))
    },
  },
  '4.12/requisition': {
    title: 'Returns the requisition form of an order as PDF',
    rules: ['4.12/requisition', '9/requisition-url'],
    needs: ['order'],
    assumption: 'GET /v3/order/{order_id}/requisition/pdf',
    async run(service) {
      const params = { order_id: await service.order() }
      const { bytes } = assertSuccess(await service.call(downloadRequisition, { params }))
      assertEqual(new TextDecoder().decode(bytes.slice(0, 4)), '%PDF', 'the first bytes')
    },
  },
  '8/requisition-url': {
    title: 'Keeps the signed requisition URL of an order valid for 7 days',
    rules: ['8/requisition-url', '9/requisition-url'],
    needs: ['user', 'advance'],
    assumption: 'the validity counts from the creation of the order',
    async run(service) {
      const order_set = { lab_test_ids: [await service.labTest()] }
      const body = orderBody(await service.user(), { order_set })
      const { json } = assertSuccess(await service.call(createOrder, { body }))
      const url = fieldOf(fieldOf(json, 'order'), 'requisition_form_url')
      assertThat(typeof url === 'string', 'Expected the order to have requisition_form_url.')
      await service.advance(7 * 24 * 60 * minutes - 5 * minutes)
      assertSuccess(await service.open(url, 'the signed requisition URL'))
      await service.advance(10 * minutes)
      assertRejected(
        await service.open(url, 'the signed requisition URL'),
        'a download after 7 days',
      )
    },
  },
  '9/value': {
    title: 'Returns results with result and result_type in addition to the deprecated value',
    rules: ['9/value'],
    needs: ['completedOrder'],
    assumption: 'the results of an order',
    async run(service) {
      const results = fieldOf(await service.completedOrder(), 'results')
      const result: ObjectForm = { result: 'string', result_type: 'string' }
      assertThat(
        Array.isArray(results) && results.length > 0,
        'Expected the order to have results.',
      )
      assertShape(results, [result], 'results')
    },
  },
})
