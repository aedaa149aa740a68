import { seeError } from '../../shared/error-links.ts'
import { ownFields } from '../../shared/own-fields.ts'
import { isBrowser } from '../options/environment.ts'
import { describeOutcome, describeRequest, joinSentences } from './message.ts'
import { classOf, systemCode, unknownCode } from './safe-cause.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/** Thrown when the connection fails before the response is complete. */
export class ConnectionError extends ServiceError {
  static override readonly kind: string = 'ConnectionError'
  override readonly code = 'connection_failed'

  /** Creates the error for a failed connection; the message contains the class and code of the last attempt's error. */
  constructor(facts: ErrorFacts) {
    const { code, names } = describeFailure(facts)
    super(
      joinSentences(
        `${facts.operation} failed: the connection to the service failed${names && ` (${names})`}`,
        describeOutcome(facts),
        facts.outcome === 'not-sent' && 'Check baseUrl and the network',
        code === undefined && facts.cause !== undefined && 'See error.originalCause',
        code === undefined &&
          isBrowser() &&
          'In a browser, happy-dom or jsdom, the service must allow your origin (CORS). Call it from a server, and run server tests in the node environment',
        describeRequest(facts),
      ) + seeError('connection_failed'),
      facts,
    )
  }
}

/** Class names that add no information to an error code. */
const commonClasses = new Set(['Error', 'TypeError', 'DOMException', 'Object'])

function describeFailure({ attempts, cause }: ErrorFacts): {
  code: string | undefined
  names: string
} {
  // A download can fail after its attempt succeeded.
  const last = attempts.at(-1)
  const code = (last && ownFields(last).code) ?? systemCode(cause)
  const name = classOf(cause)
  if (code === undefined || code === unknownCode) return { code: undefined, names: name ?? '' }
  return { code, names: name && !commonClasses.has(name) ? `${name}, ${code}` : code }
}

/** Thrown when a call or a wait does not complete within its timeout or deadline. */
export class TimeoutError extends ServiceError {
  static override readonly kind: string = 'TimeoutError'
  override readonly code = 'timeout'

  /**
   * @param limit The option that ended the call, with its value, such as `timeout (30000 ms)`.
   * @param missing What is missing, such as `no appointment`. Default: `no complete response`.
   */
  constructor(limit: string, facts: ErrorFacts, missing?: string) {
    super(
      joinSentences(
        `${facts.operation} failed: ${missing ?? 'no complete response'} within the ${limit}`,
        describeOutcome(facts),
        missing === undefined &&
          `Increase the ${limit.split(' ', 1)} option if the operation takes longer`,
        describeRequest(facts),
      ) + seeError('timeout'),
      facts,
    )
  }
}
