import type { Call } from '../call.ts'
import {
  type AggregateRequest,
  type AggregateResult,
  queryAggregate,
} from '../contract/aggregate.ts'
import type { RequestOptions } from '../options.ts'
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
   * of equal-length columns. It changes nothing, so it is repeated after a failure that may pass.
   *
   * @param userId A UUID.
   * @throws {PermissionDeniedError} when the closed beta is not enabled for the team.
   * @example
   * const { results } = await client.aggregate.query(userId, {
   *   timeframe: { type: 'relative', anchor: '2025-06-01', past: { unit: 'week', value: 4 } },
   *   queries: [{
   *     select: [{ arg: { sleep: 'score' }, func: 'mean' }],
   *     group_by: [{ date_trunc: { unit: 'week', value: 1 }, arg: { index: 'sleep' } }],
   *   }],
   * })
   */
  query(
    userId: string,
    request: AggregateRequest,
    options?: RequestOptions,
  ): Call<AggregateResult> {
    return this.#transport.send(
      queryAggregate,
      { params: { user_id: userId }, body: request },
      options,
    )
  }
}
