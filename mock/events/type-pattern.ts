import { nearest } from '../../src/contract/schema-tools/nearest.ts'
import { familyOf, knownEventTypes } from '../../src/contract/values/event-types.ts'
import { MockError } from '../errors.ts'
import { invalidOption } from '../state/plain.ts'

/**
 * Returns a function that matches event types. In the pattern, `*` matches any string.
 *
 * @throws {MockError} `invalid_option` if the pattern is not a string.
 */
export function typeMatcher(pattern: string): (type: string) => boolean {
  if (typeof pattern !== 'string') {
    throw invalidOption('the event type', 'a string', pattern)
  }
  if (pattern === '*') return () => true
  const [start = '', ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined) return (type) => type === pattern
  return (type) => matches(type, start, parts, end)
}

function matches(type: string, start: string, parts: readonly string[], end: string): boolean {
  const last = type.length - end.length
  if (last < start.length || !type.startsWith(start) || !type.endsWith(end)) return false
  let from = start.length
  // Taking the first match of each part leaves the most characters for later parts, so one pass is enough.
  for (const part of parts) {
    const index = type.indexOf(part, from)
    if (index === -1) return false
    from = index + part.length
  }
  return from <= last
}

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
