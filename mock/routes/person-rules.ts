import { isLabName } from '../../src/contract/values/lab-name.ts'
import type { ValidationDetail } from '../base/http-error.ts'
import { ownValueAt } from '../http/validation.ts'

type Path = readonly (string | number)[]

/** Checks a person's names by the labs' rules (specification 2.1), and that the gender is not empty. */
export function checkPerson(body: unknown, path: Path = []): ValidationDetail[] {
  return [
    ...checkName(body, [...path, 'first_name']),
    ...checkName(body, [...path, 'last_name']),
    ...checkGender(body, [...path, 'gender']),
  ]
}

function checkName(body: unknown, path: Path): ValidationDetail[] {
  const name = ownValueAt(body, path)
  if (typeof name !== 'string' || isLabName(name)) return []
  return [
    toDetail(
      'value_error',
      path,
      "Input should start with a letter or digit and contain only letters, digits, '-', '.', ',', apostrophes and single inner spaces",
      name,
    ),
  ]
}

function checkGender(body: unknown, path: Path): ValidationDetail[] {
  const gender = ownValueAt(body, path)
  if (gender !== '') return []
  return [toDetail('string_too_short', path, 'Input should have at least 1 character', gender)]
}

/** Checks a ZIP code of the United States. */
export function checkZip(body: unknown, path: Path): ValidationDetail[] {
  const zip = ownValueAt(body, path)
  if (typeof zip !== 'string' || /^\d{5}(-\d{4})?$/.test(zip)) return []
  const msg = 'Input should be a ZIP code such as 85004 or 85004-1234'
  return [toDetail('string_pattern_mismatch', path, msg, zip)]
}

function toDetail(type: string, path: Path, msg: string, input: unknown): ValidationDetail {
  return { type, loc: ['body', ...path], msg, input }
}
