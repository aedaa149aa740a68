import { cliPage } from './cli.ts'
import { configurationPage } from './configuration.ts'
import { eventsPage } from './events.ts'
import { operationPages } from './operation-pages.ts'
import { operationsPage } from './operations.ts'

/** The generated reference pages, keyed by file. */
export const referencePages: Readonly<Record<string, () => string>> = {
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/operations.md': operationsPage,
  'docs/reference/events.md': eventsPage,
  'docs/reference/cli.md': cliPage,
  ...operationPages(),
}
