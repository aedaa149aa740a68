import type {
  BodyOf,
  Endpoint,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../src/contract/schema-tools/endpoint.ts'
import type { Faults } from '../faults/faults.ts'
import type { Recorder } from '../state/recorder.ts'
import type { World } from '../state/world.ts'
import { checkResponse, hasKnownValues } from './check-response.ts'
import type { Journal } from './journal/journal.ts'
import type { Overrides } from './overrides.ts'
import type { ParsedRequest } from './request/parse-request.ts'
import type { IncomingRequest } from './request/request.ts'
import { checkRequest, type Rules } from './request/validation.ts'
import { ServiceResponse } from './response.ts'

export interface RequestWorld extends World {
  readonly journal: Journal
  readonly faults: Faults
  readonly overrides: Overrides
  readonly recorder: Recorder | undefined
}

export interface RouteRequest<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The headers, by lower-case name. */
  headers: Readonly<Record<string, string>>
  signal: AbortSignal | undefined
}

/** A handler's result: the JSON value of a 200 response, or a {@link ServiceResponse}. */
export type Reply<E extends Endpoint> = ResultOf<E> | ServiceResponse

/** Handles a request. The handler can access only the state of the request's team. */
export type RouteHandler<E extends Endpoint> = (
  request: RouteRequest<E>,
  world: World,
) => Reply<E> | Promise<Reply<E>>

export interface RouteContext {
  request: Pick<IncomingRequest, 'headers' | 'signal'>
  world: RequestWorld
  entry: { number: number }
}

export interface Route<E extends Endpoint = Endpoint> {
  endpoint: E
  /**
   * Checks a request, calls the handler, and checks the response. Returns a promise only if the handler does.
   *
   * @throws {HttpError}
   * @throws {MockError} `defect` if the response violates the contract.
   */
  run: (parsed: ParsedRequest, context: RouteContext) => ServiceResponse | Promise<ServiceResponse>
}

/** Returns a route whose 422 response lists the values that violate the schemas or `rules`. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handler: RouteHandler<E>,
  rules: Rules = () => [],
): Route<E> {
  const run: Route['run'] = (parsed, { request: { headers, signal }, world, entry }) => {
    checkRequest({ endpoint, rules }, parsed, world.settings.strictEnumerations)
    const { params, query, body } = parsed
    // The request was checked against the endpoint, which also defines the handler's types.
    const checked = { params, query, body, headers, signal } as unknown as RouteRequest<E>
    const respond = (reply: unknown) => {
      const response = reply instanceof ServiceResponse ? reply : new ServiceResponse(200, reply)
      const isStrict = () => world.settings.strictResponses && hasKnownValues(endpoint, body)
      checkResponse(endpoint, response, isStrict)
      return response
    }
    const reply = world.withCause(entry.number, () => handler(checked, world))
    return reply instanceof Promise ? reply.then(respond) : respond(reply)
  }
  return { endpoint, run }
}
