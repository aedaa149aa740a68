import {
  aggregateBody,
  orderBody,
  recipe,
  sleepQuery,
  userInfoBody,
} from '../../bodies/request-bodies.ts'
import type { RequestFields } from '../../http.ts'
import {
  bookPhlebotomyAppointment,
  bulkImport,
  createInsurance,
  createOrder,
  createSignInToken,
  deleteConnection,
  downloadRequisition,
  getPhlebotomyAppointment,
  listAllLabTests,
  listBulkOps,
  listLabTests,
  listMarkers,
  listOrderSetMarkers,
  listProviders,
  listSummaries,
  listTestMarkers,
  type Operation,
  queryAggregate,
  updateInfo,
} from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import type { Need } from '../../setup.ts'
import { insuranceOf } from '../insurance/create-insurance.ts'

/** A call that succeeds with the API key of the team. */
export interface ValidCall {
  operation: Operation
  /** What it does, after `to`. */
  purpose: string
  needs: readonly Need[]
  /** Whether it changes nothing in the service. */
  readOnly?: boolean
  /** Whether the specification leaves its path or parameters open. */
  presumed?: boolean
  /** Returns the request; another one on each call if it must not be sent twice. */
  prepare(service: TestedService): Promise<RequestFields>
}

/** One call for each endpoint of part 4. */
export const validCalls: Record<string, ValidCall> = {
  insurance: {
    operation: createInsurance,
    purpose: 'create an insurance',
    needs: ['user'],
    prepare: async (service) => ({
      ...(await ofUser(service)),
      body: await insuranceOf(service, 'first'),
    }),
  },
  info: {
    operation: updateInfo,
    purpose: 'update user info',
    needs: ['user'],
    prepare: async (service) => ({ ...(await ofUser(service)), body: userInfoBody() }),
  },
  'bulk-import': {
    operation: bulkImport,
    purpose: 'import connections',
    needs: ['user'],
    prepare: async (service) => ({
      body: { provider: 'oura', connections: [recipe(await service.user())] },
    }),
  },
  'bulk-ops': {
    operation: listBulkOps,
    purpose: 'list bulk operations',
    needs: [],
    readOnly: true,
    presumed: true,
    prepare: async () => ({}),
  },
  markers: {
    operation: listMarkers,
    purpose: 'list markers',
    needs: [],
    readOnly: true,
    prepare: async () => ({}),
  },
  'test-markers': {
    operation: listTestMarkers,
    purpose: 'list the markers of a lab test',
    needs: [],
    readOnly: true,
    prepare: async (service) => ({ params: { lab_test_id: await service.labTest() } }),
  },
  'order-set-markers': {
    operation: listOrderSetMarkers,
    purpose: 'list the markers of an order set',
    needs: [],
    readOnly: true,
    prepare: async (service) => ({ body: { lab_test_ids: [await service.labTest()] } }),
  },
  'sign-in-token': {
    operation: createSignInToken,
    purpose: 'create a sign-in token',
    needs: ['user'],
    prepare: ofUser,
  },
  booking: {
    operation: bookPhlebotomyAppointment,
    purpose: 'book an appointment',
    needs: ['order', 'bookingKey'],
    prepare: async (service) => ({
      params: { order_id: await service.order() },
      body: { booking_key: await service.bookingKey({ outcome: 'confirm' }) },
    }),
  },
  providers: {
    operation: listProviders,
    purpose: 'list providers',
    needs: [],
    readOnly: true,
    prepare: async () => ({}),
  },
  connection: {
    operation: deleteConnection,
    purpose: 'delete a connection',
    needs: ['user', 'connect'],
    async prepare(service) {
      const user_id = await service.user()
      await service.connect(user_id, 'oura')
      return { params: { user_id, provider: 'oura' } }
    },
  },
  query: {
    operation: queryAggregate,
    purpose: 'query aggregates',
    needs: ['user'],
    readOnly: true,
    prepare: async (service) => ({
      ...(await ofUser(service)),
      body: aggregateBody([sleepQuery(['mean'])]),
    }),
  },
  summaries: {
    operation: listSummaries.sleep,
    purpose: 'list summaries',
    needs: ['user'],
    readOnly: true,
    presumed: true,
    prepare: async (service) => ({
      ...(await ofUser(service)),
      query: { start_date: '2025-05-01', end_date: '2025-05-31' },
    }),
  },
  order: {
    operation: createOrder,
    purpose: 'create an order',
    needs: ['user'],
    presumed: true,
    prepare: async (service) => ({
      body: orderBody(await service.user(), {
        order_set: { lab_test_ids: [await service.labTest()] },
      }),
    }),
  },
  'lab-tests': {
    operation: listLabTests,
    purpose: 'list lab tests',
    needs: [],
    readOnly: true,
    prepare: async () => ({}),
  },
  'all-lab-tests': {
    operation: listAllLabTests,
    purpose: 'list all lab tests',
    needs: [],
    readOnly: true,
    presumed: true,
    prepare: async () => ({}),
  },
  requisition: {
    operation: downloadRequisition,
    purpose: 'download a requisition form',
    needs: ['order'],
    readOnly: true,
    presumed: true,
    prepare: async (service) => ({ params: { order_id: await service.order() } }),
  },
  appointment: {
    operation: getPhlebotomyAppointment,
    purpose: 'read an appointment',
    needs: ['order', 'bookingKey'],
    presumed: true,
    async prepare(service) {
      const params = { order_id: await service.order() }
      const body = { booking_key: await service.bookingKey({ outcome: 'confirm' }) }
      await service.call(bookPhlebotomyAppointment, { params, body })
      return { params }
    },
  },
}

async function ofUser(service: TestedService): Promise<RequestFields> {
  return { params: { user_id: await service.user() } }
}
