import { isObject } from '../../../src/shared/narrow.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import { byteLength } from '../../http/response.ts'
import { mapValues } from '../../shared/lists.ts'

/** Rewrites the JSON body of a successful response. Other results are unchanged. */
export function rewriteBody(
  result: ExchangeResult,
  rewrite: (body: Record<string, unknown>) => unknown,
): ExchangeResult {
  if (result.kind !== 'response' || result.status >= 300) return result
  const parsed = parseObject(result.body)
  if (!parsed) return result
  const body = JSON.stringify(rewrite(parsed))
  const headers = { ...result.headers, 'content-length': String(byteLength(body)) }
  return { ...result, headers, body }
}

/** Rewrites the objects in a JSON value, inner objects first. */
export function rewriteObjects(
  value: unknown,
  rewrite: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteObjects(item, rewrite))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    rewriteObjects(inner, rewrite),
  ])
  return rewrite(Object.fromEntries(fields))
}

/** Returns the JSON object in a body, or undefined for any other body, such as a Parquet archive. */
function parseObject(body: string | Uint8Array): Record<string, unknown> | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined
  const value: unknown = JSON.parse(body)
  return isObject(value) ? value : undefined
}

/** Numbers that programs often handle badly. The specification does not define bounds for measured values. */
const extremes = [0, -1, 1e15, 0.1 + 0.2]

/** Replaces a number with the extreme number that `place` selects. Other values are unchanged. */
export function extremeNumber(value: unknown, place: number): unknown {
  return typeof value === 'number' ? extremes[place % extremes.length] : value
}

export function withExtremeNumbers(
  fields: Readonly<Record<string, unknown>>,
  kept: RegExp,
): Record<string, unknown> {
  return mapValues(fields, (value, name, place) =>
    kept.test(name) ? value : extremeNumber(value, place),
  )
}
