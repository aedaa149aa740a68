import { tryRead } from '../copy-input.ts'

/**
 * Where the user's code called a method: an `Error` of that moment. V8 writes its frames as a string only when an error of
 * the call needs them.
 */
export interface CallSite {
  readonly stack?: string
}

const siteKey = Symbol('call site')

/**
 * Returns a copy of a call's options that remembers where the method was called, for the stack of its errors. Options that
 * remember it already are returned as they are: page walks and imports pass them to their later requests.
 */
export function withCallSite<Options extends object>(options: Options): Options {
  return siteKey in options ? options : { ...options, [siteKey]: new Error() }
}

/**
 * Returns where the method with these options was called; undefined when `withCallSite` did not create them. Callers
 * without types may pass anything.
 */
export function callSiteOf(options: unknown): CallSite | undefined {
  return tryRead(() => Object(options)[siteKey])
}

/** Returns the stack of an error with the frames of its call, or with its own ones; undefined without known frames. */
export function stackOf(
  { name, message, stack }: Error,
  site: CallSite | undefined,
): string | undefined {
  const frames = framesIn(site?.stack) ?? framesIn(stack)
  return frames && `${name}: ${message}\n${frames}`
}

/** Returns the lines of a stack from the first frame on. `Error.prepareStackTrace` of a program may return anything. */
function framesIn(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined
  const start = stack.search(/^ +at /m)
  return start < 0 ? undefined : stack.slice(start)
}
