import { Call } from '../call.ts'
import type { AggregateRequest } from '../contract/aggregate.ts'
import { RequestValidationError } from '../errors.ts'
import { callIssues, type RequestOptions, snapshotOptions } from '../options.ts'
import { ParquetArchive } from '../parquet/archive.ts'
import type { AnyQuery, QueriesRequest, QueriesResult } from '../query.ts'
import { askEach, type QueryEachOptions, type UserAnswer } from '../query-each.ts'
import { snapshot } from '../snapshot.ts'
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
      ({ aggregate }) => aggregate.queryAggregate,
      { params: { user_id: userId }, body: bodyOf(request) },
      options,
    )
    // One result for each query, in their order, is what the specification promises.
    return call as Call<QueriesResult<Queries>>
  }
  /**
   * Runs aggregate queries and answers their tables as Parquet (specification 4.11), as they come. Read the archive, save
   * it, or cancel it: until then it holds a connection. `tables` of `health-lab-sdk/parquet` reads its rows.
   *
   * @param userId A UUID.
   * @throws {PermissionDeniedError} when the closed beta is not enabled for the team.
   * @example
   * const archive = await client.aggregate.queryParquet(userId, request)
   * for await (const file of archive.files()) await file.save(file.name)
   */
  queryParquet(
    userId: string,
    request: QueriesRequest<readonly AnyQuery[]>,
    options?: RequestOptions,
  ): Call<ParquetArchive> {
    const answer = this.#transport
      .download(
        ({ aggregate }) => aggregate.queryParquet,
        { params: { user_id: userId }, body: bodyOf(request) },
        options,
      )
      .withResponse()
    return new Call(
      answer.then(({ data, response }) => {
        const { attempts, requestId } = response
        const facts = { ...parquetCall, outcome: 'succeeded', attempts, requestId } as const
        return { data: new ParquetArchive(data.stream, facts), response }
      }),
    )
  }

  /**
   * Runs the same queries for any number of users, a few at a time, and yields each user's result or error as it comes.
   * Users may be any iterable, which is read no further ahead than requests are under way. Leaving the loop aborts what
   * is under way. Your abort's reason, your source's error and a request that is wrong for every user are thrown.
   *
   * @throws {RequestValidationError} when an option or the request is not allowed.
   * @example
   * for await (const { userId, result, error } of client.aggregate.queryEach(userIds, request)) {
   *   if (result) console.table(rows(result.results[0]))
   *   else console.error(userId, error)
   * }
   */
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options: QueryEachOptions<'parquet'> & { format: 'parquet' },
  ): AsyncGenerator<UserAnswer<ParquetArchive>>
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options?: QueryEachOptions<'json'>,
  ): AsyncGenerator<UserAnswer<QueriesResult<Queries>>>
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options?: QueryEachOptions,
  ): AsyncGenerator<UserAnswer<QueriesResult<Queries> | ParquetArchive>> {
    return this.#queryEach(userIds, snapshot(request), snapshotOptions(options))
  }

  async *#queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options: QueryEachOptions,
  ): AsyncGenerator<UserAnswer<QueriesResult<Queries> | ParquetArchive>> {
    const { concurrency, format = 'json', onProgress, ...call } = options
    checkOptions(options)
    yield* askEach<QueriesResult<Queries> | ParquetArchive>(userIds, {
      ask: (userId, signal) =>
        format === 'parquet'
          ? this.queryParquet(userId, request, { ...call, signal })
          : this.query(userId, request, { ...call, signal }),
      discard: async (result) => {
        if (result instanceof ParquetArchive) await result.cancel()
      },
      concurrency,
      onProgress,
      signal: call.signal,
    })
  }
}

/** Queries that the helpers built are sent as their own fields, which are those of `Query`. */
function bodyOf(request: QueriesRequest<readonly AnyQuery[]>): AggregateRequest {
  // The list is readonly to callers; nothing writes to it.
  return request as unknown as AggregateRequest
}

const parquetCall = {
  operation: 'aggregate.queryParquet',
  route: 'POST /aggregate/v1/user/{user_id}/query',
}

function checkOptions(options: QueryEachOptions): void {
  const { concurrency, format } = options
  const issues = callIssues(options, ['concurrency', 'format', 'onProgress'])
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1)) {
    issues.push({ path: 'concurrency', expected: 'an integer of at least 1' })
  }
  if (format !== undefined && format !== 'json' && format !== 'parquet') {
    issues.push({ path: 'format', expected: "'json' or 'parquet'" })
  }
  if (issues.length > 0) {
    throw new RequestValidationError(issues, { ...parquetCall, operation: 'aggregate.queryEach' })
  }
}
