import { issuesOf } from '../../src/contract/schema/check.ts'
import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import type { Strictness } from '../../src/contract/schema/schema.ts'
import type { Answer } from '../base/response.ts'
import { MockError } from '../errors.ts'
import { insistent } from './validation.ts'

const told: readonly Strictness[] = ['value', 'format']

/**
 * Holds an answer against the contract, so that a mistake of the mock never passes for an answer of the service.
 *
 * @param isStrict Whether the answer must also have the values and formats that the specification tells.
 * @throws {MockError} `defect`
 */
export function checkAnswer(endpoint: Endpoint, { status, body }: Answer, isStrict: boolean): void {
  const schema = endpoint.responses[status]
  if (status >= 400 || schema === 'binary') return
  const form = schema && insistent(schema, isStrict ? told : [])
  if (form?.accepts(body)) return
  const [issue] = form ? issuesOf(form.schema, body) : []
  const found = issue ? `${issue.path} should be ${issue.expected}` : `it has status ${status}`
  throw new MockError(
    'defect',
    `The mock's answer to ${endpoint.id} is not what the contract tells: ${found}. If a record of yours says so on purpose, set strictAnswers: false for the team.`,
  )
}

/** Whether a request has only values and formats that the specification tells; others come back in its answer. */
export function isTold(endpoint: Endpoint, body: unknown): boolean {
  return endpoint.body === undefined || insistent(endpoint.body, told).accepts(body)
}
