import { MockError } from '../../errors.ts'

export function keyInUse(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot create ${key} in ${name}: the key is in use. Update or delete that record instead.`,
  )
}

export function changedKey(key: string, name: string): MockError {
  return new MockError(
    'invalid_state',
    `Cannot change the key of ${key} in ${name}. Delete the record and create a new one.`,
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
