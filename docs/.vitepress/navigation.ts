import { orderedOperations } from '../../scripts/docs/reference/operation-order.ts'

/** A page of the site: its path inside `docs` without `.md`, and its short title. */
export interface NavigationPage {
  path: string
  title: string
}

export interface NavigationGroup {
  title: string
  pages: NavigationPage[]
  /** The headings under which the sidebar lists the pages. Default: no headings. */
  parts?: readonly NavigationGroup[]
}

/** The operations that the client has a method for. */
const documented = orderedOperations.filter(({ deprecated }) => !deprecated)

/** The guides are too many for one list. */
const guides: readonly NavigationGroup[] = [
  {
    title: 'Reliability',
    pages: [
      page('guides/errors-and-retries', 'Errors and retries'),
      page('guides/unknown-outcomes', 'Unknown outcomes'),
      page('guides/durable-writes', 'Durable writes'),
      page('guides/stores', 'Stores'),
      page('guides/timeouts-and-cancellation', 'Timeouts and cancellation'),
      page('guides/queues', 'Queues and multiple processes'),
    ],
  },
  {
    title: 'Data',
    pages: [
      page('guides/pagination', 'Pagination'),
      page('guides/bulk-import', 'Bulk import'),
      page('guides/summaries', 'Summaries and time zones'),
      page('guides/aggregates', 'Aggregates and Parquet'),
    ],
  },
  {
    title: 'Events and sync',
    pages: [
      page('guides/webhooks', 'Webhooks'),
      page('guides/sync', 'Sync to Postgres'),
      page('guides/sync-large', 'Sync at scale'),
    ],
  },
  {
    title: 'Production',
    pages: [
      page('guides/logging', 'Logging, tracing and metrics'),
      page('guides/proxies', 'Proxies and private networks'),
      page('guides/frameworks', 'Frameworks'),
      page('guides/troubleshooting', 'Troubleshooting'),
    ],
  },
]

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
    title: 'Tasks',
    pages: [
      page('tasks/register-patient', 'Register a patient'),
      page('tasks/choose-lab-test', 'Choose a lab test'),
      page('tasks/order-lab-test', 'Order and read a result'),
      page('tasks/book-visit', 'Book a visit and wait'),
      page('tasks/mobile-sign-in', 'Sign in on a phone'),
      page('tasks/connect-wearables', 'Connect wearables'),
      page('tasks/sleep-table', "Last month's sleep"),
      page('tasks/events-to-database', 'Events into a database'),
      page('tasks/limits', 'What the service cannot do'),
    ],
  },
  { title: 'Guides', pages: guides.flatMap(({ pages }) => pages), parts: guides },
  {
    title: 'Testing',
    pages: [
      page('testing/overview', 'Test with the mock'),
      page('testing/runners', 'Test runners'),
      page('testing/records', 'Records and the journal'),
      page('testing/time', 'Time'),
      page('testing/living-users', 'Living users'),
      page('testing/faults', 'Faults'),
      page('testing/webhooks', 'Test webhooks'),
      page('testing/certify', 'Certify a receiver'),
      page('testing/explore', 'Explore'),
      page('testing/failed-tests', 'Failed tests'),
      page('testing/mock-server', 'Mock server'),
      page('testing/containers', 'Containers and CI'),
      page('testing/languages', 'Other languages'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('reference/configuration', 'Configuration'),
      page('reference/errors', 'Errors'),
      page('reference/events', 'Events'),
      page('reference/cli', 'Command line'),
      page('reference/openapi', 'OpenAPI'),
      page('reference/specification', 'Specification'),
      page('reference/assumptions', 'Assumptions'),
      page('reference/glossary', 'Glossary'),
    ],
  },
  {
    title: 'Operations',
    pages: [
      page('reference/operations', 'All operations'),
      ...documented.map(({ id }) => page(`reference/operations/${id.replace('.', '-')}`, id)),
    ],
  },
  {
    title: 'Trust',
    pages: [
      page('trust/security', 'Security and privacy'),
      page('trust/support', 'Platforms and support'),
      page('trust/migration', 'Migration and changelog'),
      page('trust/conformance', 'Conformance'),
      page('trust/measurements', 'Measurements'),
    ],
  },
]

/** Files below `docs` that the site does not show: they are for contributors, or parts of other pages. */
export const hiddenFiles = ['contributing/**/*.md', 'trust/measurements/*.md']

/** Returns the files of all pages in reading order, the landing page first. */
export function pageFiles(): string[] {
  const paths = navigation.flatMap(({ pages }) => pages.map(({ path }) => path))
  return ['index', ...paths].map((path) => `docs/${path}.md`)
}

function page(path: string, title: string): NavigationPage {
  return { path, title }
}
