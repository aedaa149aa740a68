/** A page of the site: its path inside `docs` without `.md`, and its short title. */
export interface NavigationPage {
  path: string
  title: string
}

/** A group of pages in the sidebar. */
export interface NavigationGroup {
  title: string
  pages: NavigationPage[]
  /** Whether llms.txt lists the group as optional. */
  isAppendix?: boolean
}

/** Every page of the site in reading order: the sidebar, llms.txt and the tests derive from this list. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Get started',
    pages: [
      page('start/overview', 'Overview'),
      page('start/quickstart', 'Quickstart'),
      page('start/tutorial', 'Tutorial'),
      page('start/go-live', 'Go live'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('guides/errors-and-retries', 'Errors and retries'),
      page('guides/unknown-outcomes', 'Unknown outcomes'),
      page('guides/durable-writes', 'Durable writes'),
      page('guides/stores', 'Stores'),
      page('guides/sync', 'Sync to Postgres'),
      page('guides/sync-large', 'Large sync installations'),
      page('guides/timeouts-and-cancellation', 'Timeouts and cancellation'),
      page('guides/pagination', 'Pagination'),
      page('guides/bulk-import', 'Bulk import'),
      page('guides/summaries', 'Summaries and time zones'),
      page('guides/aggregates', 'Aggregates and Parquet'),
      page('guides/webhooks', 'Webhooks'),
      page('guides/logging', 'Logging'),
      page('guides/opentelemetry', 'OpenTelemetry'),
      page('guides/proxies', 'Proxies and private networks'),
      page('guides/frameworks', 'Frameworks'),
      page('guides/queues', 'Queues and many processes'),
      page('guides/troubleshooting', 'Troubleshooting'),
    ],
  },
  {
    title: 'Testing',
    pages: [
      page('testing/overview', 'Overview'),
      page('testing/vitest', 'Vitest'),
      page('testing/jest', 'Jest'),
      page('testing/node-test', 'node:test'),
      page('testing/playwright', 'Playwright'),
      page('testing/msw', 'MSW'),
      page('testing/records', 'Records and the journal'),
      page('testing/time', 'Time'),
      page('testing/living-users', 'Living users'),
      page('testing/faults', 'Faults'),
      page('testing/webhooks', 'Webhooks'),
      page('testing/certify', 'Certify a receiver'),
      page('testing/explore', 'Explore'),
      page('testing/failed-tests', 'Failed tests'),
      page('testing/mock-server', 'Mock server'),
      page('testing/containers', 'Containers and CI'),
      page('testing/languages/overview', 'Other languages'),
      page('testing/languages/python', 'Python'),
      page('testing/languages/go', 'Go'),
      page('testing/languages/java', 'Java'),
      page('testing/languages/ruby', 'Ruby'),
      page('testing/languages/csharp', 'C#'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('reference/configuration', 'Configuration'),
      page('reference/operations', 'Operations'),
      page('reference/errors', 'Errors'),
      page('reference/events', 'Events'),
      page('reference/cli', 'CLI'),
      page('reference/openapi', 'OpenAPI'),
      page('reference/specification', 'Specification'),
      page('reference/assumptions', 'Assumptions'),
      page('reference/glossary', 'Glossary'),
    ],
  },
  {
    title: 'Trust',
    pages: [
      page('trust/security', 'Security and privacy'),
      page('trust/threat-model', 'Threat model'),
      page('trust/support-policy', 'Support policy'),
      page('trust/runtimes', 'Platforms and costs'),
      page('trust/migration', 'Deprecations and migration'),
      page('trust/changelog', 'Changelog'),
      page('trust/conformance', 'Conformance'),
    ],
  },
  {
    title: 'Measurements',
    isAppendix: true,
    pages: [
      page('trust/measurements/benchmarks', 'Benchmarks'),
      page('trust/measurements/scaling', 'Scaling'),
      page('trust/measurements/mutation', 'Mutation tests'),
      page('trust/measurements/soak', 'Soak test'),
    ],
  },
  {
    title: 'Contributing',
    pages: [
      page('contributing/index', 'Contribute'),
      page('contributing/design', 'Design'),
      page('contributing/first-ten-minutes', 'First ten minutes'),
    ],
  },
  {
    title: 'Decisions',
    isAppendix: true,
    pages: [
      decision('0001-our-own-retries', 'Our own retries'),
      decision('0002-interfaces-beside-schemas', 'Interfaces beside schemas'),
      decision('0003-strict-types-tolerant-validation', 'Strict types, tolerant validation'),
      decision('0004-checks-loaded-at-the-first-call', 'Checks loaded at the first call'),
      decision('0005-the-services-own-wait', 'Waits of the service'),
      decision('0006-command-contains-its-dependencies', 'Dependencies of the command'),
      decision('0007-events-without-schemas', 'Events without schemas'),
      decision('0008-events-created-when-read', 'Events created when read'),
      decision('0009-polling-inspector', 'An inspector that polls'),
      decision('0010-claims-with-a-token', 'Claims with a token'),
      decision('0011-libraries-and-our-own-code', 'Libraries and our own code'),
      decision('0012-messages-about-missing-packages', 'Missing packages'),
      decision('0013-a-commonjs-build', 'A CommonJS build'),
      decision('0014-virtual-time-in-clients', 'Virtual time in clients'),
      decision('0015-errors-of-the-mock', 'Errors of the mock'),
      decision('0016-documentation-site', 'The documentation site'),
      decision('0017-history-of-changes', 'A history of changes'),
      decision('0018-files-of-the-served-mock', 'Files of the served mock'),
      decision('0019-checks-before-hyparquet', 'Checks before hyparquet'),
    ],
  },
]

/** Returns the files of all pages in reading order, the landing page first. */
export function pageFiles(): string[] {
  const paths = navigation.flatMap(({ pages }) => pages.map(({ path }) => path))
  return ['index', ...paths].map((path) => `docs/${path}.md`)
}

function page(path: string, title: string): NavigationPage {
  return { path, title }
}

function decision(file: string, title: string): NavigationPage {
  return page(`contributing/decisions/${file}`, title)
}
