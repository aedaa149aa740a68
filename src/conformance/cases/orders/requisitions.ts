import { assertEqual, assertRejected, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { ReadResponse } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { addLab, minutes, order, seconds } from './book.ts'

const days = 24 * 60 * minutes
const path = 'GET /v3/order/{order_id}/requisition/pdf'
const unknownOrder = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
const signedUrl = 'the signed requisition URL'

function assertPdf(response: ReadResponse): string {
  const text = new TextDecoder('latin1').decode(assertSuccess(response).bytes)
  assertEqual(text.slice(0, 4), '%PDF', 'the first bytes of the requisition form')
  return text
}

export const requisitionCases = defineCases([], {
  '4.12/requisition': {
    title: "Returns each order's requisition form as a PDF",
    rules: ['4.12/requisition', '9/requisition-url'],
    needs: ['order'],
    async run(service: TestedService) {
      const forms = new Set<string>()
      for (let number = 1; number <= 2; number += 1) {
        const params = { order_id: await service.order() }
        const response = await service.call('orders.downloadRequisition', { params })
        service.presume(response.status !== 404, `the download is ${path}`)
        forms.add(assertPdf(response))
        const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
        assertEqual(type.trim(), 'application/pdf', 'the content type')
      }
      assertEqual(forms.size, 2, 'the number of different forms')
    },
  },
  '4.12/requisition-of-others': {
    title: "Rejects the requisition form of an unknown order and of another team's order",
    rules: ['4.12/requisition', '5/team-key'],
    needs: ['order', 'team'],
    async run(service: TestedService) {
      const team = await service.team({})
      const params = { order_id: await service.order() }
      const own = await service.call('orders.downloadRequisition', { params })
      service.presume(own.status < 300, `the download is ${path}`)
      const download = await team.call('orders.downloadRequisition', { params })
      assertRejected(download, "another team's order")
      for (const order_id of [unknownOrder, 'not-a-uuid']) {
        const response = await service.call('orders.downloadRequisition', { params: { order_id } })
        assertRejected(response, 'an order that does not exist')
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
      await service.advance(2 * days)
      const second = await create()
      const other = assertPdf(await service.open(second, signedUrl))
      assertThat(form !== other, 'Expected a different requisition form for a different order.')
      await service.advance(5 * days - 5 * seconds)
      assertPdf(await service.open(first, signedUrl))
      await service.advance(10 * seconds)
      assertRejected(await service.open(first, signedUrl), 'a download after 7 days')
      assertPdf(await service.open(second, signedUrl))
      await service.advance(2 * days)
      assertRejected(await service.open(second, signedUrl), 'a download after 7 days')
    },
  },
})
