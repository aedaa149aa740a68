import type * as z from 'zod/mini'
import { MockError } from '../errors.ts'
import { checkOptions } from '../state/check-options.ts'
import { momentOf, spanOf } from '../state/clock/time.ts'
import { checkFields, formatValue, invalidOption } from '../state/plain.ts'
import { countSchema } from '../state/records/schemas.ts'
import { namedEffects } from './effect-names.ts'
import type { Fault } from './fault.ts'
import { conditionSchemas, effectSchemas, faultSchema, faultStateSchema } from './fault-schema.ts'
import { operationMatcher } from './operation-pattern.ts'

/** @throws {MockError} `unknown_operation`, `invalid_option`, or `invalid_time` for an invalid time or time span. */
export function checkFault(fault: Fault): void {
  checkFields(fault, Object.keys(faultSchema.shape), 'a fault')
  const { on, when, then } = fault
  operationMatcher(on ?? '*')
  checkTimes(fault)
  // Check against a single member of the union, because the union's own error does not name the invalid field.
  if (when !== undefined) checkMember(when, conditionSchemas, 'fault.when')
  checkMember(then, effectSchemas, 'fault.then', namedEffects)
  checkOptions(faultSchema, fault, 'fault')
}

/** @throws {MockError} `invalid_option` for an invalid list, and the errors of {@link checkFault}. */
export function checkFaultStates(states: unknown, latest: unknown): void {
  checkOptions(countSchema, latest, 'latestFault')
  if (!Array.isArray(states)) throw invalidOption('faults', 'a list', states)
  for (const state of states) {
    checkFault(Object(state).fault)
    checkOptions(faultStateSchema, state, 'the state of a fault')
  }
}

function checkTimes({ during, then }: Fault): void {
  const { latency, retryAfter, rateLimit } = Object(then)
  for (const span of [latency, retryAfter, rateLimit?.per]) if (span !== undefined) spanOf(span)
  const from = during?.from === undefined ? Number.NEGATIVE_INFINITY : momentOf(during.from)
  const until = during?.until === undefined ? Number.POSITIVE_INFINITY : momentOf(during.until)
  if (from < until) return
  throw new MockError(
    'invalid_option',
    `Expected fault.during.from to be before fault.during.until, but got ${formatValue(during)}.`,
  )
}

function checkMember(
  value: unknown,
  schemas: Record<string, z.ZodMiniType>,
  name: string,
  names: readonly string[] = [],
): void {
  if (names.some((known) => known === value)) return
  const keys = Object.keys(schemas)
  const [key = '', ...others] = keys.filter((field) => Object.hasOwn(Object(value), field))
  const schema = schemas[key]
  if (!schema || others.length > 0) {
    const named = names.length > 0 ? `one of ${names.join(', ')}, or ` : ''
    throw new MockError(
      'invalid_option',
      `Expected ${name} to be ${named}an object with exactly one of ${keys.join(', ')}, but got ${formatValue(value)}.`,
    )
  }
  checkOptions(schema, value, name)
}
