import { MockError } from '../../errors.ts'

/** Returns the error of a record whose key is in use. */
export function keyInUse(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot create ${key} in ${name}: the key is in use. Update or delete that record instead.`,
  )
}

/** Returns the error of a change of a key. */
export function changedKey(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot change the key of ${key} in ${name}. Delete the record and create a new one.`,
  )
}

/** Returns the error of a key that no record has. */
export function unknownRecord(key: string, name: string): MockError {
  return new MockError(
    'unknown_record',
    `No record in ${name} has the key ${key}. Use a key from list().`,
  )
}

/** Returns the error of a snapshot whose keys are not those of its records. */
export function mismatchedKeys(name: string): MockError {
  return new MockError('invalid_state', `The keys in ${name} do not match the records.`)
}
