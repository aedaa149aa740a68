import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import { ServiceResponse } from '../base/response.ts'
import { checkResponse, hasKnownValues } from '../http/check-response.ts'
import type { ParsedRequest } from '../http/parse-request.ts'
import type { Route, RouteContext, RouteRequest } from '../http/route.ts'
import { checkRequest } from '../http/validation.ts'
import { routes } from './routes.ts'

/** By operation and path: after Jest's `resetModules`, the endpoint of a request is that of another instance of the module. */
const routesByName = new Map<string, Route>(routes.map((route) => [nameOf(route.endpoint), route]))

function nameOf({ id, path }: Endpoint): string {
  return `${id} ${path}`
}

/**
 * Checks a request, calls the handler of its endpoint, and checks the response. Returns a promise only if the handler does.
 *
 * @throws {HttpError}
 * @throws {MockError} `defect` if the response violates the contract.
 */
export function runRoute(
  endpoint: Endpoint,
  parsed: ParsedRequest,
  context: RouteContext,
): ServiceResponse | Promise<ServiceResponse> {
  const { world } = context
  // There is a route for every endpoint.
  const route = routesByName.get(nameOf(endpoint)) as Route
  checkRequest(route, parsed, world.settings.strictEnumerations)
  const respond = (reply: unknown) => {
    const response = reply instanceof ServiceResponse ? reply : new ServiceResponse(200, reply)
    const isStrict = world.settings.strictResponses && hasKnownValues(endpoint, parsed.body)
    checkResponse(endpoint, response, isStrict)
    return response
  }
  const reply = callHandler(route, parsed, context)
  return reply instanceof Promise ? reply.then(respond) : respond(reply)
}

function callHandler(
  { handler }: Route,
  { params, query, body }: ParsedRequest,
  { request: { headers, signal }, world, entry }: RouteContext,
): unknown {
  // The request was checked against the endpoint that types the handler.
  const checked = { params, query, body, headers, signal } as RouteRequest
  return world.withCause(entry.number, () => handler(checked, world))
}
