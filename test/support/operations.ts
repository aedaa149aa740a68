import type { Call, RequestOptions, ServiceClient } from '../../src/index.ts'
import {
  appointment,
  insurance,
  insuranceInput,
  labTestId,
  markerPage,
  orderId,
  orderInput,
  provider,
  recipe,
  userId,
  userInfo,
} from './samples.ts'

/** A call of an operation, and how the client handles it. */
export interface Operation {
  run: (client: ServiceClient, options?: RequestOptions) => Call<unknown>
  /** A valid response body. */
  good: unknown
  /** Whether the client may retry it after a failure that leaves its effect unknown. */
  repeats: boolean
}

/** One or more operations with each effect. */
export const operations: Record<string, Operation> = {
  'read-only: link.listProviders': {
    run: (client, options) => client.link.listProviders({}, options),
    good: [provider],
    repeats: true,
  },
  'idempotent: users.updateInfo': {
    run: (client, options) => client.users.updateInfo(userId, userInfo, options),
    good: userInfo,
    repeats: true,
  },
  'idempotent: link.deleteConnection': {
    run: (client, options) => client.link.deleteConnection(userId, 'oura', options),
    good: { success: true },
    repeats: true,
  },
  'non-idempotent: insurance.create': {
    run: (client, options) => client.insurance.create(userId, insuranceInput, options),
    good: insurance,
    repeats: false,
  },
  'non-idempotent: orders.bookPhlebotomyAppointment': {
    run: (client, options) =>
      client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }, options),
    good: appointment,
    repeats: false,
  },
  'non-idempotent: orders.create': {
    run: (client, options) => client.orders.create(orderInput, options),
    good: { order: { id: orderId } },
    repeats: false,
  },
  'non-idempotent: link.bulkImport': {
    run: (client, options) =>
      client.link.bulkImport({ provider: 'oura', connections: [recipe] }, options),
    good: { user_ids_imported: [userId], user_ids_failed: [] },
    repeats: false,
  },
}

const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const

/** All other operations. */
export const otherOperations: Record<string, Operation> = {
  'read-only: link.listBulkOps': {
    run: (client, options) => client.link.listBulkOps({}, options),
    good: { data: [], next_cursor: null },
    repeats: true,
  },
  'read-only: labTests.list': {
    run: (client, options) => client.labTests.list({}, options),
    good: { data: [], next_cursor: null },
    repeats: true,
  },
  'read-only: labTests.listMarkers': {
    run: (client, options) => client.labTests.listMarkers({}, options),
    good: markerPage,
    repeats: true,
  },
  'read-only: labTests.listTestMarkers': {
    run: (client, options) => client.labTests.listTestMarkers(labTestId, {}, options),
    good: markerPage,
    repeats: true,
  },
  'read-only: labTests.listOrderSetMarkers': {
    run: (client, options) =>
      client.labTests.listOrderSetMarkers({ lab_test_ids: [labTestId] }, {}, options),
    good: markerPage,
    repeats: true,
  },
  'read-only: orders.getPhlebotomyAppointment': {
    run: (client, options) => client.orders.getPhlebotomyAppointment(orderId, options),
    good: appointment,
    repeats: true,
  },
  'read-only: orders.downloadRequisition': {
    run: (client, options) => client.orders.downloadRequisition(orderId, options),
    good: 'the bytes of a form',
    repeats: true,
  },
  'read-only: aggregate.query': {
    run: (client, options) => client.aggregate.query(userId, { timeframe, queries: [] }, options),
    good: { results: [] },
    repeats: true,
  },
  'read-only: aggregate.queryParquet': {
    run: (client, options) =>
      client.aggregate.queryParquet(userId, { timeframe, queries: [] }, options),
    good: 'the bytes of an archive',
    repeats: true,
  },
  'read-only: summaries.list': {
    run: (client, options) =>
      client.summaries.list(userId, 'sleep', { start_date: '2025-06-01' }, options),
    good: { sleep: [] },
    repeats: true,
  },
  'idempotent: users.createSignInToken': {
    run: (client, options) => client.users.createSignInToken(userId, options),
    good: { user_id: userId, sign_in_token: 'token' },
    repeats: true,
  },
  'non-idempotent: request': {
    run: (client, options) => client.request('POST', '/v2/new', { ...options, body: { a: 1 } }),
    good: {},
    repeats: false,
  },
}
