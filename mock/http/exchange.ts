import { headers as headerNames } from '../../src/contract/wire.ts'
import { markMockError } from '../../src/shared/mock-errors.ts'
import {
  applyDrifts,
  type ConnectionFailure,
  distort,
  type ExchangeResult,
  type FaultPlan,
  planEffects,
  respondInstead,
  waitForLatency,
} from '../faults/effects.ts'
import { Slices, sliceWork } from '../shared/slices.ts'
import { requisitionPath } from '../state/collections/requisition-url.ts'
import type { PointCause } from '../state/recorder.ts'
import { ClockHold } from './clock-hold.ts'
import { checkMicrotasks, mayBeFaked } from './fake-timers.ts'
import { HttpError } from './http-error.ts'
import type { JournalEntry } from './journal/journal-entry.ts'
import { isJsonType } from './media-types.ts'
import type { Overrides } from './overrides.ts'
import { lowerUuids } from './request/lower-uuids.ts'
import {
  isLargeBody,
  type ParsedBody,
  type ParsedRequest,
  parseRequest,
  parseRequestBody,
} from './request/parse-request.ts'
import type { IncomingRequest } from './request/request.ts'
import { respondToSignedUrl } from './requisition.ts'
import { errorResponse, respondOnce } from './respond-once.ts'
import { hasBody, ServiceResponse, serializeResponse } from './response.ts'
import type { RequestWorld, Route } from './route.ts'
import type { Match, Router, ServiceRoute } from './router.ts'

export type RouteOf = (route: ServiceRoute) => Route

export interface ServiceParts {
  router: Router<ServiceRoute>
  /** Loads the routes. Returns a promise only if they are not loaded yet. */
  loadRoutes(): RouteOf | Promise<RouteOf>
  overrides: Overrides
  worldOf(apiKey: string | undefined): RequestWorld | undefined
  worlds(): Iterable<RequestWorld>
}

interface MatchedRequest {
  readonly request: IncomingRequest
  /** The path below the base URL. */
  readonly path: string
  readonly service: ServiceParts
  readonly match: Match<ServiceRoute> | undefined
  readonly world: RequestWorld
}

interface RunningRequest extends MatchedRequest {
  readonly hold: ClockHold
  readonly entry: JournalEntry
  /** The request's faults. Empty until the request is read. */
  plan: FaultPlan
}

/**
 * Handles a request to a path below the base URL. A request without a known API key gets 401, 404 or 405, and is not
 * recorded in a journal. Signed URLs need no key.
 */
export function exchange(
  request: IncomingRequest,
  path: string,
  service: ServiceParts,
): ExchangeResult | Promise<ExchangeResult> {
  const respond = request.method === 'HEAD' ? dispatchHead : dispatch
  if (!mayBeFaked()) return respond(request, path, service)
  return checkMicrotasks().then(() => respond(request, path, service))
}

async function dispatchHead(
  request: IncomingRequest,
  path: string,
  service: ServiceParts,
): Promise<ExchangeResult> {
  const result = await dispatch({ ...request, method: 'GET' }, path, service)
  if (result.kind !== 'response') return result
  const { cutAfter: _, ...response } = result
  return { ...response, body: '' }
}

function dispatch(
  request: IncomingRequest,
  path: string,
  service: ServiceParts,
): ExchangeResult | Promise<ExchangeResult> {
  const { method, headers, search } = request
  const signed = requisitionPath.exec(path)
  if (signed) {
    if (method === 'GET') return respondToSigned(signed, search, service)
    return serializeResponse(errorResponse(wrongMethod(method, 'GET')), 'req_0')
  }
  const match = service.router.match(method, path, headers.accept ?? '')
  const world = service.worldOf(headers[headerNames.apiKey])
  if (world) return run({ request, path, service, match, world })
  const error = match
    ? new HttpError(401, 'Invalid or missing API key')
    : unknownRoute(method, path, service.router)
  return serializeResponse(errorResponse(error), 'req_0')
}

async function respondToSigned(
  signed: RegExpExecArray,
  search: URLSearchParams,
  service: ServiceParts,
): Promise<ExchangeResult> {
  const response = await respondToSignedUrl(signed, search, service.worlds()).catch(errorResponse)
  return serializeResponse(response, 'req_0')
}

/**
 * Handles a team's request, unless the caller aborts it. Virtual time is paused while the request is handled. Errors
 * from the mock and from overrides are marked, so the client rejects with them unchanged.
 */
async function run(matched: MatchedRequest): Promise<ExchangeResult> {
  const { request, path, service, match, world } = matched
  const { signal } = request
  // As with `fetch`, a request whose signal is already aborted is not sent.
  signal?.throwIfAborted()
  const hold = new ClockHold(world.clock)
  const entry = startEntry(matched)
  request.intervention?.onEntry?.(entry)
  const plan = planEffects([])
  const running = { request, path, service, match, world, hold, entry, plan }
  try {
    const response = await respond(running)
    signal?.throwIfAborted()
    return finish(running, response)
  } catch (error) {
    if (signal?.aborted) {
      entry.outcome = 'aborted'
      throw error
    }
    if (error instanceof HttpError) return finish(running, errorResponse(error))
    entry.outcome = 'failed'
    markMockError(Object(error))
    throw error
  } finally {
    hold.end()
    // A request that changes no records can still change other state, such as the time or a fault's use count.
    world.changed()
    world.recorder?.addPoint(causeOf(entry))
  }
}

