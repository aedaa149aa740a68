import type { OperationId } from '../contract/operations.ts'

/** A method and a path as spelled in the specification, with parameters in braces. */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** The header with the API key (specification part 5). */
export const keyHeader = 'x-service-api-key'

/**
 * The suite has its own copies of routes, bounds and names, so it also detects mistakes in `src/contract`, which the
 * mock uses. The paths for reading an appointment, downloading a requisition and listing bulk operations are
 * assumptions. So is the last segment of the summary path.
 */
export const serviceOperations: Record<OperationId, Route> = {
  'insurance.create': 'POST /v2/user/{user_id}/insurance',
  'users.updateInfo': 'PATCH /v2/user/{user_id}/info',
  'users.createSignInToken': 'POST /v2/user/{user_id}/sign_in_token',
  'link.listProviders': 'GET /v2/providers',
  'link.deleteConnection': 'DELETE /v2/user/{user_id}/{provider}',
  'link.bulkImport': 'POST /v2/link/bulk_import',
  'link.listBulkOps': 'GET /v2/link/bulk_op',
  'labTests.listMarkers': 'GET /v3/lab_tests/markers',
  'labTests.listTestMarkers': 'GET /v3/lab_tests/{lab_test_id}/markers',
  'labTests.listOrderSetMarkers': 'POST /v3/lab_tests/list_order_set_markers',
  'labTests.list': 'GET /v3/lab_test',
  'labTests.listAll': 'GET /v3/lab_tests',
  'orders.create': 'POST /v3/order',
  'orders.bookPhlebotomyAppointment': 'POST /v3/order/{order_id}/phlebotomy/appointment/book',
  'orders.getPhlebotomyAppointment': 'GET /v3/order/{order_id}/phlebotomy/appointment',
  'orders.downloadRequisition': 'GET /v3/order/{order_id}/requisition/pdf',
  'aggregate.query': 'POST /aggregate/v1/user/{user_id}/query',
  'aggregate.queryParquet': 'POST /aggregate/v1/user/{user_id}/query',
  'summaries.list': 'GET /v2/summary/{resource}/{user_id}',
}

export interface ReadResponse {
  /** The method and path template, or a description of the URL. */
  operation: string
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The parsed body, or undefined if it is not JSON. A body without a content type is parsed as JSON. */
  json: unknown
}

export async function readResponse(operation: string, response: Response): Promise<ReadResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  return { operation, status, headers, bytes, json: parseJson(bytes, headers) }
}

function parseJson(bytes: Uint8Array, headers: Headers): unknown {
  if (!/\bjson\b/i.test(headers.get('content-type') ?? 'json')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
