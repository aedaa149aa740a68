import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../src/contract/schema/endpoint.ts'
import type { Team } from '../team.ts'

/** The wire facts of one operation of the control API. */
export interface ControlEndpoint
  extends Pick<Endpoint, 'id' | 'method' | 'path' | 'params' | 'query' | 'body' | 'responses'> {
  summary: string
}

/** A request that passed the checks of its endpoint. */
export interface Asked<E extends ControlEndpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
}

/** An operation of the control API, and what it does to a team. */
export interface ControlOperation {
  endpoint: ControlEndpoint
  /** Gives what is answered as JSON; undefined answers 204. */
  run(team: Team, asked: Asked<ControlEndpoint>): unknown
}

/** Declares an operation. */
export function operation<const E extends ControlEndpoint>(
  endpoint: E,
  run: (team: Team, asked: Asked<E>) => unknown,
): ControlOperation {
  // A request is held against this very endpoint before it gets here.
  return { endpoint, run: run as unknown as ControlOperation['run'] }
}
