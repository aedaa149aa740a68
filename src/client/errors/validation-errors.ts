import type { Issue } from '../../contract/schema-tools/check.ts'
import { seeError } from '../../shared/error-links.ts'
import { ownFields } from '../../shared/own-fields.ts'
import { describeOutcome, describeRequest, joinSentences, listIssues } from './message.ts'
import { type ErrorFacts, ServiceError } from './service-error.ts'

/**
 * Thrown when an argument or an option is invalid. Nothing was sent, unless your `apiKey` function failed before a
 * retry; see `outcome`.
 */
export class RequestValidationError extends ServiceError {
  static override readonly kind: string = 'RequestValidationError'
  override readonly code = 'request_invalid'
  /** The invalid paths and what was expected at each, at most 100 for the body. */
  readonly issues: readonly Issue[]

  /** Creates the error for invalid arguments or options. */
  constructor(
    issues: readonly Issue[],
    given: Partial<ErrorFacts> & Pick<ErrorFacts, 'operation' | 'route'>,
  ) {
    const facts: ErrorFacts = ownFields({ outcome: 'not-sent', attempts: [], ...given })
    super(requestMessage(issues, facts) + seeError('request_invalid'), facts)
    this.issues = issues
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues }
  }
}

function requestMessage(issues: readonly Issue[], facts: ErrorFacts): string {
  const { operation, route, outcome } = facts
  const list = listIssues(issues)
  if (route === '') return joinSentences(`${operation} was not created: ${list}`)
  if (outcome === 'not-sent') return joinSentences(`${operation} was not sent: ${list}`)
  return joinSentences(
    `${operation} was not retried: ${list}`,
    describeOutcome(facts),
    describeRequest(facts),
  )
}

export const notJson: Issue = { path: 'response', expected: 'JSON' }
/** The issue for an accepted page that has no list. Relaxing `validation` would not help. */
export const missingList: Issue = { path: 'response', expected: 'a page with a list of items' }
/** Ends what an issue expects if the response is about another record, which must not be accepted. */
export const ofRequest = ' of the request'

function describeProblem(issues: readonly Issue[]): string {
  if (issues.includes(notJson)) return 'is not JSON'
  return `does not match the specification: ${listIssues(issues)}`
}

function adviceFor(issues: readonly Issue[], body: unknown): string | undefined {
  if (issues.includes(notJson)) return 'Check baseUrl; a proxy may have sent the response'
  const isFinal =
    issues.includes(missingList) || issues.some(({ expected }) => expected.endsWith(ofRequest))
  return body === undefined || isFinal
    ? undefined
    : "Set validation: 'report' to accept such responses"
}

/** Thrown when a success response does not match the specification. */
export class ResponseValidationError extends ServiceError {
  static override readonly kind: string = 'ResponseValidationError'
  override readonly code = 'response_invalid'
  /** The invalid paths and what was expected at each, at most 100 for the body. */
  readonly issues: readonly Issue[]
  /** The response status. */
  readonly status: number
  readonly #body: unknown

  /** Creates the error for an invalid response. Printing omits the body. */
  constructor(issues: readonly Issue[], body: unknown, status: number, facts: ErrorFacts) {
    super(
      joinSentences(
        `${facts.operation} failed: the response with status ${status} ${describeProblem(issues)}`,
        describeOutcome(facts),
        adviceFor(issues, body),
        describeRequest(facts),
      ) + seeError('response_invalid'),
      facts,
    )
    this.issues = issues
    this.status = status
    this.#body = body
  }

  /** The response body: parsed JSON, a string if it is not JSON, or undefined if unread. It may contain health data. */
  get body(): unknown {
    return this.#body
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, issues: this.issues }
  }
}
