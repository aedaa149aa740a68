import type { Method } from '../contract/schema-tools/endpoint.ts'
import { ownFields } from '../shared/own-fields.ts'
import type { Call } from './call.ts'
import type { Clock } from './clock.ts'
import { isUnreadable } from './copy-input.ts'
import type { ClientOptions } from './options/client-options.ts'
import { copyOptions } from './options/copy-options.ts'
import { resolveSettings } from './options/settings.ts'
import { type RawRequestOptions, sendRawRequest } from './raw-request.ts'
import { AggregateApi } from './resources/aggregate.ts'
import { InsuranceApi } from './resources/insurance.ts'
import { LabTestsApi } from './resources/lab-tests.ts'
import { LinkApi } from './resources/link.ts'
import { OrdersApi } from './resources/orders.ts'
import { SummariesApi } from './resources/summaries.ts'
import { UsersApi } from './resources/users.ts'
import { stateOfCopy } from './transport/shared-state.ts'
import { Transport } from './transport/transport.ts'

/**
 * A client for the Health Data and Lab Ordering Service.
 *
 * @example
 * const client = new ServiceClient({ apiKey: process.env.SERVICE_API_KEY, baseUrl: 'https://api.example.com' })
 * const providers = await client.link.listProviders()
 */
export class ServiceClient {
  /** User records and sign-in tokens. */
  readonly users: UsersApi
  /** Users' insurance. */
  readonly insurance: InsuranceApi
  /** Data providers and users' connections to them. */
  readonly link: LinkApi
  /** The catalogue of lab tests and markers. */
  readonly labTests: LabTestsApi
  /** Lab orders and their phlebotomy appointments. */
  readonly orders: OrdersApi
  /** Aggregate queries over a user's health data (closed beta). */
  readonly aggregate: AggregateApi
  /** Summaries of users' health data. */
  readonly summaries: SummariesApi
  readonly #options: ClientOptions
  readonly #transport: Transport

  /**
   * Creates a client.
   *
   * @throws {RequestValidationError} when the key or the base URL is missing, or an option is unknown or invalid.
   */
  constructor(options: ClientOptions = {}) {
    const copy = copyOptions(options)
    const settings = resolveSettings(copy)
    const { apiKey, baseUrl } = settings
    // Keep the resolved key and URL, so that copies of this client do not read the environment again.
    this.#options = ownFields({ ...copy, apiKey, baseUrl })
    const transport = new Transport(settings)
    this.#transport = transport
    this.users = new UsersApi(transport)
    this.insurance = new InsuranceApi(transport)
    this.link = new LinkApi(transport)
    this.labTests = new LabTestsApi(transport)
    this.orders = new OrdersApi(transport)
    this.aggregate = new AggregateApi(transport)
    this.summaries = new SummariesApi(transport)
  }

  /**
   * This client's clock, for durable writes and sync.
   *
   * @internal
   */
  get clock(): Clock {
    return this.#transport.clock
  }

  /**
   * The `deadline` option in milliseconds, for durable writes.
   *
   * @internal
   */
  get deadline(): number | undefined {
    return this.#options.deadline
  }

  /**
   * Returns the API key, which durable writes use to hash inputs.
   *
   * @internal
   */
  readApiKey(): Promise<string> {
    return this.#transport.readApiKey()
  }

  /**
   * Creates a copy of this client with some options changed. An `undefined` option reverts to its default. `headers`
   * and `hooks` replace this client's. The two clients share the `maxConcurrency` limit unless you pass that option.
   * Unless you pass `hooks`, `logger` or `logLevel`, the two clients together report each deprecation and each
   * difference from the specification only once.
   *
   * @throws {RequestValidationError} when an option is unknown or invalid.
   * @example
   * const patient = client.withOptions({ timeout: 60_000, maxRetries: 5 })
   * const providers = await patient.link.listProviders()
   */
  withOptions(options: ClientOptions): ServiceClient {
    const changes = copyOptions(options)
    const copy = new ServiceClient(
      isUnreadable(changes) ? changes : ownFields({ ...this.#options, ...changes }),
    )
    copy.#transport.shared = stateOfCopy(this.#transport.shared, changes)
    return copy
  }

  /**
   * Calls an endpoint for which this client has no method, and returns the parsed JSON unchecked. Retries depend on the
   * method: GET is treated as read-only, PUT and DELETE as idempotent, POST and PATCH as non-idempotent. Write ids as
   * `{placeholders}` and pass them in `params`, so errors, hooks and logs show the path template without the ids. In a
   * template, any other segment is shown as `*`, unless it is a version such as `v2` or consists of lower-case words. A
   * person's name in lower case looks like a word, so it is not hidden. A path without placeholders is not shown.
   *
   * @param method The HTTP method.
   * @param path The path below the base URL, such as `/v3/order/{order_id}`.
   * @throws {RequestValidationError} when an argument or option is invalid.
   * @example
   * const path = '/v3/order/{order_id}/phlebotomy/appointment'
   * await client.request('GET', path, { params: { order_id: orderId } })
   */
  request<T = unknown>(method: Method, path: string, init: RawRequestOptions = {}): Call<T> {
    // The caller is responsible for T, because the client has no schema for this endpoint.
    return sendRawRequest(this.#transport, method, path, init) as Call<T>
  }
}
