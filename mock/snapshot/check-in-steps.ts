import type * as z from 'zod/mini'
import { check } from '../../src/contract/schema-tools/check.ts'
import { isObject } from '../../src/contract/schema-tools/object.ts'
import { definitionInside } from '../../src/contract/schema-tools/walk.ts'
import { deepFreeze } from '../shared/freeze.ts'

/** How many nesting levels are checked item by item. A snapshot's records are on the last of these levels. */
const steppedLevels = 3

/**
 * Checks a value against a schema and freezes it. Yields after each item in the first {@link steppedLevels} levels.
 *
 * @param path The value's path in error messages.
 * @throws {Error} with the path of the first invalid value.
 */
export function* checkInSteps(
  schema: z.ZodMiniType,
  value: unknown,
  path: string,
  level = 0,
): Generator<void, void> {
  const { type, element, shape } = level < steppedLevels ? definitionInside(schema) : {}
  if (type === 'array' && element && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* checkInSteps(element, item, `${path}[${index}]`, level + 1)
    }
  } else if (type === 'object' && shape && isObject(value)) {
    for (const [name, field] of Object.entries(shape)) {
      yield* checkInSteps(field, value[name], `${path}.${name}`, level + 1)
    }
  } else {
    const [issue] = check(schema, value, path)
    if (issue) throw new Error(`Expected ${issue.path} to be ${issue.expected}.`)
    deepFreeze(value)
    yield
  }
}
