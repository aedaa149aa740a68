import { withoutAddedFields } from '../../shared/own-fields.ts'
import { BodyTooLargeError } from '../../shared/response-limits.ts'
import { ConnectionError } from '../errors/connection-errors.ts'
import { ResponseValidationError } from '../errors/validation-errors.ts'
import { cancelBody } from '../transport/body.ts'
import type { RunningCall } from '../transport/running-call.ts'
import { encodingOf, type ReadLimits, ReadTimeoutError } from '../watch-stream.ts'
import { Download } from './download.ts'

/**
 * Creates a download from a response. The call's timeout and deadline also apply to reading the body.
 *
 * @throws {ResponseValidationError} when `findProblem` finds a problem.
 */
export function createDownload(
  response: Response,
  call: RunningCall,
  signal: AbortSignal | undefined,
): Download {
  const { timeout } = call.request
  const invalid = (expected: string) =>
    new ResponseValidationError(
      [{ path: 'response', expected }],
      undefined,
      response.status,
      call.errorFacts(undefined, 'unknown'),
    )
  const limits: ReadLimits = {
    clock: call.settings.clock,
    idleTimeout: timeout,
    remaining: () => call.remaining,
    signal,
    createError: (cause) => {
      if (cause instanceof ReadTimeoutError) {
        return call.timeoutError(cause.isIdle ? timeout : undefined, 'unknown')
      }
      if (!(cause instanceof BodyTooLargeError)) {
        return new ConnectionError(call.errorFacts(cause, 'unknown'))
      }
      const advice = 'for bytes(). Use save() or the stream'
      return invalid(`${cause.expected} ${advice}`)
    },
  }
  let expected: string | undefined
  try {
    expected = findProblem(response)
    if (expected === undefined)
      return withoutAddedFields(() => new Download(call.event.operation, response, limits))
  } catch (error) {
    // The body is already in use, or a custom fetch returned a different kind of response.
    throw limits.createError(error)
  }
  void cancelBody(response)
  throw invalid(expected)
}

/**
 * Returns the requirement that a response violates, or undefined. A download must be a complete file. It must not be
 * encoded unless the platform always requests encodings: fetch reports no error for a truncated encoded body, and the
 * decoded length cannot be compared with content-length.
 */
function findProblem({ status, headers, body }: Response): string | undefined {
  const isEmpty = headers.get('content-length') === '0' || !body
  if (isEmpty || /^[^;]*(html|json)/i.test(headers.get('content-type') ?? ''))
    return 'a file instead of HTML, JSON or an empty body'
  if (status === 206 || headers.has('content-range')) return 'the whole body instead of a range'
  if (encodingOf(headers) === undefined || !canDisableEncodings()) return undefined
  return 'no content-encoding'
}

/** Returns whether a request can disable content encodings. Browsers always send their own accept-encoding. */
function canDisableEncodings(): boolean {
  const headers = { 'accept-encoding': 'identity' }
  return new Request('http://localhost', { headers }).headers.has('accept-encoding')
}
