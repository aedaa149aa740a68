import type { SummaryQuery, SummaryResponses } from '../../contract/summaries.ts'
import {
  isKnown,
  type SummaryResource,
  summaryResources,
} from '../../contract/values/known-values.ts'
import { type Answer, Call } from '../call.ts'
import { RequestValidationError } from '../errors.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport/transport.ts'

/** Summaries of users' health data. */
export class Summaries {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists a user's summaries of one resource (specification 2.9 and 4.12, shapes as presumed).
   *
   * @param userId A UUID.
   * @throws {RequestValidationError} when the resource is none that has summaries.
   * @example
   * const { sleep } = await client.summaries.list(userId, 'sleep', { start_date: '2025-05-01' })
   */
  list<Resource extends SummaryResource>(
    userId: string,
    resource: Resource,
    query: SummaryQuery,
    options?: RequestOptions,
  ): Call<SummaryResponses[Resource]> {
    if (!isKnown(summaryResources, resource)) {
      const issue = { path: 'resource', expected: `one of ${summaryResources.join(', ')}` }
      return new Call(Promise.reject(new RequestValidationError([issue], call)))
    }
    const answer = this.#transport.exchange(
      ({ summaries }) => summaries.listSummaries[resource],
      { params: { user_id: userId }, query },
      options,
    )
    // Each resource's endpoint answers its own shape, which the compiler cannot follow through the table.
    return new Call(answer as Promise<Answer<SummaryResponses[Resource]>>)
  }
}

const call = { operation: 'summaries.list', route: 'GET /v2/summary/{resource}/{user_id}' }
