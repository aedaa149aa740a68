/** What each module is for, keyed by the name of its entry point. */
export const modules: Record<string, { name: string; purpose: string }> = {
  client: {
    name: 'health-lab-sdk',
    purpose:
      'Calls the service. Contains `ServiceClient`, its options, results and errors. Start with [ServiceClient](/reference/api/client/client.md#serviceclient).',
  },
  events: {
    name: 'health-lab-sdk/events',
    purpose:
      'Receives webhook events: verifies signatures, skips duplicates and calls your listeners. See [webhooks](/guides/webhooks.md).',
  },
  durable: {
    name: 'health-lab-sdk/durable',
    purpose:
      'Creates orders, bookings, insurance records and imports without duplicates, even after a crash. See [durable writes](/guides/durable-writes.md).',
  },
  stores: {
    name: 'health-lab-sdk/stores',
    purpose:
      'Stores durable writes and handled messages in memory, Redis or Postgres. See [stores](/guides/stores.md).',
  },
  sync: {
    name: 'health-lab-sdk/sync',
    purpose:
      "Keeps your users' health data in your own Postgres: stores events, and backfills and verifies data. See [sync](/guides/sync.md).",
  },
  parquet: {
    name: 'health-lab-sdk/parquet',
    purpose:
      'Reads the rows of Parquet responses without a database. See [aggregates](/guides/aggregates.md).',
  },
  conformance: {
    name: 'health-lab-sdk/conformance',
    purpose:
      'Checks the service at any base URL against the specification. See [conformance](/trust/conformance.md).',
  },
  certify: {
    name: 'health-lab-sdk/certify',
    purpose:
      'Tests a webhook receiver with signed events, forgeries, duplicates and reordered events. See [certify](/testing/certify.md).',
  },
  otel: {
    name: 'health-lab-sdk/otel',
    purpose:
      'Creates an OpenTelemetry span for every attempt of a call, and records metrics for calls and deliveries. See [OpenTelemetry](/guides/logging.md#opentelemetry).',
  },
  mock: {
    name: 'health-lab-sdk/mock',
    purpose:
      'Simulates the service in memory, for tests, with records, virtual time, faults and webhooks. Start with [createMock](/reference/api/mock/mock-and-teams.md#createmock).',
  },
  'mock/conformance': {
    name: 'health-lab-sdk/mock/conformance',
    purpose: 'Prepares a mock for the cases of `health-lab-sdk/conformance`.',
  },
  'mock/explore': {
    name: 'health-lab-sdk/mock/explore',
    purpose:
      'Searches your own program for bugs, such as duplicate orders, lost results, or receivers that fail on duplicates. See [explore](/testing/explore.md).',
  },
  'mock/msw': {
    name: 'health-lab-sdk/mock/msw',
    purpose: 'Connects the mock to MSW, which intercepts requests in Node and browsers.',
  },
  'mock/playwright': {
    name: 'health-lab-sdk/mock/playwright',
    purpose:
      'Adds a mock team to each Playwright test, and a screenshot of the inspector to failed tests.',
  },
  'mock/remote': {
    name: 'health-lab-sdk/mock/remote',
    purpose:
      'Controls a mock server from another process. See [mock server](/testing/mock-server.md).',
  },
  'mock/server': {
    name: 'health-lab-sdk/mock/server',
    purpose: 'Serves the mock over HTTP. See [mock server](/testing/mock-server.md).',
  },
  'mock/vitest': {
    name: 'health-lab-sdk/mock/vitest',
    purpose: 'Adds a mock team and a client to each Vitest test, and explains failed tests.',
  },
}
