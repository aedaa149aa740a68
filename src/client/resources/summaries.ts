import type { ProfileQuery, SummaryQuery, SummaryResponses } from '../../contract/summaries.ts'
import type { ProfileSummary } from '../../contract/summary-records/profile.ts'
import {
  isKnown,
  type SummaryResource,
  summaryResources,
} from '../../contract/values/known-values.ts'
import { Call } from '../call.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.summaries`, for summaries of users' health data. */
export class SummariesApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists a user's summaries for one resource (specification 2.9 and 4.12; the shapes are assumed). The call only reads
   * data, so it is retried after temporary failures.
   *
   * @param userId The user's id, a UUID.
   * @param resource The resource, such as `sleep`.
   * @param query The date range and the provider. For `profile`, only `provider` is allowed.
   * @throws {RequestValidationError} when an argument is invalid or the resource has no summaries.
   * @example
   * const { sleep } = await client.summaries.list(userId, 'sleep', { start_date: '2025-05-01' })
   * const { height } = await client.summaries.list(userId, 'profile')
   */
  list(
    userId: string,
    resource: 'profile',
    query?: ProfileQuery | null | undefined,
    options?: RequestOptions,
  ): Call<ProfileSummary>
  list<Resource extends SummaryResource>(
    userId: string,
    resource: Resource,
    query: SummaryQuery,
    options?: RequestOptions,
  ): Call<SummaryResponses[Resource]>
  list<Resource extends SummaryResource>(
    userId: string,
    resource: Resource,
    query?: SummaryQuery | ProfileQuery | null | undefined,
    options?: RequestOptions,
  ): Call<SummaryResponses[Resource]> {
    if (!isKnown(summaryResources, resource)) {
      const issue = { path: 'resource', expected: `one of ${summaryResources.join(', ')}` }
      return new Call(Promise.reject(new RequestValidationError([issue], call)))
    }
    const exchange = this.#transport.exchange(
      ({ summaries }) => summaries.listSummaries[resource],
      { params: { user_id: userId }, query: query ?? {} },
      options,
    )
    // Each resource's endpoint returns its own shape, which the compiler cannot derive from the table.
    return exchange as Call<SummaryResponses[Resource]>
  }
}

const call = { operation: 'summaries.list', route: 'GET /v2/summary/{resource}/{user_id}' }
