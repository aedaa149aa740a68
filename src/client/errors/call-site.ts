import { ownFields } from '../../shared/own-fields.ts'
import type { CallSite } from '../../shared/stack.ts'
import { tryRead } from '../copy-input.ts'

const siteKey = Symbol('call site')

/**
 * Returns a copy of a call's options that remembers where the method was called, for the stack of its errors. Options that
 * remember it already are returned as they are: page walks and imports pass them to their later requests.
 */
export function withCallSite<Options extends object>(options: Options): Options {
  return siteKey in options ? options : ownFields({ ...options, [siteKey]: new Error() })
}

/**
 * Returns where the method with these options was called; undefined when `withCallSite` did not create them. Callers
 * without types may pass anything.
 */
export function callSiteOf(options: unknown): CallSite | undefined {
  return tryRead(() => Object(options)[siteKey])
}
