import { headers as headerNames } from '../../src/contract/wire.ts'
import type { AnyInput, ControlArguments, ControlOutput, Send } from '../control/api.ts'
import { apiPath, tokenHeader } from '../control/paths.ts'
import { addressOf, type ControlId, routeOf } from '../control/routes.ts'

/** A summary of a team. The counts show whether the team has changed. */
export type Pulse = ControlOutput<'pulse'>
export type ListedTeam = ControlOutput<'teams.list'>[number]
export type JournalSummary = ControlOutput<'journal.summaries'>[number]
/** A bulk import without its user ids. */
export type BulkOpSummary = ControlOutput<'bulkOps.summaries'>[number]

export class RequestError extends Error {
  /** The HTTP status, or 0 if there is no response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns a control API client for the team with this key, or for the whole server if the key is omitted. */
export function controlClient(token: string, apiKey?: string): Send {
  const headers = {
    ...(token ? { [tokenHeader]: token } : {}),
    ...(apiKey ? { [headerNames.apiKey]: apiKey } : {}),
  }
  return async <Id extends ControlId>(id: Id, ...[input]: ControlArguments<Id>) =>
    // The server that served this page supports exactly these operations.
    (await sendRequest(id, headers, input ?? {})) as ControlOutput<Id>
}

async function sendRequest(
  id: ControlId,
  headers: Record<string, string>,
  { body, ...address }: AnyInput,
): Promise<unknown> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const request = { method: routeOf(id).method, headers: { ...headers, ...type }, ...content }
  const response = await fetch(apiPath + addressOf(id, address), request).catch(() => undefined)
  if (!response) throw new RequestError(0, 'The server is not responding.')
  const text = await response.text().catch(() => '')
  if (!response.ok) throw new RequestError(response.status, reasonOf(response.status, text))
  if (text === '') return undefined
  const value = parseJson(text)
  if (value !== undefined) return value
  throw new RequestError(
    response.status,
    `The body of the ${response.status} response is not JSON.`,
  )
}

function reasonOf(status: number, text: string): string {
  const { detail }: { detail?: unknown } = Object(parseJson(text))
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
