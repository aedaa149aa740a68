import * as z from 'zod/mini'
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../src/contract/schema/endpoint.ts'
import type { Mock } from '../mock.ts'
import type { Team } from '../team.ts'

/** The wire facts of one operation of the control API. */
export interface ControlEndpoint
  extends Pick<Endpoint, 'id' | 'method' | 'path' | 'params' | 'query' | 'body' | 'responses'> {
  /** What the operation does, in one sentence. */
  summary: string
  /** Whether the history gets no point for it, because it changes no state or adds points itself. Default: false. */
  isUnrecorded?: true
}

/** The values of a request that match its endpoint. */
export interface CheckedRequest<E extends ControlEndpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
}

/** An operation of the control API. */
export interface ControlOperation {
  endpoint: ControlEndpoint
  /** Runs the operation, and returns the JSON of the response; undefined for a 204. */
  run(team: Team, request: CheckedRequest<ControlEndpoint>, mock: Mock): unknown
}

/** Declares an operation. */
export function operation<const E extends ControlEndpoint>(
  endpoint: E,
  run: (team: Team, request: CheckedRequest<E>, mock: Mock) => unknown,
): ControlOperation {
  // Each request is checked against this endpoint before it runs.
  return { endpoint, run: run as unknown as ControlOperation['run'] }
}

/** The schema of the responses without a body. */
export const noContent = { 204: z.undefined() }

/** The schema of an `Instant` in JSON. */
export const instantSchema = z.union([z.string(), z.number()])
