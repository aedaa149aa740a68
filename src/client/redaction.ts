import type { Issue } from '../contract/schema-tools/check.ts'
import type { Endpoint } from '../contract/schema-tools/endpoint.ts'
import { pathOf } from '../contract/schema-tools/walk.ts'
import { headers as wireHeaders } from '../contract/wire.ts'
import { readField } from '../shared/own-fields.ts'

/** The error types in the service's 422 details. Any other string may be sensitive data, so it is not printed. */
const detailTypes =
  /^(?:missing|value_error|enum|literal_error|json_invalid|extra_forbidden|(?:string|int|float|bool|uuid|date|datetime|list|dict|model|url|too|greater|less|multiple|finite|union|none|frozen)_[a-z_]{2,40}|too_long|too_short)$/

/**
 * Returns a printable line for each of a 422's first 20 details: the path, with only names from the contract, and the
 * error type.
 */
export function detailLines(endpoint: Endpoint, body: unknown): string[] {
  const detail = readField(body, 'detail')
  if (!Array.isArray(detail)) return []
  return detail.slice(0, 20).map((entry) => {
    const [loc, type] = [readField(entry, 'loc'), readField(entry, 'type')]
    const printedType = typeof type === 'string' && detailTypes.test(type) ? type : 'invalid'
    return `${detailPath(endpoint, loc)} (${printedType})`
  })
}

/** The maximum number of path segments to read; paths in the contract are shorter. */
const maxSegments = 20

function detailPath(endpoint: Endpoint, loc: unknown): string {
  if (!Array.isArray(loc)) return 'request'
  const [place, ...path] = loc
    .slice(0, maxSegments)
    .map((key) => (typeof key === 'number' || typeof key === 'string' ? key : '*'))
  const root = ['body', 'query', 'path'].find((known) => known === place)
  const schema = root === 'body' ? endpoint.body : root === 'query' ? endpoint.query : undefined
  if (root === 'path')
    return `path.${path.length === 1 && isParameter(endpoint, path[0]) ? path[0] : '*'}`
  return root && schema ? pathOf(schema, path, root) : (root ?? 'request')
}

function isParameter(endpoint: Endpoint, name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(endpoint.params ?? {}, name)
}

/** Returns a response's request id. Ignores a value that does not look like an id, because it may be sensitive data. */
export function requestIdOf(headers: Headers): string | undefined {
  const id = headers.get(wireHeaders.requestId) ?? headers.get(wireHeaders.traceResponse)
  return id !== null && /^[\w.:/+=-]{1,128}$/.test(id) ? id : undefined
}

/** Returns an issue's path without array positions, so similar issues are reported once. */
export function removePositions({ path }: Issue): string {
  return path.replace(/\[\d+\]/g, '[]')
}
