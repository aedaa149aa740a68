import { seeError } from '../../shared/error-links.ts'
import { describeOutcome, describeRequest, joinSentences } from './message.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/** Thrown when a call is aborted through its `signal`. `outcome` says what is known about the call's effect. */
export class AbortError extends ServiceError {
  static override readonly kind: string = 'AbortError'
  override readonly code = 'aborted'

  /** Creates the error for an aborted call. The cause is the signal's reason. */
  constructor(facts: ErrorFacts) {
    super(
      joinSentences(
        `${facts.operation} was aborted`,
        describeOutcome(facts),
        describeRequest(facts),
      ) + seeError('aborted'),
      facts,
    )
  }

  /** The signal's reason, unchanged. It is not printed, because it may contain private data. */
  get reason(): unknown {
    return this.originalCause
  }
}
