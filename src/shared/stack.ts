/**
 * Where the user's code called a method: an `Error` created at that moment. Its stack is read only when an error of the call
 * needs it.
 */
export interface CallSite {
  readonly stack?: string
}

/**
 * The property of a `Request` that holds its call site when the client's time is virtual, because the mock's `explore` shows
 * the caller's line.
 */
export const callSiteKey = Symbol.for('health-lab-sdk.call-site')

/**
 * Returns an error's stack with the frames of its call, or its own frames; undefined without known frames. It starts at the
 * caller's line.
 */
export function stackOf(
  { name, message, stack }: Error,
  site: CallSite | undefined,
): string | undefined {
  const frames = framesIn(site?.stack) ?? framesIn(stack)
  return frames && `${name}: ${message}\n${callerFrames(frames).join('\n')}`
}

/** Returns the lines of a stack from the first frame on. A program's `Error.prepareStackTrace` may return anything. */
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
