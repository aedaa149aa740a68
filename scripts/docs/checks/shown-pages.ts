/** Ten pages of every kind, for screenshots and for the checks of accessibility and size. */
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
