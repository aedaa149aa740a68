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
  /** The response status; absent if there was no response. */
  status?: number
  /** Why the response is missing or incomplete; absent if it is complete. */
  failure?: 'refused' | 'lost' | 'cut' | 'disconnected'
  /** The real time from the request to its response, in milliseconds. */
  duration: number
}

/** Returns undefined for a request that only reads the mock's state, such as the inspector's requests. */
export function logEntryOf(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  exchange: ExchangeResult | undefined,
  duration: number,
): HandledRequest | undefined {
  const [path = '/'] = url.split('?')
  if (path.startsWith(rootPath) && ['GET', 'HEAD'].includes(method)) return undefined
  const key = String(headers[wireHeaders.apiKey] ?? '')
  const shown = key === '' ? path : path.replace(keyPattern(key), '…')
  return { method, path: shown, ...resultOf(exchange), duration: Math.round(duration) }
}

/** Matches a key in a path, where any of its characters may be percent-encoded. Node decodes headers as Latin-1. */
function keyPattern(key: string): RegExp {
  const characters = Array.from(key, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0')
    return `(?:\\x${code}|%${code})`
  })
  return new RegExp(characters.join(''), 'gi')
}

function resultOf(exchange: ExchangeResult | undefined): Partial<HandledRequest> {
  if (!exchange) return { failure: 'disconnected' }
  if (exchange.kind !== 'response') return { failure: exchange.kind }
  const { status, cutAfter } = exchange
  return cutAfter === undefined ? { status } : { status, failure: 'cut' }
}
