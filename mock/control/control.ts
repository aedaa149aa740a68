import { createHash, timingSafeEqual } from 'node:crypto'
import type { Definition } from '../../src/contract/schema/definition.ts'
import { isObject } from '../base/object.ts'
import { Refusal, unprocessable, type ValidationDetail } from '../base/refusal.ts'
import { type SerializedResponse, ServiceResponse, serializeResponse } from '../base/response.ts'
import { MockError, type MockErrorCode } from '../errors.ts'
import { type ParsedRequest, parseRequest } from '../http/parse-request.ts'
import { Router } from '../http/router.ts'
import { findDetails, mostDetails } from '../http/validation.ts'
import type { Mock } from '../mock.ts'
import type { Team } from '../team.ts'
import type { ControlOperation } from './endpoint.ts'
import { operations } from './operations.ts'
import type { Target } from './target.ts'
import { listedTeams, teamsEndpoint } from './teams.ts'

/** A request below `/__mock__/`. */
export interface ControlRequest extends Target {
  text: string | undefined
  /** Whether it comes from this very machine. */
  isLocal: boolean
}

/** What is controlled, and who may. */
export interface Controlled {
  mock: Mock
  url: string
  strictKeys: boolean
  token?: string
}

/** Where the inspector is. */
const pagePath = '/__mock__/'

/** Where the control API begins. */
export const apiPath = '/__mock__/api'

/** What is told about the server as a whole, and needs no team. */
const documents = new Map<string, (controlled: Controlled) => Promise<object>>([
  [
    '/__mock__/openapi.json',
    async ({ url }) => (await import('../../src/openapi/document.ts')).openApi({ url }),
  ],
  [
    `${apiPath}/openapi.json`,
    async ({ url }) => (await import('./document.ts')).controlDocument(url + apiPath),
  ],
  [apiPath + teamsEndpoint.path, async ({ mock }) => listedTeams(mock)],
])

const router = new Router<ControlOperation>(operations)

/** Answers a request of the control API. */
export async function control(
  request: ControlRequest,
  controlled: Controlled,
): Promise<SerializedResponse> {
  return serializeResponse(await answerTo(request, controlled).catch(failed), 'req_0')
}

async function answerTo(request: ControlRequest, controlled: Controlled): Promise<ServiceResponse> {
  const page = request.method === 'GET' && (await pageAt(request.path))
  if (page) return page
  admit(request, controlled)
  const document = documents.get(request.path)
  if (document && request.method === 'GET') return json(await document(controlled))
  const path = request.path.startsWith(`${apiPath}/`) ? request.path.slice(apiPath.length) : ''
  const match = router.match(request.method, path, '')
  if (!match) throw new Refusal(404, `Not found; the nearest is ${nearest(request.method, path)}`)
  const { endpoint, run } = match.route
  const team = teamOf(request, controlled)
  // Where everything in a body may be left out, so may the body.
  const text = endpoint.body ? request.text || '{}' : undefined
  const said = parseRequest(endpoint, match.params, request.search, text)
  check(match.route, said, request.search)
  // The request was held against the endpoint whose types the operation has.
  const asked = said as unknown as Parameters<typeof run>[1]
  const result = await run(team, asked)
  return result === undefined ? new ServiceResponse(204, '', 'text/plain') : json(result)
}

/** The inspector's page. By itself it shows nothing, so that everybody may have it: it asks for the token. */
async function pageAt(path: string): Promise<ServiceResponse | undefined> {
  if (`${path}/` === pagePath)
    return new ServiceResponse(307, '', 'text/plain', { location: pagePath })
  if (path !== pagePath) return undefined
  const { inspectorPage } = await import('../inspector/page.ts')
  const { html, policy } = await inspectorPage()
  return new ServiceResponse(200, html, 'text/html; charset=utf-8', {
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
}

/**
 * Lets in whoever knows the token; without one, this machine only. A page of another origin never gets in, not even by
 * a name that it makes stand for this machine.
 */
function admit({ headers, isLocal }: ControlRequest, { token }: Controlled): void {
  if (token !== undefined && !isSame(headers['x-mock-token'] ?? '', token)) {
    throw new Refusal(401, 'Expected the control token in the header x-mock-token')
  }
  if (token === undefined && !(isLocal && isLocalName(headers.host ?? ''))) {
    throw new Refusal(403, 'Only this machine may control the mock; give the server a token')
  }
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
  if (!isOwn || !['none', 'same-origin'].includes(site)) {
    throw new Refusal(403, 'Pages of other origins may not control the mock')
  }
}

/** Takes equally long, wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

function isLocalName(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host)
}

function nearest(method: string, path: string): string {
  const [verb, template] = router.nearest(method, path).split(' ')
  return `${verb} ${apiPath}${template}`
}

function teamOf({ headers }: ControlRequest, { mock, strictKeys }: Controlled): Team {
  const key = headers['x-service-api-key']
  const team = key && (strictKeys ? mock.teamOf(key) : mock.visit(key))
  if (!team) throw new Refusal(401, "Expected a team's API key in the header x-service-api-key")
  return team
}

/** Names every place of a request that is wrong; a field that there is not is wrong, too, for it has no effect. */
function check({ endpoint }: ControlOperation, said: ParsedRequest, search: URLSearchParams): void {
  const { query, body } = endpoint
  const ofQuery = query ? findDetails(query, said.query, 'query') : []
  const unknownInQuery = unknown(Object(query)._zod?.def, [...search.keys()], 'query')
  const details = [...(said.malformed ? [said.malformed] : []), ...ofQuery, ...unknownInQuery]
  refuse(details)
  if (!body) return
  const fields = Object.keys(Object(said.body))
  refuse([
    ...findDetails(body, said.body, 'body'),
    ...unknown(Object(body)._zod.def, fields, 'body'),
  ])
}

function refuse(details: ValidationDetail[]): void {
  if (details.length > 0) throw unprocessable(details)
}

function unknown(def: Definition | undefined, names: string[], part: string): ValidationDetail[] {
  const { type, shape = {} } = def ?? { type: 'object' }
  if (type !== 'object') return []
  return names
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, mostDetails)
    .map((name) => ({
      type: 'extra_forbidden',
      loc: [part, name],
      msg: `There is no such field; expected ${Object.keys(shape).join(', ') || 'none'}`,
      input: null,
    }))
}

/** Statuses of what the mock cannot do; 400 for the others. */
const statuses: Partial<Record<MockErrorCode, number>> = {
  unknown_record: 404,
  invalid_state: 409,
  illegal_transition: 409,
  defect: 500,
}

function failed(error: unknown): ServiceResponse {
  if (error instanceof Refusal) return json({ detail: error.detail }, error.status)
  if (!(error instanceof MockError)) throw error
  const { code, message } = error
  return json({ detail: message, code }, statuses[code] ?? 400)
}

function json(value: unknown, status = 200): ServiceResponse {
  return new ServiceResponse(status, JSON.stringify(value, bytesAsText), 'text/plain', {
    'content-type': 'application/json',
  })
}

/** The journal holds bytes: answers in PDF and Parquet. Keys `$bytes` of users get another `$`, so that they differ. */
function bytesAsText(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  const isKey = /^\$+bytes$/
  if (!isObject(value) || !Object.keys(value).some((key) => isKey.test(key))) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, field]) => [isKey.test(key) ? `$${key}` : key, field]),
  )
}
