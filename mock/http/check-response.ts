import { issuesOf } from '../../src/contract/schema-tools/check.ts'
import type { Endpoint } from '../../src/contract/schema-tools/endpoint.ts'
import type { Strictness } from '../../src/contract/schema-tools/schema.ts'
import { Recent } from '../../src/shared/memo.ts'
import { MockError } from '../errors.ts'
import { isFixed } from '../shared/freeze.ts'
import { strictValidator, typesOnly } from './request/validation.ts'
import type { ServiceResponse } from './response.ts'

const valuesAndFormats: readonly Strictness[] = ['value', 'format']

/** The validators that accepted the most recent response bodies. An unchanged record is not checked again. */
const accepted = new Recent<object, ReturnType<typeof strictValidator>>(1000)

/**
 * Checks a response against the contract, so no test relies on a defect in the mock.
 *
 * @param isStrict Returns whether a mismatch in values or formats is a defect. Called only after a mismatch.
 * @throws {MockError} `defect` if the response violates the contract.
 */
export function checkResponse(
  { id, responses }: Endpoint,
  { status, body }: ServiceResponse,
  isStrict: () => boolean,
): void {
  const schema = responses[status]
  if (status >= 400 || schema === 'binary') return
  if (schema && accepts(strictValidator(schema, valuesAndFormats), body)) return
  const kinds = isStrict() ? valuesAndFormats : typesOnly
  const validator = schema && strictValidator(schema, kinds)
  if (validator && kinds === typesOnly && accepts(validator, body)) return
  const [issue] = validator ? issuesOf(validator.schema, body) : []
  const found = issue ? `${issue.path} should be ${issue.expected}` : `it has status ${status}`
  throw new MockError(
    'defect',
    `The mock's response to ${id} violates the contract: ${found}. If one of your records has this value on purpose, set strictResponses: false for the team.`,
  )
}

function accepts(validator: ReturnType<typeof strictValidator>, body: unknown): boolean {
  if (isFixed(body) && accepted.find(body) === validator) return true
  const isAccepted = validator.accepts(body)
  if (isAccepted && isFixed(body)) accepted.keep(body, validator)
  return isAccepted
}

/**
 * Returns whether all values and formats in a request body match the specification. If not, the response can contain
 * invalid values from the body.
 */
export function hasKnownValues({ body: schema }: Endpoint, body: unknown): boolean {
  return schema === undefined || strictValidator(schema, valuesAndFormats).accepts(body)
}
