import { isMockError } from '../shared/mock-errors.ts'
import { ExpectationError } from './assertions.ts'
import { keyHeader, type ReadResponse, type Route, readResponse } from './operations.ts'

/** How to call a service. */
export interface ServiceTarget {
  /** The base URL to which paths are appended. */
  baseUrl: string
  /** The team's API key. */
  apiKey: string
  /** The `fetch` function that sends requests. */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
  /** The time limit for one call, in milliseconds. */
  timeout: number
}

export interface RequestFields {
  /** Path parameters by name, not yet encoded. */
  params?: Record<string, string>
  /** Query parameters by name, not yet encoded. */
  query?: Record<string, string | number>
  /** The body, which is sent as JSON. A string is sent unchanged. */
  body?: unknown
  /** Additional headers, which can override the key and the content type. */
  headers?: Record<string, string>
}

export function sendRequest(
  connection: ServiceTarget,
  route: Route,
  { params = {}, query = {}, body, headers }: RequestFields = {},
): Promise<ReadResponse> {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))
  const base = connection.baseUrl.replace(/\/+$/, '')
  const url = `${base}${path}${search.size > 0 ? `?${search}` : ''}`
  const hasBody = body !== undefined
  return fetchResponse(connection, route, url, {
    method,
    headers: {
      [keyHeader]: connection.apiKey,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
}

/** Sends a request, without adding the API key, and reads the response. */
export async function fetchResponse(
  { fetch, timeout }: ServiceTarget,
  operation: string,
  url: string,
  init: RequestInit = {},
): Promise<ReadResponse> {
  const signal = AbortSignal.timeout(timeout)
  try {
    // Do not follow redirects, because they could send the key to another origin.
    return await readResponse(operation, await fetch(url, { ...init, signal, redirect: 'manual' }))
  } catch (error) {
    if (isMockError(error)) throw error
    // Omit the error message, which may contain the URL.
    const name = error instanceof Error ? error.name : 'an error'
    throw new ExpectationError(
      `Expected ${operation} to respond, but found ${name} instead of a response.`,
    )
  }
}

/** Returns a target that sends the given headers instead of the API key. */
export function withoutKey(
  connection: ServiceTarget,
  replacements: Record<string, string>,
): ServiceTarget {
  return {
    ...connection,
    fetch: (input, init = {}) => {
      const others = Object.entries({ ...init.headers }).filter(([name]) => name !== keyHeader)
      // Unlike `Headers`, a plain object preserves the case of header names.
      const headers = { ...Object.fromEntries(others), ...replacements }
      return connection.fetch(input, { ...init, headers })
    },
  }
}
