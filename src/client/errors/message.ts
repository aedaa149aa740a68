import type { Issue } from '../../contract/schema-tools/check.ts'
import { maxIssues } from '../../shared/narrow.ts'
import { ownFields } from '../../shared/own-fields.ts'
import type { Attempt, ErrorFacts } from './service-error.ts'

/** Joins sentences, and adds missing full stops. */
export function joinSentences(...sentences: readonly (string | undefined | false)[]): string {
  return sentences
    .filter((sentence) => typeof sentence === 'string' && sentence !== '')
    .map((sentence) => (/^\(|[.!?…]$/.test(String(sentence)) ? sentence : `${sentence}.`))
    .join(' ')
}

/** Describes a call's effect and what to do next, or returns an empty string if there is nothing to add. */
export function describeOutcome({
  outcome,
  effect = 'non-idempotent',
  operation,
}: ErrorFacts): string {
  if (outcome === 'not-sent') return 'The request was not sent.'
  if (waits.has(operation) && outcome === 'unknown') {
    return 'The visit may still be booked. Do not book again automatically; have a person check.'
  }
  if (effect === 'read-only') {
    return outcome === 'unknown' ? 'The request only reads data, so it is safe to retry.' : ''
  }
  if (outcome === 'rejected') return 'The request had no effect.'
  const isIdempotent = effect === 'idempotent'
  if (outcome === 'succeeded') {
    return isIdempotent
      ? 'The request took effect.'
      : 'The request took effect; do not send it again.'
  }
  if (isIdempotent) {
    return 'The request may have taken effect. It is idempotent, so it is safe to retry.'
  }
  if (effect === 'keyed') {
    return 'The request may have taken effect. Retry it only with the same idempotencyKey, and only if the service honours x-idempotency-key.'
  }
  return `The request may have taken effect; check ${subjects[operation] ?? 'whether it did'} before retrying.`
}

const waits = new Set(['orders.bookAndWait', 'orders.waitForAppointment'])

/** What to check, by operation, to find out whether a non-idempotent call took effect. */
const subjects: Record<string, string> = ownFields({
  'insurance.create': 'whether the user has the insurance',
  'link.bulkImport': 'the bulk operations',
  'orders.bookPhlebotomyAppointment': 'the order with bookAndWait and alreadySent',
  'orders.create': 'whether the order exists',
})

const maxListedAttempts = 10

/** Describes a request, as in `(POST /v2/link/bulk_import, 2 attempts: 503, 500, request req_1_7)`. */
export function describeRequest({ route, attempts, outcome, requestId }: ErrorFacts): string {
  // Waiting for an appointment makes several calls and has no attempts of its own.
  const isKnown = attempts.length > 0 || outcome === 'not-sent'
  const parts = [route, isKnown && describeAttempts(attempts), requestId && `request ${requestId}`]
  const known = parts.filter(Boolean)
  return known.length === 0 ? '' : `(${known.join(', ')})`
}

function describeAttempts(attempts: readonly Attempt[]): string {
  if (attempts.length === 1) return '1 attempt'
  if (attempts.length === 0) return 'no attempts'
  const ends = attempts.slice(-maxListedAttempts).map(describeEnd)
  const more = attempts.length > ends.length ? '… ' : ''
  return `${attempts.length} attempts: ${more}${ends.join(', ')}`
}

function describeEnd(attempt: Attempt): string | number | undefined {
  const { code, status } = ownFields(attempt)
  return code ?? status
}

const maxListedIssues = 20

export function describeIssue(issue: Issue): string {
  const { path, expected, message } = ownFields(issue)
  return message ?? `${path}: expected ${expected}`
}

export function listIssues(issues: readonly Issue[]): string {
  const listed = issues.slice(0, maxListedIssues).map(describeIssue)
  const rest = issues.length - listed.length
  const count = issues.length < maxIssues ? rest : `at least ${rest}`
  return listed.join('; ') + (rest > 0 ? `; and ${count} more` : '')
}
