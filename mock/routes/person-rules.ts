import { isLabName } from '../../src/contract/values/lab-name.ts'
import type { ValidationDetail } from '../base/refusal.ts'
import { ownValueAt } from '../http/validation.ts'

/** Rules beyond the contract's schemas, for values of requests that may still be anything. */

type Way = readonly (string | number)[]

/** The labs' name validation of a person's names (specification 2.1), and a gender that is not empty. */
export function personDetails(body: unknown, way: Way = []): ValidationDetail[] {
  return [
    ...nameDetails(body, [...way, 'first_name']),
    ...nameDetails(body, [...way, 'last_name']),
    ...genderDetails(body, [...way, 'gender']),
  ]
}

function nameDetails(body: unknown, way: Way): ValidationDetail[] {
  const name = ownValueAt(body, way)
  if (typeof name !== 'string' || isLabName(name)) return []
  return [
    detail(
      'value_error',
      way,
      "Input should start with a letter or digit and hold only letters, digits, '-', '.', ',', apostrophes and single inner spaces",
      name,
    ),
  ]
}

function genderDetails(body: unknown, way: Way): ValidationDetail[] {
  const gender = ownValueAt(body, way)
  if (gender !== '') return []
  return [detail('string_too_short', way, 'Input should have at least 1 character', gender)]
}

/** A ZIP code of a place in the United States. */
export function zipDetails(body: unknown, way: Way): ValidationDetail[] {
  const zip = ownValueAt(body, way)
  if (typeof zip !== 'string' || /^\d{5}(-\d{4})?$/.test(zip)) return []
  const msg = 'Input should be a ZIP code such as 85004 or 85004-1234'
  return [detail('string_pattern_mismatch', way, msg, zip)]
}

function detail(type: string, way: Way, msg: string, input: unknown): ValidationDetail {
  return { type, loc: ['body', ...way], msg, input }
}