function finish(
  running: RunningRequest,
  response: ServiceResponse | ConnectionFailure,
): ExchangeResult {
  if ('kind' in response) return record(running, response)
  const requestId = `req_${running.world.identity.ordinal}_${running.entry.number}`
  const sent = distort(running.plan.after, serializeResponse(response, requestId))
  return record(running, sent, response.body)
}

/**
 * Handles a request: finds its route, reads its body, applies faults, checks its values, and calls the handler.
 *
 * @throws {HttpError}
 */
async function respond(running: RunningRequest): Promise<ServiceResponse | ConnectionFailure> {
  const { request, path, service, match, world, entry, hold } = running
  if (!match) throw unknownRoute(request.method, path, service.router)
  const loading = service.loadRoutes()
  const routeOf = loading instanceof Promise ? await loading : loading
  const route = routeOf(match.route)
  const { endpoint } = route
  const sent = request.text()
  // Await only if necessary: most requests have no body, or a body already in memory.
  const text = typeof sent === 'object' ? await hold.waitForBody(sent, request.signal) : sent
  const reading = parseRequestBody(endpoint.body ? text : undefined, request.signal)
  const content = reading instanceof Promise ? await reading : reading
  if (text) world.journal.grow(entry, text.length)
  const parsed = parse(running, route, match.params, content)
  // Check a large body in its own turn of the event loop.
  if (isLargeBody(text)) await new Slices(request.signal).spend(sliceWork)
  const { effects: own = [], around = runDirectly } = request.intervention ?? {}
  const effects = [...world.faults.effectsOn(entry.operation), ...own]
  entry.faults = effects
  running.plan = planEffects(effects)
  const { instead, latency, after } = running.plan
  const waitNow = () => waitForLatency(running.plan, world.clock, request.signal)
  const wait = latency > 0 ? waitNow : undefined
  if (instead) {
    await wait?.()
    return respondInstead(instead, world.clock.moment)
  }
  const respondNow = () => {
    request.signal?.throwIfAborted()
    world.catchUp()
    return around(() => route.run(parsed, running))
  }
  const response = await respondOnce(running, endpoint, { wait, respond: respondNow })
  return applyDrifts(after, override(running, response, parsed), endpoint)
}

function runDirectly<T>(run: () => T): T {
  return run()
}

function parse(
  { request, world, entry }: RunningRequest,
  { endpoint }: Route,
  params: ParsedRequest['params'],
  content: ParsedBody,
): ParsedRequest {
  const parsed = parseRequest(endpoint, params, request.search, content)
  entry.request.query = parsed.query
  entry.request.body = parsed.body
  if (content.body !== undefined) checkContentType(request, world)
  return lowerUuids(endpoint, parsed)
}

/** Checks the content type. A body without one is treated as JSON. */
function checkContentType({ headers }: IncomingRequest, { settings }: RequestWorld): void {
  const type = headers['content-type']
  if (!settings.strictContentType || type === undefined || isJsonType(type)) return
  throw new HttpError(415, 'Expected a body with the content type application/json')
}

function override(
  { service, world, entry: { operation } }: RunningRequest,
  response: ServiceResponse,
  { params, query, body }: ParsedRequest,
): ServiceResponse {
  if (service.overrides.isEmpty && world.overrides.isEmpty) return response
  if (!operation || response.status >= 400) return response
  const context = { operation, params, query, body, now: world.clock.now() }
  const overridden = world.overrides.apply(service.overrides.apply(response, context), context)
  return new ServiceResponse(overridden.status, overridden.body, response.type, overridden.headers)
}

function startEntry({ request, path, match, world }: MatchedRequest): JournalEntry {
  const { method, url, headers } = request
  const endpoint = match?.route.endpoint
  return world.journal.open({
    operation: endpoint?.id,
    method,
    path: endpoint?.path ?? path,
    at: world.clock.now(),
    request: { url, headers, params: match?.params ?? {}, query: {}, body: undefined },
  })
}

function record(
  { entry, world }: RunningRequest,
  sent: ExchangeResult,
  body?: unknown,
): ExchangeResult {
  if (sent.kind !== 'response') {
    entry.outcome = sent.kind
    return sent
  }
  const { status, headers } = sent
  const response = { status, headers, body: hasBody(status) ? body : undefined }
  world.journal.respond(entry, response, sent.body.length)
  return sent
}

function causeOf({ number, operation, method, path, response, outcome }: JournalEntry): PointCause {
  const name = operation ?? `${method} ${path}`
  return { kind: 'request', title: `${name} ${response?.status ?? outcome}`, request: number }
}

function unknownRoute(method: string, path: string, router: ServiceParts['router']): HttpError {
  const advice = `Did you mean ${router.nearest(method, path)}?`
  const allow = router.methods(path).join(', ')
  if (allow === '') {
    return new HttpError(404, `Not found: no route matches this ${method} request. ${advice}`)
  }
  return wrongMethod(method, allow, ` ${advice}`)
}

function wrongMethod(method: string, allow: string, advice = ''): HttpError {
  return new HttpError(405, `Method ${method} not allowed; use ${allow}.${advice}`, { allow })
}
