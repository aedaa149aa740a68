import {
  assertEqual,
  assertRejected,
  assertSameId,
  assertSameItems,
  assertSuccess,
} from '../../assertions.ts'
import { insuranceAddress, orderBody } from '../../bodies/request-bodies.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { addLab, bookOrder, order, orderShape } from './book.ts'

const unknownTest = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'

export const orderCases = defineCases(['user', 'lab'], {
  '4.12/order-set': {
    title: 'Creates an order from an order_set, and a new one on each call',
    rules: ['4.12/order', '9/lab-test-id'],
    async run(service) {
      const user = await service.user()
      const { tests, codes } = await addLab(service)
      await assertOrderSetTaken(service, user, tests[0])
      const ids = new Set<unknown>()
      const add_on = { provider_ids: codes.slice(2) }
      for (const order_set of [
        { lab_test_ids: tests.slice(0, 1) },
        { lab_test_ids: tests.slice(0, 1) },
        { lab_test_ids: tests },
        { lab_test_ids: tests.slice(1) },
        { lab_test_ids: tests.slice(1), add_on },
      ]) {
        const created = await order(service, user, { order_set })
        assertShape(created, { id: 'uuid' }, 'order')
        ids.add(fieldOf(created, 'id'))
      }
      assertEqual(ids.size, 5, 'the number of different orders')
    },
  },
  '4.12/order-fields': {
    title: 'Returns the user and the order_set of each order',
    rules: ['4.12/order'],
    async run(service: TestedService) {
      const { tests } = await addLab(service)
      for (const lab_test_ids of [tests.slice(0, 1), tests.slice(1), tests]) {
        const user = await service.user()
        const created = await order(service, user, { order_set: { lab_test_ids } })
        const found = fieldOf(fieldOf(created, 'order_set'), 'lab_test_ids')
        const hasBoth = found !== undefined && fieldOf(created, 'user_id') !== undefined
        service.presume(hasBoth, 'an order has user_id and order_set')
        assertSameId(fieldOf(created, 'user_id'), user, 'user_id')
        assertSameItems(found, lab_test_ids, 'lab_test_ids')
      }
    },
  },
  '4.12/order-types': {
    title: 'Rejects an order_set of a wrong type',
    rules: ['4.12/order', '4.6/body'],
    assumption: `${orderShape}; order_set has the form of 4.6`,
    async run(service) {
      const user = await service.user()
      const { tests } = await addLab(service)
      for (const order_set of [
        tests[0],
        tests,
        { lab_test_ids: tests[0] },
        { lab_test_ids: [7] },
        { lab_test_ids: tests, add_on: { provider_ids: 'all' } },
      ]) {
        const body = orderBody(user, { order_set })
        assertRejected(await service.call('orders.create', { body }), 'a wrong type')
      }
    },
  },
  '4.12/order-refused': {
    title: 'Rejects orders that list_order_set_markers rejects',
    rules: ['4.12/order', '4.6/body'],
    assumption: 'these order sets cannot be ordered',
    async run(service) {
      const user = await service.user()
      const { tests: lab_test_ids } = await addLab(service)
      const { tests: others } = await addLab(service)
      for (const order_set of [
        undefined,
        {},
        { lab_test_ids: [] },
        { lab_test_ids, add_on: {} },
        { lab_test_ids: [...lab_test_ids, ...others] },
        { lab_test_ids: [unknownTest] },
        { lab_test_ids, add_on: { provider_ids: ['no-such-marker'] } },
      ]) {
        const body = orderBody(user, { order_set })
        const response = await service.call('orders.create', { body })
        assertRejected(response, 'an order set that cannot be ordered')
      }
    },
  },
  '4.12/order-booked': {
    title: 'Books an appointment for the user and at the address of a created order',
    rules: ['4.12/order', '2.6/fields', '2.6/address'],
    needs: ['user', 'lab', 'bookingKey'],
    assumption: `${orderShape}; phlebotomists visit patient_address`,
    async run(service) {
      const { tests: lab_test_ids } = await addLab(service)
      for (const [number, zip] of [
        [1, '85004'],
        [2, '85251'],
      ] as const) {
        const user = await service.user()
        const first_line = `${number} Canal Street`
        const patient_address = { ...insuranceAddress, first_line, zip }
        const changes = { order_set: { lab_test_ids }, patient_address }
        const id = String(fieldOf(await order(service, user, changes), 'id'))
        const { json } = assertSuccess(await bookOrder(service, id, { outcome: 'confirm' }))
        assertSameId(fieldOf(json, 'order_id'), id, 'order_id')
        assertSameId(fieldOf(json, 'user_id'), user, 'user_id')
        const { second_line, city, state, access_notes } = insuranceAddress
        const expected = { first_line, second_line, city, state, zip_code: zip, access_notes }
        for (const [name, value] of Object.entries(expected)) {
          assertEqual(fieldOf(fieldOf(json, 'address'), name), value, `the address's ${name}`)
        }
      }
    },
  },
  '9/lab-test-id': {
    title: 'Creates an order from the deprecated lab_test_id',
    rules: ['9/lab-test-id'],
    assumption: `${orderShape}; the specification gives no removal date`,
    async run(service) {
      const user = await service.user()
      const { tests } = await addLab(service)
      const ids = new Set<unknown>()
      for (const lab_test_id of [tests[0], tests[1], tests[0]]) {
        const created = await order(service, user, { lab_test_id })
        assertShape(created, { id: 'uuid' }, 'order')
        ids.add(fieldOf(created, 'id'))
      }
      assertEqual(ids.size, 3, 'the number of different orders')
    },
  },
  '9/value': {
    title: 'Returns results with result and result_type in addition to the deprecated value',
    rules: ['9/value'],
    needs: ['completedOrder'],
    async run(service: TestedService) {
      for (let number = 1; number <= 2; number += 1) {
        const results = fieldOf(await service.completedOrder(), 'results')
        const result: ObjectForm = { result: 'string', result_type: 'string' }
        service.presume(Array.isArray(results) && results.length > 0, 'an order has results')
        assertShape(results, [result], 'results')
        for (const one of results) assertParsed(one)
      }
    },
  },
})

/** Asserts that the service accepts `order_set` if it accepts the deprecated `lab_test_id`. */
async function assertOrderSetTaken(service: TestedService, user: string, test = '') {
  const send = (changes: object) =>
    service.call('orders.create', { body: orderBody(user, { ...changes }) })
  if ((await send({ lab_test_id: test })).status >= 300) return
  assertSuccess(await send({ order_set: { lab_test_ids: [test] } }))
}

/** Asserts that a numeric `result` is equal to the deprecated `value`, if both are known. */
function assertParsed(found: unknown): void {
  const [result, value] = [fieldOf(found, 'result'), fieldOf(found, 'value')]
  if (fieldOf(found, 'result_type') !== 'numeric' || typeof value !== 'number') return
  assertEqual(Number(result), value, 'result as a number')
}
