import {
  after,
  before,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  stick,
  withFirst,
} from '../../mutant.ts'
import { order } from '../targets.ts'

const requisition = /requisition\/pdf$/
const signed = /^GET \/requisitions\//

/** Changes the order that the setup completes. */
function completing(change: (result: Json) => Json): NonNullable<Mutant['setup']> {
  return (setup) => ({
    ...setup,
    completedOrder: async () => {
      const completed: Json = await setup.completedOrder?.()
      return { ...completed, results: completed.results.map(change) }
    },
  })
}

export const ordersMutants: Mutant[] = [
  {
    name: 'has no requisition forms of two orders',
    rule: '4.12/requisition',
    between: (fetch) => {
      let count = 0
      return async (input, init) => {
        const isForm = requisition.test(new URL(String(input)).pathname)
        if (isForm) count += 1
        return isForm && count > 1 ? Response.json({}, { status: 500 }) : fetch(input, init)
      }
    },
  },
  {
    name: 'returns the same requisition form for every order',
    rule: '4.12/requisition',
    between: (fetch) => {
      let first: Response | undefined
      return async (input, init) => {
        const response = await fetch(input, init)
        if (!requisition.test(new URL(String(input)).pathname)) return response
        if (response.ok) first ??= response.clone()
        return first?.clone() ?? response
      }
    },
  },
  {
    name: 'returns requisition forms as text',
    rule: '4.12/requisition',
    between: (fetch) => async (input, init) => {
      const response = await fetch(input, init)
      return requisition.test(new URL(String(input)).pathname) && response.ok
        ? new Response('Requisition form')
        : response
    },
  },
  {
    name: 'returns results without a result_type',
    rule: '9/value',
    setup: completing(({ result_type: _, ...result }) => result),
  },
  {
    name: 'returns results with the deprecated value only',
    rule: '9/value',
    setup: completing(({ result: _, ...result }) => result),
  },
  {
    name: 'returns numbers as result',
    rule: '9/value',
    setup: completing((result) => ({ ...result, result: Number(result.result) })),
  },
  {
    name: 'rounds result but not value',
    rule: '9/value',
    setup: completing((result) => ({ ...result, result: String(Math.round(result.value) + 1) })),
  },
  {
    name: 'rejects the deprecated lab_test_id',
    rule: '9/lab-test-id',
    assumes: true,
    between: rejectCalls(order, ({ body }) => body.lab_test_id !== undefined),
  },
  {
    name: 'ignores the order_set',
    rule: '4.12/order',
    between: before(order, ({ body }) => {
      delete body.order_set
    }),
  },
  {
    name: 'orders only the first test of an order_set',
    rule: '4.12/order',
    between: before(order, ({ body }) => {
      body.order_set.lab_test_ids = body.order_set.lab_test_ids.slice(0, 1)
    }),
  },
  {
    name: 'creates one order for all calls',
    rule: '4.12/order',
    between: stick(order),
  },
  {
    name: 'creates one order for each user',
    rule: '4.12/order',
    between: stick(order, ({ body }) => body.user_id),
  },
  {
    name: 'returns the user of the first order for all',
    rule: '4.12/order',
    between: withFirst((first) =>
      changeResponses(order, (body) => {
        body.order.user_id = first(body.order.user_id)
      }),
    ),
  },
  {
    name: 'never lets signed URLs expire',
    rule: '8/requisition-url',
    between: after(signed, ({ status }) => (status >= 400 ? { status: 200 } : {})),
  },
  {
    name: 'requires a key for signed URLs',
    rule: '8/requisition-url',
    between: rejectCalls(signed, ({ headers }) => !headers.has('x-service-api-key'), 401),
  },
  {
    name: 'returns the signed URL of the first order for all',
    rule: '8/requisition-url',
    between: withFirst((first) =>
      changeResponses(order, (body) => {
        body.order.requisition_form_url = first(body.order.requisition_form_url)
      }),
    ),
  },
  {
    name: 'lets signed URLs expire after 6 days',
    rule: '8/requisition-url',
    setup: (setup) => ({ ...setup, advance: (time) => setup.advance?.((time * 7) / 6) }),
  },
  {
    name: 'lets signed URLs expire after 8 days',
    rule: '8/requisition-url',
    setup: (setup) => ({ ...setup, advance: (time) => setup.advance?.((time * 7) / 8) }),
  },
]
