import type { Issue } from '../../contract/schema-tools/check.ts'
import { check } from '../../contract/schema-tools/check.ts'
import { findDrift } from '../../contract/schema-tools/drift.ts'
import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import { isObject } from '../../contract/schema-tools/object.ts'
import { withoutAddedFields } from '../../shared/own-fields.ts'
import type { Outcome } from '../errors/service-error.ts'
import { notJson, ResponseValidationError } from '../errors/validation-errors.ts'
import { observe } from '../observe.ts'
import type { ReceivedResponse } from './attempt/running-attempt.ts'
import { parseJson } from './body.ts'
import type { CallInput } from './prepare-request.ts'
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

  const issues = [
    ...check(schema, value, 'response'),
    ...echoIssues(endpoint, call.request.input, value),
  ]
  if (issues.length > 0 && validation === 'strict') {
    throw toValidationError(issues, text === '' ? 'unknown' : 'succeeded')
  }
  for (const issue of issues) observer.reportDrift(event, 'invalid', issue)
  if (observer.watchesDrift) {
    observe(() => {
      const found = withoutAddedFields(() => findDrift(schema, value, 'response'))
      for (const drift of found) {
        observer.reportDrift(event, drift.kind, drift)
      }
    })
  }
  return value
}

/** Checks that a response repeats ids of its request only; returns the first other id of each place. */
function echoIssues({ echoes }: Endpoint, input: CallInput, response: unknown): Issue[] {
  if (!echoes) return []
  return Object.entries(echoes).flatMap(([place, source]) => {
    const sent = new Set(idsAt(input, source.split('.'), '').map(({ id }) => id))
    if (sent.size === 0) return []
    const other = idsAt(response, place.split('.'), 'response').find(({ id }) => !sent.has(id))
    const name = source.slice(source.lastIndexOf('.') + 1)
    return other ? [{ path: other.path, expected: `the ${name} of the request` }] : []
  })
}

/** Returns the strings at a place in lower case, because UUIDs are case-insensitive. Other values are ignored. */
function idsAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  path: string,
): { path: string; id: string }[] {
  if (key === undefined) return typeof value === 'string' ? [{ path, id: value.toLowerCase() }] : []
  if (key === '*') {
    const items: unknown[] = Array.isArray(value) ? value : []
    return items.flatMap((item, at) => idsAt(item, rest, `${path}[${at}]`))
  }
  return isObject(value) && Object.hasOwn(value, key)
    ? idsAt(value[key], rest, `${path}.${key}`)
    : []
}
