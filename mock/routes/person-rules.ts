import * as z from 'zod/mini'
import { date } from '../../src/contract/schema-tools/schema.ts'
import { isLabName } from '../../src/contract/values/bounds.ts'
import { isObject } from '../../src/shared/narrow.ts'
import type { ValidationDetail } from '../http/http-error.ts'
import { invalidValue, ownValueAt } from '../http/request/validation.ts'

type Path = readonly (string | number)[]

/** The maximum length of `access_notes` in a person's address, in characters (assumption). */
const accessNotesLength = 1000

/** Checks a person's fields. The rules for names come from the labs (specification 2.1). */
export function checkPerson(body: unknown, path: Path = []): ValidationDetail[] {
  return [
    ...checkName(body, [...path, 'first_name']),
    ...checkName(body, [...path, 'last_name']),
    ...checkGender(body, [...path, 'gender']),
    ...checkAccessNotes(body, [...path, 'address', 'access_notes']),
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

function checkAccessNotes(body: unknown, path: Path): ValidationDetail[] {
  const notes = ownValueAt(body, path)
  if (typeof notes !== 'string' || hasAtMost(notes, accessNotesLength)) return []
  const msg = `Input should be at most ${accessNotesLength} characters`
  return [toDetail('string_too_long', path, msg, notes)]
}

/** Returns whether a string has at most `count` code points. Schemas also count code points. */
function hasAtMost(text: string, count: number): boolean {
  return text.length <= count || (text.length <= 2 * count && [...text].length <= count)
}

/** Requires a `zip_code` in a user's address, or its alias `zip` (assumption). */
export function checkZipCode(body: unknown): ValidationDetail[] {
  const address = ownValueAt(body, ['address'])
  if (!isObject(address)) return []
  const { zip_code = null, zip } = address
  if (zip_code !== null || typeof zip === 'string') return []
  return [toDetail('missing', ['address', 'zip_code'], 'Field required', null)]
}

export function checkZip(body: unknown, path: Path): ValidationDetail[] {
  const zip = ownValueAt(body, path)
  if (typeof zip !== 'string' || /^\d{5}(-\d{4})?$/.test(zip)) return []
  const msg = 'Input should be a ZIP code such as 85004 or 85004-1234'
  return [toDetail('string_pattern_mismatch', path, msg, zip)]
}

/** Requires a valid date where the specification defines no format (assumption). */
export function checkDate(body: unknown, path: Path): ValidationDetail[] {
  const value = ownValueAt(body, path)
  if (typeof value !== 'string' || z.safeParse(date, value).success) return []
  return [invalidValue({ kind: 'date' }, ['body', ...path], value)]
}

function toDetail(type: string, path: Path, msg: string, input: unknown): ValidationDetail {
  return { type, loc: ['body', ...path], msg, input }
}
