import type { OperationId } from '../contract/operations.ts'

export interface ServiceOperation {
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path as the specification spells it, with parameters in braces. */
  path: string
}

/** The header with the API key (specification part 5). */
export const keyHeader = 'x-service-api-key'

/**
 * The method and path of every operation. The suite has its own copies of methods, paths, bounds and names, so that a
 * mistake in `src/contract` cannot hide the same mistake in the mock. The specification does not state some of the
 * paths in 4.12, or the path of the bulk operation list.
 */
export const serviceOperations: Record<OperationId, ServiceOperation> = {
  'insurance.create': { method: 'POST', path: '/v2/user/{user_id}/insurance' },
  'users.updateInfo': { method: 'PATCH', path: '/v2/user/{user_id}/info' },
  'users.createSignInToken': { method: 'POST', path: '/v2/user/{user_id}/sign_in_token' },
  'link.listProviders': { method: 'GET', path: '/v2/providers' },
  'link.deleteConnection': { method: 'DELETE', path: '/v2/user/{user_id}/{provider}' },
  'link.bulkImport': { method: 'POST', path: '/v2/link/bulk_import' },
  'link.listBulkOps': { method: 'GET', path: '/v2/link/bulk_op' },
  'labTests.listMarkers': { method: 'GET', path: '/v3/lab_tests/markers' },
  'labTests.listTestMarkers': { method: 'GET', path: '/v3/lab_tests/{lab_test_id}/markers' },
  'labTests.listOrderSetMarkers': {
    method: 'POST',
    path: '/v3/lab_tests/list_order_set_markers',
  },
  'labTests.list': { method: 'GET', path: '/v3/lab_test' },
  'labTests.listAll': { method: 'GET', path: '/v3/lab_tests' },
  'orders.create': { method: 'POST', path: '/v3/order' },
  'orders.bookPhlebotomyAppointment': {
    method: 'POST',
    path: '/v3/order/{order_id}/phlebotomy/appointment/book',
  },
  'orders.getPhlebotomyAppointment': {
    method: 'GET',
    path: '/v3/order/{order_id}/phlebotomy/appointment',
  },
  'orders.downloadRequisition': { method: 'GET', path: '/v3/order/{order_id}/requisition/pdf' },
  'aggregate.query': { method: 'POST', path: '/aggregate/v1/user/{user_id}/query' },
  'aggregate.queryParquet': { method: 'POST', path: '/aggregate/v1/user/{user_id}/query' },
  'summaries.list': { method: 'GET', path: '/v2/summary/{resource}/{user_id}' },
}

/** A response with its complete body. */
export interface ReadResponse {
  /** The method and the path template. */
  operation: string
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The parsed body, or undefined if it is not JSON. */
  json: unknown
}

export async function readResponse(operation: string, response: Response): Promise<ReadResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  return { operation, status, headers, bytes, json: parseJson(bytes, headers) }
}

function parseJson(bytes: Uint8Array, headers: Headers): unknown {
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
