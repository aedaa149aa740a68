import type { OperationId } from '../../../contract/operations.ts'
import { keysOf } from '../../../shared/narrow.ts'
import { assertSuccess } from '../../assertions.ts'
import { userInfoBody } from '../../bodies/people.ts'
import type { RunnableCase } from '../../case.ts'
import type { RequestFields } from '../../http.ts'
import { type ReadResponse, type Route, serviceOperations } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import type { Need } from '../../setup.ts'
import { fieldOf } from '../../shape.ts'
import { queryOf, request } from '../aggregate/queries.ts'
import { insuranceOf } from '../insurance/shapes.ts'
import { importBody } from '../link/submit-import.ts'
import { orderBody } from '../orders/book.ts'

interface ValidCall {
  /** The name of the call in case ids. */
  name: string
  /** What the call does, worded to follow `to`. */
  purpose: string
  /** Default: none. */
  needs?: readonly Need[]
  /** Default: false. */
  readOnly?: boolean
  /** Whether the specification leaves the path or parameters open. Default: false. */
  presumed?: boolean
  /**
   * Returns the request. If a request must not be sent twice, each call returns a different one. Default: no
   * parameters or body.
   */
  prepare?(service: TestedService): Promise<RequestFields>
}

/** A valid call for each operation. The compiler reports missing operations. JSON and Parquet queries share a call. */
const validCalls: Record<Exclude<OperationId, 'aggregate.queryParquet'>, ValidCall> = {
  'insurance.create': {
    name: 'insurance',
    purpose: 'create an insurance record',
    needs: ['user'],
    prepare: async (service) => ({
      ...(await ofUser(service)),
      body: await insuranceOf(service, 'first'),
    }),
  },
  'users.updateInfo': {
    name: 'info',
    purpose: 'update user info',
    needs: ['user'],
    prepare: async (service) => ({ ...(await ofUser(service)), body: userInfoBody() }),
  },
  'link.bulkImport': {
    name: 'bulk-import',
    purpose: 'import connections',
    needs: ['user'],
    prepare: async (service) => ({
      body: importBody([await service.user()], { wait_for_completion: true }),
    }),
  },
  'link.listBulkOps': {
    name: 'bulk-ops',
    purpose: 'list bulk operations',
    readOnly: true,
    presumed: true,
  },
  'labTests.listMarkers': {
    name: 'markers',
    purpose: 'list markers',
    readOnly: true,
  },
  'labTests.listTestMarkers': {
    name: 'test-markers',
    purpose: 'list the markers of a lab test',
    readOnly: true,
    prepare: async (service) => ({ params: { lab_test_id: await service.labTest() } }),
  },
  'labTests.listOrderSetMarkers': {
    name: 'order-set-markers',
    purpose: 'list the markers of an order set',
    readOnly: true,
    prepare: async (service) => ({ body: { lab_test_ids: [await service.labTest()] } }),
  },
  'users.createSignInToken': {
    name: 'sign-in-token',
    purpose: 'create a sign-in token',
    needs: ['user'],
    prepare: ofUser,
  },
  'orders.bookPhlebotomyAppointment': {
    name: 'booking',
    purpose: 'book an appointment',
    needs: ['order', 'bookingKey'],
    prepare: async (service) => ({
      params: { order_id: await service.setup.order() },
      body: { booking_key: await service.setup.bookingKey({ outcome: 'confirm' }) },
    }),
  },
  'link.listProviders': {
    name: 'providers',
    purpose: 'list providers',
    readOnly: true,
  },
  'link.deleteConnection': {
    name: 'connection',
    purpose: 'delete a connection',
    needs: ['user', 'connect'],
    async prepare(service) {
      const user_id = await service.user()
      await service.setup.connect(user_id, 'oura')
      return { params: { user_id, provider: 'oura' } }
    },
  },
  'aggregate.query': {
    name: 'query',
    purpose: 'query aggregates',
    needs: ['user'],
    readOnly: true,
    prepare: async (service) => ({
      ...(await ofUser(service)),
      body: request([queryOf(['mean duration_second'])]),
    }),
  },
  'summaries.list': {
    name: 'summaries',
    purpose: 'list summaries',
    needs: ['user'],
    readOnly: true,
    presumed: true,
    prepare: async (service) => ({
      params: { user_id: await service.user(), resource: 'sleep' },
      query: { start_date: '2025-05-01', end_date: '2025-05-31' },
    }),
  },
  'orders.create': {
    name: 'order',
    purpose: 'create an order',
    needs: ['user'],
    presumed: true,
    prepare: async (service) => ({
      body: orderBody(await service.user(), {
        order_set: { lab_test_ids: [await service.labTest()] },
      }),
    }),
  },
  'labTests.list': {
    name: 'lab-tests',
    purpose: 'list lab tests',
    readOnly: true,
  },
  'labTests.listAll': {
    name: 'all-lab-tests',
    purpose: 'list all lab tests',
    readOnly: true,
    presumed: true,
  },
  'orders.downloadRequisition': {
    name: 'requisition',
    purpose: 'download a requisition form',
    needs: ['order'],
    readOnly: true,
    presumed: true,
    prepare: async (service) => ({ params: { order_id: await service.setup.order() } }),
  },
  'orders.getPhlebotomyAppointment': {
    name: 'appointment',
    purpose: 'read an appointment',
    needs: ['order', 'bookingKey'],
    presumed: true,
    async prepare(service) {
      const params = { order_id: await service.setup.order() }
      const body = { booking_key: await service.setup.bookingKey({ outcome: 'confirm' }) }
      await service.call('orders.bookPhlebotomyAppointment', { params, body })
      return { params }
    },
  },
}

export type OperationCall = Required<ValidCall> & { route: Route }

export const operationCalls: readonly OperationCall[] = keysOf(validCalls).map((id) => ({
  needs: [],
  readOnly: false,
  presumed: false,
  prepare: async () => ({}),
  route: serviceOperations[id],
  ...validCalls[id],
}))

/** Returns a case for each call. The case's id is the prefix, a hyphen and the call's name. */
export function casesOf(
  calls: readonly OperationCall[],
  prefix: string,
  define: (call: OperationCall) => Pick<RunnableCase, 'title' | 'rules' | 'run'>,
) {
  const cases = calls.map((call) => {
    const { name, needs, readOnly } = call
    return [`${prefix}-${name}`, { needs, readOnly, ...define(call) }] as const
  })
  return Object.fromEntries(cases)
}

/** Asserts a success status. If the specification leaves the path or parameters open, success is an assumption. */
export async function assertCallSucceeds(
  service: TestedService,
  call: OperationCall,
  request: RequestFields,
): Promise<ReadResponse> {
  const response = await service.call(call.route, request)
  const isSuccess = response.status >= 200 && response.status < 300
  if (call.presumed) service.presume(isSuccess, `${call.route} exists`)
  return assertSuccess(response)
}

async function ofUser(service: TestedService): Promise<RequestFields> {
  return { params: { user_id: await service.user() } }
}

export function usersOf({ params, body }: RequestFields): string[] {
  const connections = fieldOf(body, 'connections')
  const ids = Array.isArray(connections) ? connections.map((one) => fieldOf(one, 'user_id')) : []
  return [params?.['user_id'], ...ids].filter((id) => typeof id === 'string')
}
