import { describeOutcome, describeRequest } from './message.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/** Thrown when the connection fails before the response is complete. */
export class ConnectionError extends ServiceError {
  static override readonly kind: string = 'ConnectionError'
  override readonly code: string = 'connection_failed'

  /** Creates the error of a failed connection; the message names the code of the last attempt. */
  constructor(facts: ErrorFacts) {
    const code = facts.attempts.at(-1)?.code
    super(
      `${facts.operation} failed: the connection to the service failed${code ? ` (${code})` : ''}. ${describeOutcome(facts)} ${describeRequest(facts)}`,
      facts,
    )
  }
}

/** Thrown when no complete response arrives within the timeout or the deadline. */
export class TimeoutError extends ServiceError {
  static override readonly kind: string = 'TimeoutError'
  override readonly code: string = 'timeout'

  /** @param limit The limit that ended the call, such as `timeout (30000 ms)`. */
  constructor(limit: string, facts: ErrorFacts) {
    super(
      `${facts.operation} failed: no complete response within the ${limit}. ${describeOutcome(facts)} ${describeRequest(facts)}`,
      facts,
    )
  }
}
