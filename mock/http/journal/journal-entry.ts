import type { OperationId } from '../../../src/contract/operations.ts'
import type { EmittedEvent } from '../../events/outbox.ts'
import type { FaultEffect } from '../../faults/fault.ts'
import type { Change } from '../../state/collections/collection.ts'

/** The possible outcomes of a request. */
export const journalOutcomes = [
  'waiting',
  'responded',
  'refused',
  'lost',
  'aborted',
  'failed',
] as const

/**
 * The outcome of a request. `waiting`: no response yet. `responded`: the mock responded. `refused`: a fault refused the
 * connection. `lost`: a fault closed the connection before the response was sent. `aborted`: the caller aborted the
 * request. `failed`: the mock or an override threw an error.
 */
export type JournalOutcome = (typeof journalOutcomes)[number]

/** A team's request, with its response and effects. */
export interface JournalEntry {
  /** The request number, starting at 1 for each team. */
  readonly number: number
  /** The operation, or undefined for an unknown route. */
  readonly operation: OperationId | undefined
  /** The HTTP method, such as `GET`. */
  readonly method: string
  /** The specification's path template, or the actual path for an unknown route. */
  readonly path: string
  /** The virtual time at which the request arrived. */
  readonly at: Date
  /** The request, as the mock parsed it. */
  readonly request: JournalRequest
  /** The response. Undefined while the request is waiting, or if it received none. */
  response?: JournalResponse
  /** The outcome: `waiting` until the request completes. */
  outcome: JournalOutcome
  /** The record changes that the request caused, immediately or in the background. */
  readonly changes: readonly Change[]
  /** The events that the request caused, immediately or in the background. */
  readonly events: readonly EmittedEvent[]
  /** The effects of faults on the request. An exceeded rate limit is recorded as a `status` effect. */
  faults: readonly FaultEffect[]
  /** Error messages from scheduled events that the request caused, such as a booking timeout. */
  readonly failures: readonly string[]
}

/** A request in the journal. */
export interface JournalRequest {
  /** The full URL, including its origin. */
  readonly url: string
  /** The headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The path parameters. */
  readonly params: Record<string, string>
  /** The query parameters that the specification defines. */
  query: Record<string, unknown>
  /** The parsed JSON body, the text of an invalid body, or undefined if there is no body. */
  body: unknown
}

/** A response in the journal. */
export interface JournalResponse {
  /** The HTTP status, from 200 to 599. */
  readonly status: number
  /** The headers, by lower-case name. */
  readonly headers: Record<string, string>
  /** The body: parsed JSON, a string or bytes. */
  readonly body: unknown
}
