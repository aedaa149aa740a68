import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../src/contract/schema/endpoint.ts'
import type { ServiceResponse } from '../base/response.ts'
import type { World } from '../state/world.ts'
import type { JournalEntry } from './journal/journal-entry.ts'
import type { ParsedRequest } from './parse-request.ts'
import type { IncomingRequest } from './request.ts'
import type { RequestWorld } from './request-world.ts'
import type { Rules } from './validation.ts'

/** A valid request. */
export interface RouteRequest<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The headers, by lower-case name. */
  headers: Readonly<Record<string, string>>
  /** Aborts when the caller does. */
  signal: AbortSignal | undefined
}

/** The result of a handler: the JSON value of a 200, or a {@link ServiceResponse}. */
export type Reply<E extends Endpoint> = ResultOf<E> | ServiceResponse

/** Handles a request with the state of its team alone. */
export type Handler<E extends Endpoint> = (
  request: RouteRequest<E>,
  world: World,
) => Reply<E> | Promise<Reply<E>>

/** The request that a route handles, its team, and its entry in the journal. */
export interface RouteContext {
  request: Pick<IncomingRequest, 'headers' | 'signal'>
  world: RequestWorld
  entry: Pick<JournalEntry, 'number'>
}

/** Checks a request, and runs the handler of its endpoint. */
export type RunRoute = (
  endpoint: Endpoint,
  parsed: ParsedRequest,
  context: RouteContext,
) => ServiceResponse | Promise<ServiceResponse>

/** An endpoint and its handler. */
export interface Route {
  endpoint: Endpoint
  handler: (request: RouteRequest, world: World) => unknown
  rules: Rules
}

/** Returns the route of an endpoint. One 422 names every invalid value, by the schemas and by `rules`. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  rules: Rules = () => [],
): Route {
  // Requests are checked against this endpoint before the handler receives them.
  return { endpoint, handler: handler as unknown as Route['handler'], rules }
}
