import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../src/contract/schema/endpoint.ts'
import type { Answer } from '../base/response.ts'
import type { World } from '../state/world.ts'
import type { Rules } from './request.ts'

/** A request that passed the contract. */
export interface RouteRequest<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  /** Ends the waits of a caller who is gone. */
  signal: AbortSignal | undefined
}

/** What a route gives back: the JSON of a 200, or an {@link Answer}. */
export type Reply<E extends Endpoint> = ResultOf<E> | Answer

/** A function of a request and its world, and of nothing else. */
export type Handler<E extends Endpoint> = (
  request: RouteRequest<E>,
  world: World,
) => Reply<E> | Promise<Reply<E>>

/** An endpoint and what answers it. */
export interface Route {
  endpoint: Endpoint
  handler: (request: RouteRequest, world: World) => unknown
  rules: Rules
}

/** The route of an endpoint. `rules` are checked with the contract, so that one 422 names all that is wrong. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  rules: Rules = () => [],
): Route {
  // The request was checked against this very endpoint before it gets here.
  return { endpoint, handler: handler as unknown as Route['handler'], rules }
}
