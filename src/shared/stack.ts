/**
 * Where the user's code called a method: an `Error` of that moment. Its stack is read only when an error of the call needs
 * it.
 */
export interface CallSite {
  readonly stack?: string
}

/**
 * The property of a `Request` that holds its call site, when the time of the client is virtual: `explore` of the mock names
 * the caller's line.
 */
export const callSiteKey = Symbol.for('health-lab-sdk.call-site')

/**
 * Returns the stack of an error with the frames of its call, or with its own ones; undefined without known frames. It starts
 * at the caller's line.
 */
export function stackOf(
  { name, message, stack }: Error,
  site: CallSite | undefined,
): string | undefined {
  const frames = framesIn(site?.stack) ?? framesIn(stack)
  return frames && `${name}: ${message}\n${callerFrames(frames).join('\n')}`
}

/** Returns the lines of a stack from the first frame on. `Error.prepareStackTrace` of a program may return anything. */
function framesIn(stack: unknown): string[] | undefined {
  if (typeof stack !== 'string') return undefined
  const start = stack.search(/^ +at /m)
  return start < 0 ? undefined : stack.slice(start).split('\n')
}

/** The folder of the package in the frame of one of its files: as installed, or the sources in the tests of the package. */
const packageFolder =
  /^ +at (?:.*\()?(.*?[\\/](?:health-lab-sdk[\\/](?:\d[^\\/]*[\\/])?dist|src(?=[\\/](?:client|durable)[\\/].*\.ts:))[\\/])/

/** Returns the frames without the package's own ones at their start. A bundle has no folder of the package. */
function callerFrames(frames: string[]): string[] {
  const folder = packageFolder.exec(frames[0] ?? '')?.[1]
  if (folder === undefined) return frames
  const caller = frames.findIndex((frame) => !frame.includes(folder))
  return caller < 0 ? frames : frames.slice(caller)
}
