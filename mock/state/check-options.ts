import type * as z from 'zod/mini'
import { issuesOf } from '../../src/contract/schema/check.ts'
import { MockError } from '../errors.ts'
import { formatValue } from './plain.ts'

/**
 * Checks options against their schema.
 *
 * @param name The name of the options in messages.
 * @throws {MockError} `invalid_option` if a value is invalid.
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, name: string): void {
  const [issue] = issuesOf(schema, options, name)
  if (!issue) return
  const keys = issue.path
    .slice(name.length)
    .split(/[.[\]]+/)
    .filter(Boolean)
  const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], options)
  throw new MockError(
    'invalid_option',
    `Expected ${issue.path} to be ${issue.expected}, but got ${formatValue(value)}.`,
  )
}
