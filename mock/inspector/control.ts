import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { apiPath, tokenHeader } from '../control/paths.ts'

/** Asks the control API: `ask('POST /clock/advance', { by: '15m' })`. What it answers is for whoever asks to say. */
export type Ask = <T>(route: string, body?: object) => Promise<T>

/** What the control API, or the service, did not do, in its own words. */
export class Refused extends Error {
  /** 0 when nothing answers. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Asks for the team of a key; without one, only for what needs none. */
export function asking(token: string, apiKey?: string): Ask {
  const headers = {
    ...(token ? { [tokenHeader]: token } : {}),
    ...(apiKey ? { [wireHeaders.apiKey]: apiKey } : {}),
  }
  return (route, body) => called(apiPath, route, headers, body)
}

/** Asks the service itself, as a client of the team would. */
export function askingService(apiKey: string): Ask {
  return (route, body) => called('', route, { [wireHeaders.apiKey]: apiKey }, body)
}

async function called<T>(
  base: string,
  route: string,
  headers: Record<string, string>,
  body: object | undefined,
): Promise<T> {
  const [method = '', path = ''] = route.split(' ')
  const sent = body ? { body: JSON.stringify(body) } : {}
  const type = body ? { 'content-type': 'application/json' } : {}
  const request = { method, headers: { ...headers, ...type }, ...sent }
  const response = await fetch(base + path, request).catch(() => undefined)
  if (!response) throw new Refused(0, 'The server does not answer.')
  const text = await response.text().catch(() => '')
  if (!response.ok) throw new Refused(response.status, reasonOf(response.status, text))
  try {
    // Without a body nothing is answered, and nobody asks for it.
    return (text === '' ? undefined : JSON.parse(text)) as T
  } catch {
    throw new Refused(response.status, `Status ${response.status}, with a body that is no JSON.`)
  }
}

/** What a refusal says, whatever it looks like. */
function reasonOf(status: number, text: string): string {
  const { detail } = Object(parsed(text)) as { detail?: unknown }
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return `Status ${status}.`
  return detail.map(({ loc, msg }) => `${[loc].flat().join('.')}: ${msg}`).join('; ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
