import { ownFields } from '../../shared/own-fields.ts'
import type { CallSite } from '../../shared/stack.ts'
import { tryRead } from '../copy-input.ts'

const siteKey = Symbol('call site')

/**
 * Returns a copy of a call's options that records where the method was called, for error stacks. Options that already
 * contain a call site are returned unchanged, because page iterations and imports pass these options to later requests.
 */
export function withCallSite<Options extends object>(options: Options): Options {
  return siteKey in options ? options : ownFields({ ...options, [siteKey]: new Error() })
}

/** Returns the call site that `withCallSite` recorded, if any. Untyped callers may pass anything. */
export function callSiteOf(options: unknown): CallSite | undefined {
  return tryRead(() => Object(options)[siteKey])
}
