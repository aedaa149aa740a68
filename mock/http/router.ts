import {
  type OperationFacts,
  type OperationId,
  operationIds,
  operationTable,
} from '../../src/contract/operations.ts'
import type { Endpoint } from '../../src/contract/schema-tools/endpoint.ts'
import { editDistance } from '../../src/contract/schema-tools/nearest.ts'
import { summaryResources } from '../../src/contract/values/known-values.ts'
import { methods } from '../../src/contract/wire.ts'
import { preferredType } from './media-types.ts'

interface Routed {
  endpoint: Pick<Endpoint, 'method' | 'path' | 'accept'>
}

export interface Match<R extends Routed> {
  route: R
  params: Record<string, string>
}

interface Candidate<R extends Routed> {
  route: R
  segments: string[]
}

export class Router<R extends Routed> {
  readonly #routes: readonly R[]
  /** The candidates, keyed by method and number of segments. In each list, paths with fewer parameters come first. */
  readonly #candidates = new Map<string, Candidate<R>[]>()

  constructor(routes: readonly R[]) {
    this.#routes = routes
    const candidates = routes.map((route) => ({ route, segments: segmentsOf(route.endpoint.path) }))
    for (const candidate of candidates.toSorted((a, b) => placeholders(a) - placeholders(b))) {
      const shape = routeKeyOf(candidate.route.endpoint.method, candidate.segments)
      this.#candidates.set(shape, [...(this.#candidates.get(shape) ?? []), candidate])
    }
  }

  /** Finds a request's route. If two operations share a path, the `accept` header selects one. */
  match(method: string, path: string, accept: string): Match<R> | undefined {
    const segments = segmentsOf(path)
    const candidates = this.#candidates.get(routeKeyOf(method, segments)) ?? []
    const first = candidates.find((candidate) => fits(candidate, segments))
    if (!first) return undefined
    const samePath = candidates.filter(
      ({ route: { endpoint } }) => endpoint.path === first.route.endpoint.path,
    )
    const asked = samePath.length > 1 ? preferredCandidate(samePath, accept) : first
    return { route: (asked ?? first).route, params: paramsOf(first, segments) }
  }

  /** Returns the methods that a path supports. A path that supports GET also supports HEAD. */
  methods(path: string): string[] {
    const known: string[] = methods.filter((method) => this.match(method, path, '') !== undefined)
    return known.includes('GET') ? [...known, 'HEAD'] : known
  }

  /** Returns the known route most similar to an unknown one, such as `PATCH /v2/user/{user_id}/info`. */
  nearest(method: string, path: string): string {
    const distances = this.#routes.map(({ endpoint }) => ({
      name: `${endpoint.method} ${endpoint.path}`,
      distance:
        pathDistance(segmentsOf(path), segmentsOf(endpoint.path)) +
        (endpoint.method === method ? 0 : 2),
    }))
    return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).name
  }
}

function preferredCandidate<R extends Routed>(
  candidates: Candidate<R>[],
  accept: string,
): Candidate<R> | undefined {
  const typeOf = ({ route: { endpoint } }: Candidate<R>) => endpoint.accept ?? 'application/json'
  const preferred = preferredType(accept, candidates.map(typeOf))
  return candidates.find((candidate) => typeOf(candidate) === preferred)
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

function routeKeyOf(method: string, segments: string[]): string {
  return `${method} ${segments.length}`
}

function isPlaceholder(segment: string): boolean {
  return segment.startsWith('{')
}

function placeholders({ segments }: Candidate<Routed>): number {
  return segments.filter(isPlaceholder).length
}

function fits({ segments }: Candidate<Routed>, path: string[]): boolean {
  return segments.every((segment, index) =>
    isPlaceholder(segment) ? path[index] !== '' : segment === decodeSegment(path[index] ?? ''),
  )
}

function paramsOf({ segments }: Candidate<Routed>, path: string[]): Record<string, string> {
  const params: Record<string, string> = {}
  segments.forEach((segment, index) => {
    if (isPlaceholder(segment)) params[segment.slice(1, -1)] = decodeSegment(path[index] ?? '')
  })
  return params
}

/** Decodes a segment, but returns a segment with invalid escapes unchanged. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the total edit distance between the segments of a path and a template. Placeholders match any segment. */
function pathDistance(path: string[], template: string[]): number {
  const shared = template.map((segment, index) => {
    if (path[index] === undefined) return segment.length
    return isPlaceholder(segment) ? 0 : editDistance(path[index], segment)
  })
  const surplus = path.slice(template.length).map((segment) => segment.length + 1)
  return [...shared, ...surplus].reduce((sum, distance) => sum + distance, 0)
}

/** The endpoint data needed to find a route. The schemas are loaded later, with the handler. */
export interface ServiceRoute {
  endpoint: OperationFacts & { id: OperationId }
}

/** The service's routes, in specification order. */
export const serviceRoutes: readonly ServiceRoute[] = operationIds.flatMap((id) => {
  const facts: OperationFacts = operationTable[id]
  return pathsOf(facts.path).map((path) => ({ endpoint: { ...facts, id, path } }))
})

/** Expands an endpoint's path template. The summary endpoint has one path per resource. */
function pathsOf(path: string): string[] {
  return path.includes('{resource}')
    ? summaryResources.map((resource) => path.replace('{resource}', resource))
    : [path]
}
