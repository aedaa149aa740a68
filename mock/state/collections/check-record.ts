import { check } from '../../../src/contract/schema-tools/check.ts'
import { definitionInside } from '../../../src/contract/schema-tools/walk.ts'
import { isObject } from '../../../src/shared/narrow.ts'
import { MockError } from '../../errors.ts'
import { checkFields } from '../plain.ts'
import { definitions } from '../records/definitions.ts'
import type { CollectionName } from '../records/paths.ts'

export type RecordCall = 'create' | 'update' | 'put'

/**
 * Checks a record's fields. Unknown fields are invalid, because a misspelled field would otherwise be ignored.
 *
 * @param isStrict Whether the values must also be valid.
 * @throws {MockError} `invalid_option` for an unknown or invalid field. The message names the field.
 */
export function checkRecord(
  name: CollectionName,
  call: RecordCall,
  input: unknown,
  isStrict: boolean,
): void {
  const { record, input: creation } = definitions[name]
  const schema = call === 'create' ? creation : record
  const place = `${name}.${call}`
  checkFields(input, Object.keys(schema.shape), `the input of ${place}`)
  // `checkFields` has checked that the input is an object. Check only the given fields, because a test may create a
  // million users.
  const fields = Object.entries(Object(input))
  for (const [field, value] of fields) {
    const { shape, catchall } = definitionInside(schema.shape[field])
    if (!shape || catchall || !isObject(value)) continue
    checkFields(value, Object.keys(shape), `${field} of ${place}`)
  }
  if (!isStrict) return
  const changes = () =>
    fields.flatMap(([field, value]) => check(schema.shape[field] ?? record, value, field))
  const [issue] = call === 'update' ? changes() : check(schema, input)
  if (!issue) return
  const { path, expected } = issue
  throw new MockError('invalid_option', `Expected ${path} of ${place} to be ${expected}.`)
}

export function keyInUse(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot create ${key} in ${name}: the key is in use. Update the existing record, or delete it first.`,
  )
}

export function changedKey(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot change the key ${key} of a record in ${name}. Delete the record and create a new one.`,
  )
}

export function unknownRecord(key: string, name: string): MockError {
  return new MockError(
    'unknown_record',
    `No record in ${name} has the key ${key}. Use a key from list().`,
  )
}

export function mismatchedKeys(name: string): MockError {
  return new MockError('invalid_state', `The keys in ${name} do not match the records.`)
}
