import type { Call } from '../call.ts'
import { queryAggregate } from '../contract/aggregate.ts'
import type { RequestOptions } from '../options.ts'
import { type AnyQuery, type QueriesRequest, type QueriesResult, wireRequest } from '../query.ts'
import type { Transport } from '../transport.ts'

/** Aggregate queries over a user's health data (closed beta). */
export class Aggregate {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Runs aggregate queries (specification 4.11). `results` has one entry per query, in their order; each holds a table
   * of equal-length columns: `index` and one per aggregation. It changes nothing, so it is repeated after a failure that
   * may pass. Queries may be literals or built with {@link query}, whose columns are then known.
   *
   * @param userId A UUID.
   * @throws {PermissionDeniedError} when the closed beta is not enabled for the team.
   * @example
   * const { results: [sleep] } = await client.aggregate.query(userId, {
   *   timeframe: past(4, 'week', '2025-06-01'),
   *   queries: [query(mean('sleep', 'score')).groupBy(dateTrunc('sleep', 1, 'week'))],
   * })
   * console.table(rows(sleep))
   */
  query<const Queries extends readonly AnyQuery[]>(
    userId: string,
    request: QueriesRequest<Queries>,
    options?: RequestOptions,
  ): Call<QueriesResult<Queries>> {
    const call = this.#transport.send(
      queryAggregate,
      { params: { user_id: userId }, body: wireRequest(request) },
      options,
    )
    // One result for each query, in their order, is what the specification promises.
    return call as Call<QueriesResult<Queries>>
  }
}
