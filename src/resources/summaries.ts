import { type Answer, Call } from '../call.ts'
import {
  listSummaries,
  type SummaryAnswers,
  type SummaryQuery,
  type SummaryResource,
} from '../contract/summaries.ts'
import type { RequestOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

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
   * @example
   * const { sleep } = await client.summaries.list(userId, 'sleep', { start_date: '2025-05-01' })
   */
  list<Resource extends SummaryResource>(
    userId: string,
    resource: Resource,
    query: SummaryQuery,
    options?: RequestOptions,
  ): Call<SummaryAnswers[Resource]> {
    const endpoint = listSummaries[resource]
    const answer = this.#transport.exchange(
      endpoint,
      { params: { user_id: userId }, query },
      options,
    )
    // Each resource's endpoint answers its own shape, which the compiler cannot follow through the table.
    return new Call(answer as Promise<Answer<SummaryAnswers[Resource]>>)
  }
}
