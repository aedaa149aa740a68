/** The endpoints of 4.4 to 4.6 and of the lab tests in 4.12. */

export const listMarkers = { method: 'GET', path: '/v3/lab_tests/markers' } as const
export const listTestMarkers = {
  method: 'GET',
  path: '/v3/lab_tests/{lab_test_id}/markers',
} as const
export const listOrderSetMarkers = {
  method: 'POST',
  path: '/v3/lab_tests/list_order_set_markers',
} as const
export const listLabTests = { method: 'GET', path: '/v3/lab_test' } as const
export const listAllLabTests = { method: 'GET', path: '/v3/lab_tests' } as const
