import { describeOutcome, describeRequest, joinSentences } from './message.ts'
import { classOf, systemCode, unknownCode } from './safe-cause.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/** Thrown when the connection fails before the response is complete. */
export class ConnectionError extends ServiceError {
  static override readonly kind: string = 'ConnectionError'
  override readonly code = 'connection_failed'

  /** Creates the error of a failed connection; the message names class and code of what the last attempt failed with. */
  constructor(facts: ErrorFacts) {
    const { code, names } = describeFailure(facts)
    super(
      joinSentences(
        `${facts.operation} failed: the connection to the service failed${names && ` (${names})`}`,
        describeOutcome(facts),
        facts.outcome === 'not-sent' && 'Check baseUrl and the network',
        code === undefined &&
          facts.cause !== undefined &&
          'Read error.originalCause for the reason',
        describeRequest(facts),
      ),
      facts,
    )
  }
}

/** Classes that say nothing beside a code. */
const commonClasses = new Set(['Error', 'TypeError', 'DOMException', 'Object'])

function describeFailure({ attempts, cause }: ErrorFacts): { code?: string; names: string } {
  // A download fails after its attempt succeeded.
  const code = attempts.at(-1)?.code ?? systemCode(cause)
  const name = classOf(cause)
  if (code === undefined || code === unknownCode) return { names: name ?? '' }
  return { code, names: name && !commonClasses.has(name) ? `${name}, ${code}` : code }
}

/** Thrown when no complete response arrives within the timeout or the deadline. */
export class TimeoutError extends ServiceError {
  static override readonly kind: string = 'TimeoutError'
  override readonly code = 'timeout'

  /**
   * @param limit The option that ended the call, and its value, such as `timeout (30000 ms)`.
   * @param missing What did not happen in time.
   */
  constructor(limit: string, facts: ErrorFacts, missing = 'no complete response') {
    super(
      joinSentences(
        `${facts.operation} failed: ${missing} within the ${limit}`,
        describeOutcome(facts),
        `Increase the option ${limit.split(' ', 1)} if the operation takes longer`,
        describeRequest(facts),
      ),
      facts,
    )
  }
}
