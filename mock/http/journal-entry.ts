import type { OperationId } from '../base/operations.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { Change } from '../state/collection.ts'

/** A request that the team made, and what came of it. */
export interface JournalEntry {
  /** 1 for the team's first request. */
  readonly number: number
  /** Undefined for a request to no known route. */
  readonly operation: OperationId | undefined
  readonly method: string
  /** The path as the specification spells it; as it was sent where no route is known. */
  readonly path: string
  /** Team time. */
  readonly at: Date
  readonly request: JournalRequest
  /** Undefined while the request waits, and when the caller got none. */
  answer?: JournalAnswer
  /** What became of the request; `aborted` by its caller, `lost` by a fault. */
  outcome: 'waiting' | 'answered' | 'refused' | 'lost' | 'aborted' | 'failed'
  /** What the request changed in the team's state, at once or in the background. */
  readonly changes: readonly Change[]
  /** The events that the request caused, at once or in the background. */
  readonly events: readonly EmittedEvent[]
  /** The messages of errors in due events that the request caused, such as the timeout of its booking. */
  readonly failures: readonly string[]
}

/** What the team sent. */
export interface JournalRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly params: Record<string, string>
  query: Record<string, unknown>
  /** The JSON of the body, or its text where it is no JSON; undefined without a body. */
  body: unknown
}

/** What the team was answered. */
export interface JournalAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  /** The JSON of the body, or its bytes. */
  readonly body: unknown
}
