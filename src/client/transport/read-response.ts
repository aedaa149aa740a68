import type { Issue } from '../../contract/schema/check.ts'
import { check } from '../../contract/schema/check.ts'
import { findDrift } from '../../contract/schema/drift.ts'
import type { Outcome } from '../errors/service-error.ts'
import { notJson, ResponseValidationError } from '../errors/validation-errors.ts'
import type { ReceivedResponse } from './attempt/running-attempt.ts'
import { parseJson } from './body.ts'
import type { RunningCall } from './running-call.ts'

/**
 * Parses and checks a success response. Returns the parsed value itself.
 *
 * @throws {ResponseValidationError} when it is not JSON, or violates its schema with `validation: 'strict'`.
 */
export function readResult(
  { response: { status }, text = '' }: ReceivedResponse,
  call: RunningCall,
): unknown {
  const { isJson, value } = parseJson(text)
  const toValidationError = (issues: Issue[], outcome: Outcome) =>
    new ResponseValidationError(issues, value, status, call.errorFacts(undefined, outcome))
  if (!isJson) throw toValidationError([notJson], 'unknown')
  const { endpoint, event, observer, validation } = call
  if (validation === 'off') return value
  const schema = endpoint.responses[status] ?? endpoint.responses[200]
  if (schema === undefined || schema === 'binary') return value

  const issues = [...check(schema, value, 'response'), ...echoIssues(call, value)]
  if (issues.length > 0 && validation === 'strict') {
    throw toValidationError(issues, text === '' ? 'unknown' : 'succeeded')
  }
  for (const issue of issues) observer.reportDrift(event, 'invalid', issue)
  if (observer.watchesDrift) {
    for (const drift of findDrift(schema, value, 'response')) {
      observer.reportDrift(event, drift.kind, drift)
    }
  }
  return value
}

/** Checks that a response is about the record of its request. UUIDs are compared without case. */
function echoIssues({ request: { echoes } }: RunningCall, value: unknown): Issue[] {
  const fields = Object(value) as Record<string, unknown>
  return echoes
    .filter(([name, sent]) => String(fields[name]).toLowerCase() !== sent.toLowerCase())
    .map(([name]) => ({ path: `response.${name}`, expected: `the ${name} of the request` }))
}
