/**
 * The place where the user's code called a method: an `Error` created during the call. Its stack is read only when an
 * error from the call needs it.
 */
export interface CallSite {
  readonly stack?: string
}

/**
 * The `Request` property that contains the call site. Set only in virtual time, for the mock's `explore`, which shows
 * the caller's line.
 */
export const callSiteKey = Symbol.for('health-lab-sdk.call-site')

/**
 * Returns an error's stack, starting at the caller's line. Uses the call site's frames, or the error's own frames if
 * the call site has none. Returns undefined if neither has frames.
 */
export function stackOf(
  { name, message, stack }: Error,
  site: CallSite | undefined,
): string | undefined {
  const frames = framesIn(site?.stack) ?? framesIn(stack)
  return frames && `${name}: ${message}\n${callerFrames(frames).join('\n')}`
}

/** Returns a stack's frames. `stack` may be any value, because a program can set `Error.prepareStackTrace`. */
function framesIn(stack: unknown): string[] | undefined {
  if (typeof stack !== 'string') return undefined
  const start = stack.search(/^ +at /m)
  return start < 0 ? undefined : stack.slice(start).split('\n')
}

/** Captures the package's folder in a stack frame: the installed package, or the sources in the package's own tests. */
const packageFolder =
  /^ +at (?:.*\()?(.*?[\\/](?:health-lab-sdk[\\/](?:\d[^\\/]*[\\/])?dist|src(?=[\\/](?:client|durable)[\\/].*\.ts:))[\\/])/

/**
 * Removes the package's own frames from the top of a stack. Keeps all frames in a bundle, where the package has no
 * folder.
 */
function callerFrames(frames: string[]): string[] {
  const folder = packageFolder.exec(frames[0] ?? '')?.[1]
  if (folder === undefined) return frames
  const caller = frames.findIndex((frame) => !frame.includes(folder))
  return caller < 0 ? frames : frames.slice(caller)
}
