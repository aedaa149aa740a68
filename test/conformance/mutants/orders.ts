import { after, before, changeResponses, type Json, type Mutant, rejectCalls } from '../mutant.ts'
import { order } from './targets.ts'

export const ordersMutants: Mutant[] = [
  {
    name: 'has no requisition forms',
    only: ['4.12'],
    between: rejectCalls(/requisition\/pdf$/, () => true, 404),
  },
  {
    name: 'returns results without a result_type',
    only: ['9'],
    setup: (setup) => ({
      ...setup,
      completedOrder: async () => {
        const completed: Json = await setup.completedOrder?.()
        return { results: completed.results.map(({ value, result }: Json) => ({ value, result })) }
      },
    }),
  },
  {
    name: 'rejects the deprecated lab_test_id',
    only: ['9'],
    between: rejectCalls(order, ({ body }) => body.lab_test_id !== undefined),
  },
  {
    name: 'ignores the order_set',
    only: ['4.12'],
    between: before(order, ({ body }) => {
      delete body.order_set
    }),
  },
  {
    name: 'never lets signed URLs expire',
    only: ['8'],
    between: after(/^GET \/requisitions\//, ({ status }) => (status >= 400 ? { status: 200 } : {})),
  },
  {
    name: 'omits requisition_form_url',
    only: ['8'],
    between: changeResponses(order, (body) => {
      delete body.order.requisition_form_url
    }),
  },
]
