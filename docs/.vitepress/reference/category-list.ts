interface Category {
  title: string
  /** The files, or path prefixes, whose exports belong to the category. */
  files: string[]
}

/** The category for names that a module re-exports from another module; the reference only links to them. */
export const exportedAgain = 'Also exported here'

/** The categories of the reference, in page order. A module shows only the categories that contain its exports. */
export const categories: readonly Category[] = [
  {
    title: 'Receiving events',
    files: [
      ...['src/events/handler.ts', 'src/events/node.ts', 'src/events/settings.ts'],
      ...['src/events/dedupe.ts', 'src/events/deduplicator.ts', 'src/events/body.ts'],
    ],
  },
  {
    title: 'Events',
    files: [
      ...['src/contract/events.ts', 'src/contract/values/event-types.ts'],
      ...['src/contract/samples.ts', 'src/contract/values/samples.ts'],
    ],
  },
  {
    title: 'Signatures and parsing',
    files: ['src/events/verify.ts', 'src/events/sign.ts', 'src/events/parse.ts'],
  },
  { title: 'Event errors', files: ['src/events/errors.ts'] },
  { title: 'Durable writes', files: ['src/durable/'] },
  { title: 'Stores', files: ['src/stores/'] },
  { title: 'Sync', files: ['src/sync/'] },
  {
    title: 'Client',
    files: [
      ...['src/client/client.ts', 'src/client/options/', 'src/client/call.ts'],
      ...['src/client/clock.ts', 'src/client/download/download.ts', 'src/client/headers.ts'],
      ...['src/client/raw-request.ts', 'src/client/url.ts', 'src/client/idempotency-key.ts'],
    ],
  },
  { title: 'Methods', files: ['src/client/resources/'] },
  { title: 'Errors', files: ['src/client/errors/', 'src/contract/schema-tools/check.ts'] },
  {
    title: 'Hooks and logging',
    files: ['src/client/hooks.ts', 'src/client/logger.ts', 'src/otel'],
  },
  { title: 'Pagination', files: ['src/client/pagination/'] },
  {
    title: 'Bulk import and connections',
    files: [
      ...['src/client/bulk-import/', 'src/contract/link.ts'],
      ...['src/contract/values/providers.ts', 'src/contract/source.ts'],
    ],
  },
  {
    title: 'Users and insurance',
    files: ['src/contract/users', 'src/contract/insurance', 'src/contract/people'],
  },
  {
    title: 'Lab tests',
    files: [
      ...['src/contract/lab-tests.ts', 'src/contract/markers.ts'],
      'src/contract/values/bounds.ts',
    ],
  },
  {
    title: 'Orders and appointments',
    files: [
      ...['src/contract/orders.ts', 'src/contract/appointments.ts'],
      'src/client/appointments/',
    ],
  },
  {
    title: 'Aggregates and summaries',
    files: [
      ...['src/client/aggregate/', 'src/contract/aggregate.ts', 'src/contract/summaries.ts'],
      ...['src/contract/values/column', 'src/contract/values/resources.ts'],
      'src/contract/summary-records/',
    ],
  },
  { title: 'Parquet', files: ['src/parquet/'] },
  {
    title: 'Operations',
    files: [
      'src/contract/operations.ts',
      'src/contract/endpoints.ts',
      'src/contract/schema-tools/endpoint.ts',
    ],
  },
  { title: 'Known values', files: ['src/contract/values/known-values.ts'] },
  { title: 'Conformance', files: ['src/conformance/', 'src/shared/adopt.ts'] },
  { title: 'Certify', files: ['src/certify/', 'src/shared/reports.ts'] },
  {
    title: 'Mock and teams',
    files: [
      ...['mock/index.ts', 'mock/mock.ts', 'mock/team', 'mock/state/defaults.ts'],
      ...['mock/errors.ts', 'mock/conformance.ts', 'mock/msw.ts', 'mock/vitest.ts'],
      'mock/playwright.ts',
      'mock/remote/conformance-setup.ts',
    ],
  },
  {
    title: 'Records',
    files: [
      ...['mock/state/records/', 'mock/state/collections/', 'mock/state/health/'],
      ...['mock/state/imports.ts', 'mock/state/bookings/', 'mock/reference-data/', 'mock/query/'],
      ...['mock/state/idempotency.ts', 'mock/fixtures/'],
    ],
  },
  { title: 'Living users', files: ['mock/living/'] },
  { title: 'Virtual time', files: ['mock/state/clock/'] },
  { title: 'Faults', files: ['mock/faults/'] },
  {
    title: 'Requests and overrides',
    files: ['mock/http/', 'mock/shared/'],
  },
  { title: 'Webhooks and outbox', files: ['mock/events/'] },
  { title: 'Explore', files: ['mock/explore/', 'mock/explore.ts'] },
  { title: 'Diagnostics', files: ['mock/diagnostics/', 'mock/snapshot/'] },
  { title: 'Server', files: ['mock/server/', 'mock/cli/'] },
  {
    title: 'Remote control',
    files: ['mock/remote/', 'mock/control/', 'mock/state/recorder.ts'],
  },
  { title: exportedAgain, files: [] },
]
