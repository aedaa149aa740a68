import type { Endpoint, Method } from '../../src/contract/schema/endpoint.ts'
import type { Route } from './route.ts'

/** What the router needs of a route. */
interface Routed {
  endpoint: Pick<Endpoint, 'method' | 'path' | 'accept'>
}

/** A route that was found, with the path's parameters. */
export interface Match<R extends Routed = Route> {
  route: R
  params: Record<string, string>
}

interface Candidate<R extends Routed> {
  route: R
  segments: string[]
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Finds routes by method and path. */
export class Router<R extends Routed = Route> {
  readonly #routes: readonly R[]
  /** By method and number of segments; the more literal paths first. */
  readonly #candidates = new Map<string, Candidate<R>[]>()

  constructor(routes: readonly R[]) {
    this.#routes = routes
    const candidates = routes.map((route) => ({ route, segments: segmentsOf(route.endpoint.path) }))
    for (const candidate of candidates.toSorted((a, b) => placeholders(a) - placeholders(b))) {
      const shape = shapeOf(candidate.route.endpoint.method, candidate.segments)
      this.#candidates.set(shape, [...(this.#candidates.get(shape) ?? []), candidate])
    }
  }

  /** Where two operations share a path, the `accept` header tells which one is meant. */
  match(method: string, path: string, accept: string): Match<R> | undefined {
    const segments = segmentsOf(path)
    const candidates = this.#candidates.get(shapeOf(method, segments)) ?? []
    const first = candidates.find((candidate) => fits(candidate, segments))
    if (!first) return undefined
    const asked = candidates.find(
      ({ route: { endpoint } }) =>
        endpoint.path === first.route.endpoint.path &&
        endpoint.accept !== undefined &&
        accept.includes(endpoint.accept),
    )
    return { route: (asked ?? first).route, params: paramsOf(first, segments) }
  }

  /** The methods of the routes that a path has. */
  methods(path: string): string[] {
    return methods.filter((method) => this.match(method, path, '') !== undefined)
  }

  /** The route that is most like a request which has none, such as `PATCH /v2/user/{user_id}/info`. */
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

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

function shapeOf(method: string, segments: string[]): string {
  return `${method} ${segments.length}`
}

function isPlaceholder(segment: string): boolean {
  return segment.startsWith('{')
}

function placeholders({ segments }: Candidate<Routed>): number {
  return segments.filter(isPlaceholder).length
}

function fits({ segments }: Candidate<Routed>, path: string[]): boolean {
  return segments.every((segment, at) =>
    isPlaceholder(segment) ? path[at] !== '' : segment === path[at],
  )
}

function paramsOf({ segments }: Candidate<Routed>, path: string[]): Record<string, string> {
  const params: Record<string, string> = {}
  segments.forEach((segment, at) => {
    if (isPlaceholder(segment)) params[segment.slice(1, -1)] = decoded(path[at] ?? '')
  })
  return params
}

/** Text that is not well escaped stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** How many letters must change, segment by segment; any text fits a placeholder. */
function pathDistance(path: string[], template: string[]): number {
  const shared = template.map((segment, at) => {
    if (path[at] === undefined) return segment.length
    return isPlaceholder(segment) ? 0 : letterDistance(path[at], segment)
  })
  const surplus = path.slice(template.length).map((segment) => segment.length + 1)
  return [...shared, ...surplus].reduce((sum, distance) => sum + distance, 0)
}

/** The edit distance of Levenshtein, of the first 60 letters. */
export function letterDistance(one: string, other: string): number {
  const [left, right] = [one.slice(0, 60), other.slice(0, 60)]
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= right.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, change))
    }
    row = next
  }
  return row[right.length] ?? 0
}
