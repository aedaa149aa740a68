import {
  assertEqual,
  assertRejected,
  assertSameId,
  assertSameItems,
  assertSuccess,
  assertThat,
} from '../../assertions.ts'
import { unknownId } from '../../bodies/invalid-bodies.ts'
import { completeAddress } from '../../bodies/people.ts'
import { defineCases } from '../../case.ts'
import type { ReadResponse } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf, type ObjectForm } from '../../shape.ts'
import { addLab, bookOrder, minutes, order, orderBody, orderShape, seconds } from './book.ts'

const days = 24 * 60 * minutes
const path = 'GET /v3/order/{order_id}/requisition/pdf'
const signedUrl = 'the signed requisition URL'

function assertPdf(response: ReadResponse): string {
  const text = new TextDecoder('latin1').decode(assertSuccess(response).bytes)
  assertEqual(text.slice(0, 4), '%PDF', 'the first bytes of the requisition form')
  return text
}

export const orderCases = defineCases(['user', 'lab'], {
  '4.12/order-set': {
    title: 'Creates a new order from an order_set on each call',
    rules: ['4.12/order', '9/lab-test-id'],
    async run(service) {
      const user = await service.user()
      const { tests, codes } = await addLab(service)
      await assertOrderSetTaken(service, user, tests[0])
      const add_on = { provider_ids: codes.slice(2) }
      await assertCreatesOrders(service, user, [
        { order_set: { lab_test_ids: tests.slice(0, 1) } },
        { order_set: { lab_test_ids: tests.slice(0, 1) } },
        { order_set: { lab_test_ids: tests } },
        { order_set: { lab_test_ids: tests.slice(1) } },
        { order_set: { lab_test_ids: tests.slice(1), add_on } },
      ])
    },
  },
  '4.12/order-fields': {
    title: 'Returns the user_id and the order_set of each order',
    rules: ['4.12/order'],
    async run(service: TestedService) {
      const { tests } = await addLab(service)
      for (const lab_test_ids of [tests.slice(0, 1), tests.slice(1), tests]) {
        const user = await service.user()
        const created = await order(service, user, { order_set: { lab_test_ids } })
        const found = fieldOf(fieldOf(created, 'order_set'), 'lab_test_ids')
        const hasBoth = found !== undefined && fieldOf(created, 'user_id') !== undefined
        service.presume(hasBoth, 'an order contains user_id and order_set')
        assertSameId(fieldOf(created, 'user_id'), user, 'user_id')
        assertSameItems(found, lab_test_ids, 'lab_test_ids')
      }
    },
  },
  '4.12/order-types': {
    title: 'Rejects an order whose order_set has wrong types',
    rules: ['4.12/order', '4.6/body'],
    assumption: `${orderShape}; order_set has the form in 4.6`,
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
        await service.reject('orders.create', { body }, 'a wrong type')
      }
    },
  },
  '4.12/order-refused': {
    title:
      'Rejects an order whose order_set is empty, mixes tests from two labs, or contains unknown tests or markers',
    rules: ['4.12/order', '4.6/body'],
    assumption:
      'an order set that is empty, mixes tests from two labs, or contains unknown tests or markers cannot be ordered',
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
        { lab_test_ids: [unknownId] },
        { lab_test_ids, add_on: { provider_ids: ['no-such-marker'] } },
      ]) {
        const body = orderBody(user, { order_set })
        await service.reject('orders.create', { body }, 'an order set that cannot be ordered')
      }
    },
  },
  '4.12/order-booked': {
    title: "Books an appointment for a created order's user and address",
    rules: ['4.12/order', '2.6/fields', '2.6/address'],
    needs: ['user', 'lab', 'bookingKey'],
    assumption: `${orderShape}; phlebotomists visit patient_address`,
    async run(service) {
      const { tests: lab_test_ids } = await addLab(service)
      const address = completeAddress('insured')
      for (const [number, zip] of [
        [1, '94105'],
        [2, '94103'],
      ] as const) {
        const user = await service.user()
        const first_line = `${number} Canal Street`
        const patient_address = { ...address, first_line, zip }
        const changes = { order_set: { lab_test_ids }, patient_address }
        const id = String(fieldOf(await order(service, user, changes), 'id'))
        const { json } = assertSuccess(await bookOrder(service, id, { outcome: 'confirm' }))
        assertSameId(fieldOf(json, 'order_id'), id, 'order_id')
        assertSameId(fieldOf(json, 'user_id'), user, 'user_id')
        const { second_line, city, state, access_notes } = address
        const expected = { first_line, second_line, city, state, zip_code: zip, access_notes }
        for (const [name, value] of Object.entries(expected)) {
          assertEqual(fieldOf(fieldOf(json, 'address'), name), value, `the address's ${name}`)
        }
      }
    },
  },
  '9/lab-test-id': {
    title: 'Creates a new order from the deprecated lab_test_id on each call',
    rules: ['9/lab-test-id'],
    assumption: `${orderShape}; lab_test_id has not been removed yet`,
    async run(service) {
      const user = await service.user()
      const { tests } = await addLab(service)
      const [one, other] = tests
      const orders = [one, other, one].map((lab_test_id) => ({ lab_test_id }))
      await assertCreatesOrders(service, user, orders)
    },
  },
  '9/value': {
    title: 'Returns result and result_type in each result, not only the deprecated value',
    rules: ['9/value'],
    needs: ['completedOrder'],
    async run(service: TestedService) {
      for (let number = 1; number <= 2; number += 1) {
        const results = fieldOf(await service.setup.completedOrder(), 'results')
        const result: ObjectForm = { result: 'string', result_type: 'string' }
        service.presume(Array.isArray(results) && results.length > 0, 'an order has results')
        assertShape(results, [result], 'results')
        for (const one of results) assertParsed(one)
      }
    },
  },
  '4.12/requisition': {
    title: "Returns each order's requisition form as a PDF",
    rules: ['4.12/requisition', '9/requisition-url'],
    needs: ['order'],
    async run(service: TestedService) {
      const forms = new Set<string>()
      for (let number = 1; number <= 2; number += 1) {
        const params = { order_id: await service.setup.order() }
        const response = await service.call('orders.downloadRequisition', { params })
        service.presume(response.status !== 404, `${path} returns the requisition form`)
        forms.add(assertPdf(response))
        const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
        assertEqual(type.trim(), 'application/pdf', 'the content type')
      }
      assertEqual(forms.size, 2, 'the number of different forms')
    },
  },
  '4.12/requisition-of-others': {
    title: "Rejects requests for the requisition form of an unknown order or another team's order",
    rules: ['4.12/requisition', '5/team-key'],
    needs: ['order', 'team'],
    async run(service: TestedService) {
      const team = await service.team({})
      const params = { order_id: await service.setup.order() }
      const own = await service.call('orders.downloadRequisition', { params })
      service.presume(own.status < 300, `${path} returns the requisition form`)
      await team.reject('orders.downloadRequisition', { params }, "another team's order")
      for (const order_id of [unknownId, 'not-a-uuid']) {
        await service.reject(
          'orders.downloadRequisition',
          { params: { order_id } },
          'an order that does not exist',
        )
      }
    },
  },
  '8/requisition-url': {
    title: "Keeps an order's signed requisition URL valid for 7 days",
    rules: ['8/requisition-url', '9/requisition-url'],
    needs: ['user', 'lab', 'advance'],
    async run(service: TestedService) {
      const user = await service.user()
      const { tests } = await addLab(service)
      const create = async () => {
        const created = await order(service, user, { order_set: { lab_test_ids: tests } })
        const url = fieldOf(created, 'requisition_form_url')
        service.presume(typeof url === 'string', 'an order has requisition_form_url')
        return url
      }
      const first = await create()
      const form = assertPdf(await service.open(first, signedUrl))
      await service.setup.advance(2 * days)
      const second = await create()
      const other = assertPdf(await service.open(second, signedUrl))
      assertThat(
        form !== other,
        'Expected different requisition forms for two orders, but found the same one.',
      )
      await service.setup.advance(5 * days - 5 * seconds)
      assertPdf(await service.open(first, signedUrl))
      await service.setup.advance(10 * seconds)
      assertRejected(await service.open(first, signedUrl), 'a download after 7 days')
      assertPdf(await service.open(second, signedUrl))
      await service.setup.advance(2 * days)
      assertRejected(await service.open(second, signedUrl), 'a download after 7 days')
    },
  },
})

