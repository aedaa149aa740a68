/** Pages of different kinds, for screenshots and for accessibility and size checks. */
export const shownPages: readonly string[] = [
  'index',
  'start/quickstart',
  'guides/errors-and-retries',
  'guides/webhooks',
  'testing/overview',
  'reference/operations',
  'reference/operations/orders-create',
  'reference/specification',
  'reference/assumptions',
  'testing/runners',
  'reference/api/client/orders-and-appointments',
]
