import { nearest } from '../../src/contract/schema-tools/nearest.ts'
import { familyOf, knownEventTypes } from '../../src/contract/values/event-types.ts'
import { MockError } from '../errors.ts'
import { typeMatcher } from './type-pattern.ts'

export const exhaustedType = 'message.attempt.exhausted'

/** @throws {MockError} `invalid_option` if the type is unknown to this version of the package. */
export function checkEventType(type: string): void {
  if (familyOf(type)) return
  throw unknownType(type, 'Set unknown: true to trigger it anyway.')
}

/** @throws {MockError} `invalid_option` if the pattern matches no known type. */
export function checkTypePattern(pattern: string): void {
  if ([...knownEventTypes, exhaustedType].some(typeMatcher(pattern))) return
  throw unknownType(pattern, "Use '*' to receive types unknown to this version.")
}

function unknownType(type: string, advice: string): MockError {
  const similar = nearest(type, knownEventTypes)
  const message = `Unknown event type '${type}'. Did you mean ${similar}? ${advice}`
  return new MockError('invalid_option', message)
}
