import { homepage } from '../version.ts'

/** The sections of the Errors page that list the codes of classes other than `ServiceError`. */
const errorSections = ['events', 'durable-writes', 'stores', 'sync', 'mock'] as const
type ErrorSection = (typeof errorSections)[number]

/** Returns whether the Errors page has a section of codes with this anchor. */
export function isErrorSection(anchor: string): anchor is ErrorSection {
  return errorSections.some((section) => section === anchor)
}

/** Returns the anchor of an error code on the Errors page. The same code may appear in several sections. */
export function errorAnchor(code: string, section?: ErrorSection): string {
  return section ? `${section}-${code}` : code
}

/** Returns the sentence that ends an error's message, with a link to its code; empty while there is no homepage. */
export function seeError(code: string, section?: ErrorSection): string {
  return homepage && ` See ${homepage}/reference/errors.html#${errorAnchor(code, section)}`
}
