import type { Answer } from './service.ts'

/** A statement of the specification that does not hold. */
export class Unmet extends Error {}

/** A case that this service cannot be asked, for a reason that only shows on the way. */
export class NotApplicable extends Error {}

/** @throws {Unmet} unless it holds; `says` tells what was expected. */
export function that(holds: boolean, says: string): asserts holds {
  if (!holds) throw new Unmet(says)
}

/** @throws {Unmet} unless both are the same JSON. */
export function same(found: unknown, expected: unknown, place: string): void {
  if (JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected))) return
  throw new Unmet(`Expected ${place} to be ${shown(expected)}, found ${shown(found)}.`)
}

/** @throws {Unmet} unless the call succeeded; without a status any of 200 to 299 will do. */
export function succeeded(answer: Answer, status?: number): Answer {
  const { status: found, operation } = answer
  const wanted = status === undefined ? found >= 200 && found < 300 : found === status
  that(wanted, `Expected ${operation} to answer ${status ?? 'success'}, found status ${found}.`)
  return answer
}

/** @throws {Unmet} unless the call was refused; which of 400 to 499 says so is not shown in the specification. */
export function refused({ status, operation }: Answer, what: string): void {
  const wanted = status >= 400 && status < 500
  that(wanted, `Expected ${operation} to refuse ${what}, found status ${status}.`)
}

const word = /^[A-Za-z][A-Za-z0-9_]{0,40}$/

/** A value as a message may show it: numbers and single words as they are, everything else by its kind. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return word.test(value) ? `'${value}'` : `a text of ${value.length} characters`
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Objects with their fields in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]))
}
