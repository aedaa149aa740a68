import type { Issue } from '../../contract/schema/check.ts'
import type { ErrorFacts } from './service-error.ts'

/** Says what is known about the effect of a failed call, and whether it is safe to retry. */
export function describeOutcome({ outcome, effect = 'unsafe', operation }: ErrorFacts): string {
  if (outcome === 'not-sent') return 'The request was not sent.'
  if (outcome === 'rejected') return 'The request had no effect.'
  if (effect === 'read') return 'The request only reads data, so it is safe to retry.'
  if (outcome === 'succeeded') return 'The request took effect; do not send it again.'
  if (effect === 'idempotent') return 'It may have taken effect; it is safe to retry.'
  return `It may have taken effect; check ${subjectOf(operation)} before retrying.`
}

/** What a user looks at to find out whether an unsafe call took effect, by namespace. */
const subjects: Record<string, string> = {
  insurance: "the user's insurance",
  link: 'the bulk operations',
  orders: 'the order',
}

function subjectOf(operation: string): string {
  const [namespace = ''] = operation.split('.')
  return subjects[namespace] ?? 'the state of the service'
}

/** Names the request for its reader: `(POST /v2/link/bulk_import, 2 attempts, request req_1_7)`. */
export function describeRequest({ route, attempts, requestId }: ErrorFacts): string {
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  return `(${[route, count, ...(requestId ? [`request ${requestId}`] : [])].join(', ')})`
}

const maxListedIssues = 20

/** Lists the first 20 issues. */
export function listIssues(issues: readonly Issue[]): string {
  const listed = issues
    .slice(0, maxListedIssues)
    .map(({ path, expected }) => `${path}: expected ${expected}`)
  const rest = issues.length - listed.length
  return listed.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
