import { headers as wireHeaders } from '../../src/contract/wire.ts'
import { MockError, type MockErrorCode } from '../errors.ts'
import { HttpError } from '../http/http-error.ts'
import { parseRequest, parseRequestBody } from '../http/request/parse-request.ts'
import type { RequestHead } from '../http/request/request.ts'
import { type SerializedResponse, ServiceResponse, serializeResponse } from '../http/response.ts'
import { type Match, Router } from '../http/router.ts'
import type { Mock } from '../mock.ts'
import type { Team } from '../team.ts'
import { checkAccess } from './access.ts'
import type { ControlOutput } from './api.ts'
import { checkControlRequest } from './check-request.ts'
import type { AnyHandler } from './handler.ts'
import { controlHandlers } from './handlers.ts'
import { encodeBytes } from './json-bytes.ts'
import { stringifyInSlices } from './json-slices.ts'
import { type ControlEndpoint, controlEndpoints } from './operations.ts'
import {
  apiPath,
  controlDocumentPath,
  eventsSchemaPath,
  fixtureSchemaPath,
  pagePath,
  serviceDocumentPath,
} from './paths.ts'
import { routeOf } from './routes.ts'

/** A request to a path below `/__mock__`. */
export interface ControlRequest extends Omit<RequestHead, 'url'> {
  text: string | undefined
  /** Whether the request comes from this machine. */
  isLocal: boolean
}

export interface ControlContext {
  mock: Mock
  url: string
  strictKeys: boolean
  token?: string
}

/** The documents that do not depend on a team. */
const documents = new Map<string, (served: ControlContext) => Promise<object>>([
  [
    serviceDocumentPath,
    async ({ url }) => (await import('./service-document.ts')).serviceDocument(url),
  ],
  [
    controlDocumentPath,
    async ({ url }) => (await import('./document.ts')).controlDocument(url + apiPath),
  ],
  [fixtureSchemaPath, async () => (await import('../fixtures/json-schema.ts')).fixtureJsonSchema()],
  [eventsSchemaPath, async () => (await import('../../src/openapi/events.ts')).eventsJsonSchema()],
  [apiPath + routeOf('teams.list').path, async ({ mock }) => listTeams(mock)],
])

/** Lists the teams. Requires no API key, because callers use the list to find one. */
function listTeams(mock: Mock): ControlOutput<'teams.list'> {
  return mock.teams().map(({ apiKey, journal }) => ({ api_key: apiKey, requests: journal.count }))
}

// Handlers can be untyped here, because each request is checked against its operation's schemas.
const handlersById = new Map(
  Object.entries(controlHandlers as unknown as Record<string, AnyHandler>),
)

const router = new Router(
  controlEndpoints.flatMap((endpoint) => {
    const run = handlersById.get(endpoint.id)
    return run ? [{ endpoint, run }] : []
  }),
)

export async function control(
  request: ControlRequest,
  served: ControlContext,
): Promise<SerializedResponse> {
  return serializeResponse(await respond(request, served).catch(toErrorResponse), 'req_0')
}

async function respond(request: ControlRequest, served: ControlContext): Promise<ServiceResponse> {
  const { method, path } = request
  const page = method === 'GET' && (await pageAt(path))
  if (page) return page
  checkAccess(request, served.token)
  const document = documents.get(path)
  if (document && method === 'GET') return json(await document(served))
  return runOperation(request, served)
}

async function runOperation(
  request: ControlRequest,
  served: ControlContext,
): Promise<ServiceResponse> {
  const { method, path, headers } = request
  const operationPath = path.startsWith(`${apiPath}/`) ? path.slice(apiPath.length) : ''
  const match = router.match(method, operationPath, '')
  if (!match) {
    const nearest = router.nearest(method, operationPath).replace(' ', ` ${apiPath}`)
    throw new HttpError(
      404,
      `Not found: no control API operation matches. Did you mean ${nearest}?`,
    )
  }
  const team = findTeam(headers[wireHeaders.apiKey], served)
  return team.runRequest(() => runOn(team, match, request, served.mock))
}

async function runOn(
  team: Team,
  { route: { endpoint, run }, params }: Match<{ endpoint: ControlEndpoint; run: AnyHandler }>,
  { method, search, text }: ControlRequest,
  mock: Mock,
): Promise<ServiceResponse> {
  // If every field of a body is optional, so is the body.
  const body = endpoint.body ? text || '{}' : undefined
  const request = parseRequest(endpoint, params, search, await parseRequestBody(body))
  checkControlRequest(endpoint, request, search)
  const hasEvents = !isWithoutEvents(endpoint)
  await team.state.catchUpInSlices(hasEvents)
  const isChange = method !== 'GET'
  const handle = () => run(team, request, mock)
  let result: unknown
  try {
    result = await (isChange && hasEvents ? team.state.arrivals.runInSlices(handle) : handle())
  } finally {
    // A failed change may have been partially applied.
    if (isChange) team.state.changed()
  }
  if (isChange && !endpoint.isUnrecorded) {
    team.state.recorder?.addPoint({ kind: 'control', title: endpoint.id })
  }
  if (result === undefined) return new ServiceResponse(204, '', 'text/plain')
  return jsonResponse(await stringifyInSlices(result, encodeBytes))
}

/** Returns whether an operation can run before the events for newly arrived data are emitted. */
function isWithoutEvents({ id, method, path }: ControlEndpoint): boolean {
  if (path.startsWith('/clock') || id === 'users.aggregate') return true
  return method === 'GET' && /^\/(users|orders)/.test(path)
}

/** Returns the inspector page. It requires no token, because the page itself contains no data. */
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

function findTeam(apiKey: string | undefined, { mock, strictKeys }: ControlContext): Team {
  const team = apiKey && (strictKeys ? mock.teamOf(apiKey) : mock.getOrCreateTeam(apiKey))
  if (team) return team
  throw new HttpError(401, `Expected a team's API key in the ${wireHeaders.apiKey} header`)
}

const statusByCode: Partial<Record<MockErrorCode, number>> = {
  unknown_record: 404,
  invalid_state: 409,
  illegal_transition: 409,
  defect: 500,
}

function toErrorResponse(error: unknown): ServiceResponse {
  if (error instanceof HttpError) return json({ detail: error.detail }, error.status)
  if (!(error instanceof MockError)) throw error
  const { code, message } = error
  return json({ detail: message, code }, statusByCode[code] ?? 400)
}

function json(value: unknown, status = 200): ServiceResponse {
  return jsonResponse(JSON.stringify(value, encodeBytes), status)
}

function jsonResponse(json: string | Uint8Array, status = 200): ServiceResponse {
  return new ServiceResponse(status, json, 'text/plain', { 'content-type': 'application/json' })
}
