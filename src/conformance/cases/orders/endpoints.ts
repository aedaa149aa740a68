/** The endpoints of 4.8 and of the orders in 4.12. */

export const bookAppointment = {
  method: 'POST',
  path: '/v3/order/{order_id}/phlebotomy/appointment/book',
} as const
export const getAppointment = {
  method: 'GET',
  path: '/v3/order/{order_id}/phlebotomy/appointment',
} as const
export const createOrder = { method: 'POST', path: '/v3/order' } as const
export const downloadRequisition = {
  method: 'GET',
  path: '/v3/order/{order_id}/requisition/pdf',
} as const
