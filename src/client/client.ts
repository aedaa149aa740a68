import type { Issue } from '../contract/schema/check.ts'
import type { Effect, Endpoint, Method } from '../contract/schema/endpoint.ts'
import { type Answer, Call } from './call.ts'
import { RequestValidationError } from './errors.ts'
import { attempted, isUnreadable, snapshot } from './input-copy.ts'
import { type ClientOptions, type RequestOptions, settingsOf } from './options.ts'
import { Aggregate } from './resources/aggregate.ts'
import { Insurances } from './resources/insurance.ts'
import { LabTests } from './resources/lab-tests.ts'
import { Link } from './resources/link.ts'
import { Orders } from './resources/orders.ts'
import { Summaries } from './resources/summaries.ts'
import { Users } from './resources/users.ts'
import { Transport } from './transport/transport.ts'
import type { QueryValues } from './url.ts'

/** What `client.request` sends. */
export interface RequestInit extends RequestOptions {
  /** Values of the path's `{placeholders}`. */
  params?: Record<string, string> | undefined
  query?: QueryValues | undefined
  /** Sent as JSON. */
  body?: unknown
}

const effects: Record<Method, Effect> = {
  GET: 'read',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'unsafe',
  PATCH: 'unsafe',
}

/**
 * A client of the Health Data and Lab Ordering Service.
 *
 * @throws {RequestValidationError} when the key, the base URL or another option is missing or out of its bounds.
 * @example
 * const client = new ServiceClient({ apiKey: process.env.SERVICE_API_KEY, baseUrl: 'https://api.example.com' })
 * const providers = await client.link.listProviders()
 */
export class ServiceClient {
  /** User records and sign-in tokens. */
  readonly users: Users
  /** Insurance of users. */
  readonly insurance: Insurances
  /** Data providers and the connections of users to them. */
  readonly link: Link
  /** The catalogue of lab tests and markers. */
  readonly labTests: LabTests
  /** Lab orders and their phlebotomy appointments. */
  readonly orders: Orders
  /** Aggregate queries over a user's health data (closed beta). */
  readonly aggregate: Aggregate
  /** Summaries of users' health data. */
  readonly summaries: Summaries
  readonly #transport: Transport

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(settingsOf(options))
    this.#transport = transport
    this.users = new Users(transport)
    this.insurance = new Insurances(transport)
    this.link = new Link(transport)
    this.labTests = new LabTests(transport)
    this.orders = new Orders(transport)
    this.aggregate = new Aggregate(transport)
    this.summaries = new Summaries(transport)
  }

  /**
   * Calls anything this client has no method for, and answers the parsed JSON, unchecked. GET is repeated like a read,
   * PUT and DELETE like an idempotent call, POST and PATCH like an unsafe one. Write ids as `{placeholders}` with
   * `params`: the path then is a template that errors may show.
   *
   * @example
   * const path = '/v3/order/{order_id}/phlebotomy/appointment'
   * await client.request('GET', path, { params: { order_id: orderId } })
   */
  request<T = unknown>(method: Method, path: string, init: RequestInit = {}): Call<T> {
    // The caller vouches for T: nothing is known of this endpoint.
    return new Call(this.#request(method, path, init) as Promise<{ data: T; response: never }>)
  }

  async #request(method: Method, path: string, init: RequestInit): Promise<Answer<unknown>> {
    const given = attempted(() => ({ ...init }))
    const { params: _, query, body, ...options } = given
    const params = snapshot(given.params)
    const isTemplate = /\{\w+\}/.test(asString(path)) && Object.keys(params ?? {}).length > 0
    const shown = isTemplate ? path : '(a path without placeholders)'
    const issues = requestIssues(method, path, given)
    if (issues.length > 0) {
      throw new RequestValidationError(issues, { operation: 'request', route: shown })
    }
    const endpoint: Endpoint = {
      id: 'request',
      method,
      path,
      section: '',
      effect: effects[method],
      responses: {},
    }
    return this.#transport.exchange(() => endpoint, { params, query, body }, options, shown)
  }
}

/** Whether a path stays below the base URL: absolute, without dot segments, query and fragment. */
function isPath(path: string): boolean {
  // The platform drops control characters at the end, which would make `/..` of what is none.
  if (!/^\/(?!\/)[^?#\\\s\p{Cc}]*$/u.test(path)) return false
  return path.split('/').every((segment) => !/^(?:\.|%2e){1,2}$/i.test(segment))
}

/** Callers without types may give anything. */
function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function requestIssues(method: Method, path: string, init: RequestInit): Issue[] {
  if (isUnreadable(init)) return [{ path: 'init', expected: 'an object' }]
  const issues: Issue[] = []
  if (!Object.hasOwn(effects, asString(method))) {
    issues.push({ path: 'method', expected: `one of ${Object.keys(effects).join(', ')}` })
  }
  if (!isPath(asString(path))) {
    const expected = 'a path that starts with one slash, without dot segments, query and fragment'
    issues.push({ path: 'path', expected })
  }
  if (method === 'GET' && init.body !== undefined) {
    issues.push({ path: 'body', expected: 'none, for GET carries no body' })
  }
  return issues
}
