import { homepage } from '../version.ts'

/** The sections of the Errors page that list the codes of classes other than `ServiceError`. */
const errorSections = ['events', 'durable-writes', 'stores', 'sync', 'mock'] as const
type ErrorSection = (typeof errorSections)[number]

export function isErrorSection(anchor: string): anchor is ErrorSection {
  return errorSections.some((section) => section === anchor)
}

/** Returns a code's anchor on the Errors page. The same code may appear in several sections. */
export function errorAnchor(code: string, section?: ErrorSection): string {
  return section ? `${section}-${code}` : code
}

/**
 * Returns the last sentence of an error's message, which links to the documentation of the error's code. Returns an
 * empty string if there is no homepage.
 */
export function seeError(code: string, section?: ErrorSection): string {
  return homepage && ` See ${homepage}/reference/errors.html#${errorAnchor(code, section)}`
}
