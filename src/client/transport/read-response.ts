import { check, type Issue } from '../../contract/schema-tools/check.ts'
import { findDrift } from '../../contract/schema-tools/drift.ts'
import type { Endpoint } from '../../contract/schema-tools/endpoint.ts'
import { memo } from '../../shared/memo.ts'
import { isObject } from '../../shared/narrow.ts'
import { withoutAddedFields } from '../../shared/own-fields.ts'
import type { Outcome } from '../errors/service-error.ts'
import { notJson, ofRequest, ResponseValidationError } from '../errors/validation-errors.ts'
import { observe } from '../observe.ts'
import type { ReceivedResponse } from './attempt/running-attempt.ts'
import { parseJson } from './body.ts'
import type { CallInput } from './prepare-request.ts'
import type { RunningCall } from './running-call.ts'

/**
 * Validates a response and returns the parsed value unchanged.
 *
 * @throws {ResponseValidationError} when the response is not JSON or, with `validation: 'strict'`, violates the
 * specification.
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

/** Pairs each response path that echoes ids with the path of these ids in the call's input. */
const echoesOf = memo(({ echoes = {} }: Endpoint) =>
  Object.entries(echoes).map(([place, source]) => [place.split('.'), source.split('.')] as const),
)

/** For each echoed field, reports only the first id that the request did not contain. */
function echoIssues(endpoint: Endpoint, input: CallInput, response: unknown): Issue[] {
  const issues: Issue[] = []
  for (const [place, source] of echoesOf(endpoint)) {
    const sent = new Set<string>()
    findId(input, source, 0, (id) => {
      sent.add(id)
      return false
    })
    if (sent.size === 0) continue
    const path = findId(response, place, 0, (id) => !sent.has(id))
    if (path !== undefined) {
      issues.push({ path: `response${path}`, expected: `the ${source.at(-1)}${ofRequest}` })
    }
  }
  return issues
}

/**
 * Returns the path of the first id at the given place for which `test` returns true. Ids are tested in lower case,
 * because UUIDs are case-insensitive. Only this path is built, because a response may contain millions of ids.
 */
function findId(
  value: unknown,
  place: readonly string[],
  depth: number,
  test: (id: string) => boolean,
): string | undefined {
  const key = place[depth]
  if (key === undefined) {
    return typeof value === 'string' && test(value.toLowerCase()) ? '' : undefined
  }
  if (key !== '*') {
    const path =
      isObject(value) && Object.hasOwn(value, key)
        ? findId(value[key], place, depth + 1, test)
        : undefined
    return path === undefined ? undefined : `.${key}${path}`
  }
  const items: unknown[] = Array.isArray(value) ? value : []
  for (const [at, item] of items.entries()) {
    const path = findId(item, place, depth + 1, test)
    if (path !== undefined) return `[${at}]${path}`
  }
  return undefined
}
