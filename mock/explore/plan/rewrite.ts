import { isObject } from '../../../src/contract/schema-tools/object.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import { byteLength } from '../../http/response.ts'

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
