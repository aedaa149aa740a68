import { ConnectionError } from '../errors/connection-errors.ts'
import type { RunningCall } from '../transport/running-call.ts'
import { ReadTimeoutError } from '../watch-stream.ts'
import { Download } from './download.ts'

/** Creates the download of a response; reading it is bounded by the timeout and the deadline of its call. */
export function createDownload(
  response: Response,
  call: RunningCall,
  signal: AbortSignal | undefined,
): Download {
  const { timeout } = call.request
  return new Download(call.event.operation, response, {
    clock: call.settings.clock,
    idleTimeout: timeout,
    remaining: () => call.remaining,
    signal,
    createError: (cause) =>
      cause instanceof ReadTimeoutError
        ? call.timeoutError(cause.isIdle ? timeout : undefined, 'unknown')
        : new ConnectionError(call.errorFacts(cause, 'unknown')),
  })
}
