import type { IncomingMessage } from 'node:http'
import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { rootPath } from '../control/paths.ts'
import type { ExchangeResult } from '../faults/effects.ts'

/** A log entry for a handled request. It contains no API key, query or body. */
export interface HandledRequest {
  /** The HTTP method. */
  method: string
  /** The path, including ids. */
  path: string
  /** The response status. Omitted if there was no response. */
  status?: number
  /** Why the response is missing or incomplete. Omitted for a complete response. */
  failure?: 'refused' | 'lost' | 'cut' | 'disconnected'
  /** The real time from the request to its response, in milliseconds. */
  duration: number
}

/**
 * Returns the log entry for a request. Returns undefined for GET and HEAD requests to `/__mock__`, such as the
 * inspector's.
 */
export function logEntryOf(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  exchange: ExchangeResult | undefined,
  duration: number,
): HandledRequest | undefined {
  const [path = '/'] = url.split('?')
  if (path.startsWith(rootPath) && ['GET', 'HEAD'].includes(method)) return undefined
  const key = String(headers[wireHeaders.apiKey] ?? '')
  const shown = key === '' ? path : withoutKey(path, key)
  return { method, path: shown, ...resultOf(exchange), duration: Math.round(duration) }
}

/**
 * Hides the key in a path, even if some of the key's characters are percent-encoded. A key that itself contains an
 * escape is hidden only if the escape is not encoded again. Node decodes headers as Latin-1.
 */
function withoutKey(path: string, key: string): string {
  const parts = path.match(/%[\da-f]{2}|[\s\S]/gi) ?? []
  const shown = [...hideMatches(parts, parts.map(decodePart), key)]
  return hideMatches(shown, shown, key)
}

function decodePart(part: string): string {
  return part.length === 1 ? part : String.fromCharCode(Number(`0x${part.slice(1)}`))
}

/**
 * Replaces each occurrence of the key with an ellipsis, ignoring case. Does not build a pattern from the key, because a
 * pattern for a long key can overflow the stack or take seconds to match.
 */
function hideMatches(parts: readonly string[], characters: readonly string[], key: string): string {
  const text = characters.join('').toLowerCase()
  const wanted = key.toLowerCase()
  let shown = ''
  let from = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, from)) {
    shown += `${parts.slice(from, at).join('')}…`
    from = at + wanted.length
  }
  return shown + parts.slice(from).join('')
}

function resultOf(exchange: ExchangeResult | undefined): Partial<HandledRequest> {
  if (!exchange) return { failure: 'disconnected' }
  if (exchange.kind !== 'response') return { failure: exchange.kind }
  const { status, cutAfter } = exchange
  return cutAfter === undefined ? { status } : { status, failure: 'cut' }
}
