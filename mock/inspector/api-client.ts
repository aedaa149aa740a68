import { headers as headerNames } from '../../src/contract/wire.ts'
import { apiPath, tokenHeader } from '../control/paths.ts'

/** Sends a request, such as `send('POST /clock/advance', { by: '15m' })`. The caller states the type of the response. */
export type Send = <T>(route: string, body?: object) => Promise<T>

/** Thrown when a request fails. */
export class RequestError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns the client of the control API, for the team of a key or for the server as a whole. */
export function controlClient(token: string, apiKey?: string): Send {
  const headers = {
    ...(token ? { [tokenHeader]: token } : {}),
    ...(apiKey ? { [headerNames.apiKey]: apiKey } : {}),
  }
  return (route, body) => sendRequest(route, headers, body)
}

async function sendRequest<T>(
  route: string,
  headers: Record<string, string>,
  body: object | undefined,
): Promise<T> {
  const [method = '', path = ''] = route.split(' ')
  const content = body && { body: JSON.stringify(body) }
  const type = body && { 'content-type': 'application/json' }
  const request = { method, headers: { ...headers, ...type }, ...content }
  const response = await fetch(apiPath + path, request).catch(() => undefined)
  if (!response) throw new RequestError(0, 'The server does not respond.')
  const text = await response.text().catch(() => '')
  if (!response.ok) throw new RequestError(response.status, reasonOf(response.status, text))
  // The caller knows what the operation returns; without a body, it is undefined.
  if (text === '') return undefined as T
  const value = parseJson(text)
  if (value !== undefined) return value as T
  throw new RequestError(
    response.status,
    `The body of the response (${response.status}) is not JSON.`,
  )
}

/** Returns the message of an error response. */
function reasonOf(status: number, text: string): string {
  const { detail } = Object(parseJson(text)) as { detail?: unknown }
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return `The request failed with status ${status}.`
  return detail.map(({ loc, msg }) => `${[loc].flat().join('.')}: ${msg}`).join('; ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
