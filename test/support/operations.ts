import { type OperationId, operationTable } from '../../src/contract/operations.ts'
import type { Call, RequestOptions, ServiceClient } from '../../src/index.ts'
import { keysOf } from '../../src/shared/narrow.ts'
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

/** A call of an operation, and a response to it. */
export interface OperationCall {
  run: (client: ServiceClient, options?: RequestOptions) => Call<unknown>
  /** A valid response body. Of JSON, every optional field is present. */
  good: unknown
}

/** A call of an operation, and how the client handles it. */
export interface Operation extends OperationCall {
  /** Whether the client may retry it after a failure that leaves its effect unknown. */
  repeats: boolean
}

const source = {
  provider: 'oura',
  type: 'ring',
  app_id: null,
  name: 'Oura',
  slug: 'oura',
  logo: 'x',
}
export const summary = {
  id: 's-1',
  user_id: userId,
  source,
  calendar_date: '2025-06-01',
  score: 80,
}
export const labTest = {
  id: labTestId,
  slug: 'lipids',
  name: 'Lipids',
  description: 'Fat in the blood',
  method: 'at_home_phlebotomy',
  status: 'active',
  price: 40,
  lab: { id: 1, slug: 'lab', name: 'Lab' },
  markers: markerPage.markers,
}
const { gender: _gender, dob: _dob, ...named } = insuranceInput.insured
const medicalProxy = { ...named, household_income: 1, household_size: 2 }
const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const

/** A call of every operation. The client has no method for the deprecated one. */
export const operationCalls: Record<Exclude<OperationId, 'labTests.listAll'>, OperationCall> = {
  'link.listProviders': {
    run: (client, options) => client.link.listProviders({}, options),
    good: [provider],
  },
  'users.updateInfo': {
    run: (client, options) => client.users.updateInfo(userId, userInfo, options),
    good: {
      ...userInfo,
      medical_proxy: medicalProxy,
      race: 'asian',
      ethnicity: 'hispanic',
      sexual_orientation: 'bisexual',
      gender_identity: 'female',
    },
  },
  'link.deleteConnection': {
    run: (client, options) => client.link.deleteConnection(userId, 'oura', options),
    good: { success: true },
  },
  'insurance.create': {
    run: (client, options) => client.insurance.create(userId, insuranceInput, options),
    good: { ...insurance, guarantor: medicalProxy },
  },
  'orders.bookPhlebotomyAppointment': {
    run: (client, options) =>
      client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'key' }, options),
    good: { ...appointment, order_transaction_id: orderId, external_id: 'x', event_data: { a: 1 } },
  },
  'orders.create': {
    run: (client, options) => client.orders.create(orderInput, options),
    good: {
      order: {
        id: orderId,
        user_id: userId,
        order_set: { lab_test_ids: [labTestId], add_on: { provider_ids: ['1'], marker_ids: [1] } },
        collection_method: 'testkit',
        status: 'received',
        created_at: '2025-06-01T09:00:00Z',
        updated_at: '2025-06-01T09:00:00Z',
        results: [
          { name: 'a', slug: 'a', result: '1', result_type: 'numeric', unit: 'g', value: 1 },
        ],
        requisition_form_url: 'https://example.com/form.pdf',
      },
      status: 'success',
      message: 'created',
    },
  },
  'link.bulkImport': {
    run: (client, options) => {
      const connections = [recipe, { ...recipe, user_id: orderId }]
      return client.link.bulkImport({ provider: 'oura', connections }, options)
    },
    good: { user_ids_imported: [userId], user_ids_failed: [orderId] },
  },
  'link.listBulkOps': {
    run: (client, options) => client.link.listBulkOps({}, options),
    good: {
      data: [
        {
          type: 'import',
          status: 'in_progress',
          provider: 'oura',
          pending: 1,
          processed: 2,
          started_at: '2025-06-01T09:00:00Z',
          ended_at: '2025-06-01T09:00:00Z',
        },
      ],
      next_cursor: 'next',
    },
  },
  'labTests.list': {
    run: (client, options) => client.labTests.list({}, options),
    good: { data: [labTest], next_cursor: 'next' },
  },
  'labTests.listMarkers': {
    run: (client, options) => client.labTests.listMarkers({}, options),
    good: markerPage,
  },
  'labTests.listTestMarkers': {
    run: (client, options) => client.labTests.listTestMarkers(labTestId, {}, options),
    good: markerPage,
  },
  'labTests.listOrderSetMarkers': {
    run: (client, options) =>
      client.labTests.listOrderSetMarkers({ lab_test_ids: [labTestId] }, {}, options),
    good: markerPage,
  },
  'orders.getPhlebotomyAppointment': {
    run: (client, options) => client.orders.getPhlebotomyAppointment(orderId, options),
    good: appointment,
  },
  'orders.downloadRequisition': {
    run: (client, options) => client.orders.downloadRequisition(orderId, options),
    good: 'the bytes of a form',
  },
  'aggregate.query': {
    run: (client, options) => {
      const request = { timeframe, queries: [{ select: [] }] }
      return client.aggregate.query(userId, request, options)
    },
    good: { results: [{ table: { index: ['2025-06-01T00:00:00'], mean: [80] } }] },
  },
  'aggregate.queryParquet': {
    run: (client, options) =>
      client.aggregate.queryParquet(userId, { timeframe, queries: [] }, options),
    good: 'the bytes of an archive',
  },
  'summaries.list': {
    run: (client, options) =>
      client.summaries.list(userId, 'sleep', { start_date: '2025-06-01' }, options),
    good: { sleep: [summary] },
  },
  'users.createSignInToken': {
    run: (client, options) => client.users.createSignInToken(userId, options),
    good: { user_id: userId, sign_in_token: 'token' },
  },
}

const few: readonly OperationId[] = [
  'link.listProviders',
  'users.updateInfo',
  'link.deleteConnection',
  'insurance.create',
  'orders.bookPhlebotomyAppointment',
  'orders.create',
  'link.bulkImport',
]

/** One or more operations with each effect. */
export const operations = operationsWith((id) => few.includes(id))

/** All other operations. */
export const otherOperations: Record<string, Operation> = {
  ...operationsWith((id) => !few.includes(id)),
  'non-idempotent: request': {
    run: (client, options) => client.request('POST', '/v2/new', { ...options, body: { a: 1 } }),
    good: {},
    repeats: false,
  },
}

function operationsWith(isIncluded: (id: OperationId) => boolean): Record<string, Operation> {
  const included = keysOf(operationCalls).filter(isIncluded)
  return Object.fromEntries(
    included.map((id) => {
      const { effect } = operationTable[id]
      return [`${effect}: ${id}`, { ...operationCalls[id], repeats: effect !== 'non-idempotent' }]
    }),
  )
}
