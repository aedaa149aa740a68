import { check } from '../../contract/schema/check.ts'
import { findDrift } from '../../contract/schema/drift.ts'
import type { Endpoint } from '../../contract/schema/endpoint.ts'
import { ResponseValidationError } from '../errors.ts'
import type { Observer } from '../observer.ts'
import type { Validation } from '../options.ts'
import type { Attempts } from './attempts.ts'
import { parseJson } from './body.ts'

/** Parses a successful answer and checks it; the parsed value itself is returned. */
export function readAnswer(
  endpoint: Endpoint,
  status: number,
  text: string,
  validation: Validation,
  attempts: Attempts,
  observer: Observer,
): unknown {
  const { isJson, value } = parseJson(text)
  if (!isJson) {
    const issue = { path: 'answer', expected: 'JSON' }
    throw new ResponseValidationError([issue], value, status, attempts.facts(undefined, 'unknown'))
  }
  if (validation === 'off') return value
  const schema = endpoint.responses[status] ?? endpoint.responses[200]
  if (schema === undefined || schema === 'binary') return value

  const issues = check(schema, value, 'answer')
  if (issues.length > 0 && validation === 'strict') {
    const outcome = text === '' ? 'unknown' : 'succeeded'
    throw new ResponseValidationError(issues, value, status, attempts.facts(undefined, outcome))
  }
  for (const issue of issues) observer.drifted(attempts.call, 'invalid', issue)
  if (observer.watchesDrift) {
    for (const drift of findDrift(schema, value, 'answer')) {
      observer.drifted(attempts.call, drift.kind, drift)
    }
  }
  return value
}
