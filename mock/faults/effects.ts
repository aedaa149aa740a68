import type * as z from 'zod/mini'
import type { Endpoint } from '../../src/contract/schema-tools/endpoint.ts'
import { strictFormOf } from '../../src/contract/schema-tools/schema.ts'
import { definitionInside, unwrap } from '../../src/contract/schema-tools/walk.ts'
import { headers, parquetMediaType } from '../../src/contract/wire.ts'
import { isObject, ownValue } from '../../src/shared/narrow.ts'
import { encodeBody, type SerializedResponse, ServiceResponse } from '../http/response.ts'
import type { TeamClock } from '../state/clock/clock.ts'
import { spanOf } from '../state/clock/time.ts'
import type { DriftEffect } from './effect-names.ts'
import type { StatusEffect } from './fault.ts'
import type { DueEffect } from './faults.ts'

/** The result of a request, as its caller sees it. */
export type ExchangeResult = SerializedResponse | ConnectionFailure

/** A connection that failed before the response arrived. */
export type ConnectionFailure =
  | {
      /** The connection was refused, so the request provably never arrived. */
      kind: 'refused'
    }
  | {
      /** The connection closed before a response arrived. */
      kind: 'lost'
    }

/** An effect that changes the response after the service has handled the request. */
type ResponseEffect = 'lose_response' | 'cut_mid_body' | 'malformed_json' | { drift: DriftEffect }

type Latency = Extract<DueEffect, { latency: unknown }>

/** An effect that prevents the service from handling the request. */
type Replacement = Exclude<DueEffect, ResponseEffect | Latency>

/** All effects on one request, combined. */
export interface FaultPlan {
  /** The total latency in milliseconds of virtual time. */
  latency: number
  instead?: Replacement
  after: ResponseEffect[]
}

/**
 * Combines effects. Latencies add up. The first effect that bypasses the service suppresses all other effects except
 * latency.
 */
export function planEffects(effects: DueEffect[]): FaultPlan {
  const plan: FaultPlan = { latency: 0, after: [] }
  for (const effect of effects) {
    if (isLatency(effect)) plan.latency += spanOf(effect.latency)
    else if (isResponseEffect(effect)) plan.after.push(effect)
    else plan.instead ??= effect
  }
  return plan.instead ? { ...plan, after: [] } : plan
}

function isLatency(effect: DueEffect): effect is Latency {
  return typeof effect === 'object' && 'latency' in effect
}

function isResponseEffect(effect: DueEffect): effect is ResponseEffect {
  if (typeof effect === 'object') return 'drift' in effect
  return effect === 'lose_response' || effect === 'cut_mid_body' || effect === 'malformed_json'
}

export async function waitForLatency(
  { latency }: FaultPlan,
  clock: TeamClock,
  signal: AbortSignal | undefined,
): Promise<void> {
  await clock.wait(() => false, { until: clock.moment + latency, signal })
}

export async function respondInstead(
  effect: Replacement,
  now: number,
): Promise<ServiceResponse | ConnectionFailure> {
  if (effect === 'refuse_connection') return { kind: 'refused' }
  if (effect === 'cut_before_response') return { kind: 'lost' }
  if (effect === 'html') return new ServiceResponse(200, signInPage, 'text/html')
  if ('redirect' in effect) {
    return new ServiceResponse(307, '', 'text/plain', { location: effect.redirect })
  }
  if ('archive' in effect) {
    const { corruptArchive } = await import('./corrupt-archive.ts')
    return new ServiceResponse(200, await corruptArchive(effect.archive), parquetMediaType)
  }
  return statusResponse(effect, now)
}

const signInPage =
  '<!doctype html><html><head><title>Sign in</title></head><body>Sign in to continue.</body></html>'

function statusResponse(effect: StatusEffect, now: number): ServiceResponse {
  const { status, retryAfter, retryAfterAs } = effect
  const { body = { detail: `Status ${status}, injected by a fault in the mock` } } = effect
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  if (retryAfter === undefined) return new ServiceResponse(status, body, type)
  const seconds = Math.ceil(spanOf(retryAfter) / 1000)
  const value =
    retryAfterAs === 'date' ? new Date(now + seconds * 1000).toUTCString() : String(seconds)
  return new ServiceResponse(status, body, type, { [headers.retryAfter]: value })
}

export function applyDrifts(
  effects: ResponseEffect[],
  response: ServiceResponse,
  { responses }: Endpoint,
): ServiceResponse {
  const schema = responses[response.status]
  const drifts = effects.filter((effect) => typeof effect === 'object')
  if (drifts.length === 0 || schema === undefined || schema === 'binary') return response
  const names = drifts.map(({ drift }) => drift)
  return addDrifts(names, schema, response)
}

/** Applies the effects that lose, cut or corrupt the serialized response. */
export function distort(effects: ResponseEffect[], response: SerializedResponse): ExchangeResult {
  if (effects.length === 0) return response
  if (effects.includes('lose_response')) return { kind: 'lost' }
  const bytes = encodeBody(response.body)
  const body = effects.includes('malformed_json') ? bytes.slice(0, bytes.length >> 1) : bytes
  const headers = { ...response.headers, 'content-length': String(body.length) }
  const cut = effects.includes('cut_mid_body') ? { cutAfter: body.length >> 1 } : {}
  return { ...response, headers, body, ...cut }
}

const unknownValue = 'not_yet_specified'

const extraField = { not_yet_specified: { since: 'a later version' } }

function addDrifts(
  drifts: readonly DriftEffect[],
  schema: z.ZodMiniType,
  { status, body, type, headers }: ServiceResponse,
): ServiceResponse {
  const drifted = drifts.reduce((value, drift) => addDrift(drift, schema, value), body)
  return new ServiceResponse(status, drifted, type, headers)
}

function addDrift(drift: DriftEffect, schema: z.ZodMiniType, value: unknown): unknown {
  const strict = strictFormOf(schema)
  if (strict?.kind === 'value') return drift === 'unknown_values' ? unknownValue : value
  const def = definitionInside(strict?.schema ?? schema)
  if (Array.isArray(value)) {
    const { element } = def
    return element ? value.map((item) => addDrift(drift, element, item)) : value
  }
  if (!isObject(value)) return value
  if (def.shape) return addDriftToObject(drift, def.shape, value)
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
