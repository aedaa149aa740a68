import { homepage } from '../version.ts'

/** The sections of the Errors page for error classes other than `ServiceError`. */
const errorSections = ['events', 'durable-writes', 'stores', 'sync', 'mock'] as const
type ErrorSection = (typeof errorSections)[number]

export function isErrorSection(anchor: string): anchor is ErrorSection {
  return errorSections.some((section) => section === anchor)
}

/** Returns a code's anchor. The Errors page may list the same code in several sections. */
export function errorAnchor(code: string, section?: ErrorSection): string {
  return section ? `${section}-${code}` : code
}

/**
 * Returns the sentence that links to an error code's documentation, or an empty string if there is no homepage.
 */
export function seeError(code: string, section?: ErrorSection): string {
  return homepage && ` See ${homepage}/reference/errors.html#${errorAnchor(code, section)}`
}