/** Asserts that each request creates a new order. */
async function assertCreatesOrders(
  service: TestedService,
  user: string,
  requests: readonly Record<string, unknown>[],
): Promise<void> {
  const ids = new Set<unknown>()
  for (const changes of requests) {
    const created = await order(service, user, changes)
    assertShape(created, { id: 'uuid' }, 'order')
    ids.add(fieldOf(created, 'id'))
  }
  assertEqual(ids.size, requests.length, 'the number of different orders')
}

/** Asserts that the service accepts `order_set` if it accepts the deprecated `lab_test_id`. */
async function assertOrderSetTaken(service: TestedService, user: string, test = '') {
  const send = (changes: object) =>
    service.call('orders.create', { body: orderBody(user, { ...changes }) })
  if ((await send({ lab_test_id: test })).status >= 300) return
  assertSuccess(await send({ order_set: { lab_test_ids: [test] } }))
}

/** Asserts that a numeric `result` equals the deprecated `value`, if the result still has a `value`. */
function assertParsed(found: unknown): void {
  const [result, value] = [fieldOf(found, 'result'), fieldOf(found, 'value')]
  if (fieldOf(found, 'result_type') !== 'numeric' || typeof value !== 'number') return
  assertEqual(Number(result), value, 'result as a number')
}
