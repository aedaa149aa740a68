/**
 * A call of the service. The suite writes methods, paths, bounds and names down itself, as literals, so that an error in
 * `src/contract` cannot hide one in the mock.
 */
export interface Operation {
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path as the specification spells it, with parameters in braces. */
  path: string
}

/** The header with the API key (specification part 5). */
export const keyHeader = 'x-service-api-key'

export const createInsurance: Operation = {
  method: 'POST',
  path: '/v2/user/{user_id}/insurance',
}
export const updateInfo: Operation = { method: 'PATCH', path: '/v2/user/{user_id}/info' }
export const createSignInToken: Operation = {
  method: 'POST',
  path: '/v2/user/{user_id}/sign_in_token',
}

export const listProviders: Operation = { method: 'GET', path: '/v2/providers' }
export const deleteConnection: Operation = {
  method: 'DELETE',
  path: '/v2/user/{user_id}/{provider}',
}
export const bulkImport: Operation = { method: 'POST', path: '/v2/link/bulk_import' }
/** The specification names this call but not its path (4.3). */
export const listBulkOps: Operation = { method: 'GET', path: '/v2/link/bulk_op' }

export const listMarkers: Operation = { method: 'GET', path: '/v3/lab_tests/markers' }
export const listTestMarkers: Operation = {
  method: 'GET',
  path: '/v3/lab_tests/{lab_test_id}/markers',
}
export const listOrderSetMarkers: Operation = {
  method: 'POST',
  path: '/v3/lab_tests/list_order_set_markers',
}
export const listLabTests: Operation = { method: 'GET', path: '/v3/lab_test' }
export const listAllLabTests: Operation = { method: 'GET', path: '/v3/lab_tests' }

export const createOrder: Operation = { method: 'POST', path: '/v3/order' }
export const bookPhlebotomyAppointment: Operation = {
  method: 'POST',
  path: '/v3/order/{order_id}/phlebotomy/appointment/book',
}
/** The path is presumed. */
export const getPhlebotomyAppointment: Operation = {
  method: 'GET',
  path: '/v3/order/{order_id}/phlebotomy/appointment',
}
/** The path is presumed; the specification names the endpoint only (4.12). */
export const downloadRequisition: Operation = {
  method: 'GET',
  path: '/v3/order/{order_id}/requisition/pdf',
}

export const queryAggregate: Operation = {
  method: 'POST',
  path: '/aggregate/v1/user/{user_id}/query',
}
/** The path after the resource is presumed (4.12). */
export const listSummaries = {
  activity: { method: 'GET', path: '/v2/summary/activity/{user_id}' },
  body: { method: 'GET', path: '/v2/summary/body/{user_id}' },
  meal: { method: 'GET', path: '/v2/summary/meal/{user_id}' },
  profile: { method: 'GET', path: '/v2/summary/profile/{user_id}' },
  sleep: { method: 'GET', path: '/v2/summary/sleep/{user_id}' },
  workouts: { method: 'GET', path: '/v2/summary/workouts/{user_id}' },
} satisfies Record<string, Operation>
