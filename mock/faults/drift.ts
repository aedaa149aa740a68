import type * as z from 'zod/mini'
import { type Definition, unwrap } from '../../src/contract/schema/definition.ts'
import { strictFormOf } from '../../src/contract/schema/schema.ts'
import type { Drift } from './effect-names.ts'

/** A value that an enumeration of the specification does not list. */
const unknownValue = 'not_yet_specified'

/** A field that no object of the specification has. */
const extraField = { not_yet_specified: { since: 'a later version' } }

/** An answer that departs from the specification as far as the contract lets it, in every place. */
export function drifted(drift: Drift, schema: z.ZodMiniType, value: unknown): unknown {
  const told = strictFormOf(schema)
  if (told?.kind === 'value') return drift === 'unknown_values' ? unknownValue : value
  const def = (told ? unwrap(told.schema) : unwrap(schema))?._zod.def as Definition | undefined
  if (Array.isArray(value)) {
    const { element } = def ?? {}
    return element ? value.map((item) => drifted(drift, element, item)) : value
  }
  if (typeof value !== 'object' || value === null || !def) return value
  if (def.shape) return driftedObject(drift, def.shape, value as Record<string, unknown>)
  const option = def.options?.find((candidate) => candidate)
  return option ? drifted(drift, option, value) : value
}

function driftedObject(
  drift: Drift,
  shape: Record<string, z.ZodMiniType>,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!schema || inner === undefined) return [[name, inner]]
    if (drift === 'nulls' && accepts(schema, null)) return [[name, null]]
    if (drift === 'missing_fields' && accepts(schema, undefined)) return []
    return [[name, drifted(drift, unwrapped(schema), inner)]]
  })
  const drifting = Object.fromEntries(fields)
  return drift === 'extra_fields' ? { ...drifting, ...extraField } : drifting
}

function unwrapped(schema: z.ZodMiniType): z.ZodMiniType {
  return unwrap(schema) ?? schema
}

function accepts(schema: z.ZodMiniType, value: null | undefined): boolean {
  return schema.safeParse(value).success
}
