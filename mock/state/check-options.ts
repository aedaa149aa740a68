import * as z from 'zod/mini'
import { issuesOf } from '../../src/contract/schema/check.ts'
import { namesAt } from '../../src/contract/schema/definition.ts'
import { suggestName } from '../../src/contract/schema/nearest.ts'
import { MockError } from '../errors.ts'
import { formatValue } from './plain.ts'

/**
 * Checks options against their schema.
 *
 * @param name The name of the options in messages.
 * @throws {MockError} `invalid_option` for an unknown name or an invalid value.
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, name: string): void {
  // Options are checked once, so code that zod would generate for them takes longer than it saves.
  const { error } = z.safeParse(schema, options, { jitless: true })
  if (!error) return
  checkNames(error, schema, name)
  const [{ path, expected } = { path: name, expected: 'valid' }] = issuesOf(schema, options, name)
  throw new MockError(
    'invalid_option',
    `Expected ${path} to be ${expected}${foundAt(path.slice(name.length), options)}.`,
  )
}

function checkNames({ issues }: z.core.$ZodError, schema: z.ZodMiniType, name: string): void {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const [unknown = ''] = issue.keys
    const path = [name, ...issue.path, unknown].join('.')
    const advice = suggestName(unknown, namesAt(schema, issue.path))
    throw new MockError('invalid_option', `Unknown option '${path}'. ${advice}`)
  }
}

/** Returns what was found at a path; an empty string for a path with `*`, which replaces a key that the user chose. */
function foundAt(path: string, options: unknown): string {
  if (path.includes('*')) return ''
  const keys = path.split(/[.[\]]+/).filter(Boolean)
  const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], options)
  return `, but got ${formatValue(value)}`
}
