import type * as z from 'zod/mini'
import { type Definition, unwrap } from '../../src/contract/schema/definition.ts'
import { strictFormOf } from '../../src/contract/schema/schema.ts'
import { ownValue } from '../base/object.ts'
import { ServiceResponse } from '../base/response.ts'
import type { DriftEffect } from './effect-names.ts'

/** A value that no enumeration of the specification lists. */
const unknownValue = 'not_yet_specified'

/** A field that no object of the specification has. */
const extraField = { not_yet_specified: { since: 'a later version' } }

/** Returns a response with drifts in every place where its schema accepts them. */
export function addDrifts(
  drifts: readonly DriftEffect[],
  schema: z.ZodMiniType,
  { status, body, type, headers }: ServiceResponse,
): ServiceResponse {
  const drifted = drifts.reduce((value, drift) => addDrift(drift, schema, value), body)
  return new ServiceResponse(status, drifted, type, headers)
}

/** Returns a copy of a value with a drift. */
function addDrift(drift: DriftEffect, schema: z.ZodMiniType, value: unknown): unknown {
  const strict = strictFormOf(schema)
  if (strict?.kind === 'value') return drift === 'unknown_values' ? unknownValue : value
  const def = unwrap(strict?.schema ?? schema)?._zod.def as Definition | undefined
  if (Array.isArray(value)) {
    const { element } = def ?? {}
    return element ? value.map((item) => addDrift(drift, element, item)) : value
  }
  if (typeof value !== 'object' || value === null || !def) return value
  if (def.shape) return addDriftToObject(drift, def.shape, value as Record<string, unknown>)
  const [member] = def.options ?? []
  return member ? addDrift(drift, member, value) : value
}

function addDriftToObject(
  drift: DriftEffect,
  shape: Record<string, z.ZodMiniType>,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const schema = ownValue(shape, name)
    if (!schema || inner === undefined) return [[name, inner]]
    if (drift === 'nulls' && accepts(schema, null)) return [[name, null]]
    if (drift === 'missing_fields' && accepts(schema, undefined)) return []
    return [[name, addDrift(drift, unwrap(schema) ?? schema, inner)]]
  })
  return { ...Object.fromEntries(fields), ...(drift === 'extra_fields' ? extraField : {}) }
}

function accepts(schema: z.ZodMiniType, value: null | undefined): boolean {
  return schema.safeParse(value).success
}
