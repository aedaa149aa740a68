import type { AggregateRequest } from '../../contract/aggregate.ts'
import type { Issue } from '../../contract/schema/check.ts'
import { ParquetArchive } from '../../parquet/archive.ts'
import type { AnyQuery, QueriesRequest, QueriesResult } from '../aggregate-query.ts'
import { Call } from '../call.ts'
import { RequestValidationError } from '../errors.ts'
import { carriedByJson, isUnreadable, snapshot } from '../input-copy.ts'
import { type RequestOptions, snapshotOptions } from '../options.ts'
import {
  askEach,
  issuesOfEach,
  type QueryEachOptions,
  type UserAnswer,
  type UserIds,
} from '../query-each.ts'
import type { Transport } from '../transport/transport.ts'

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
    const body = snapshot(bodyOf(request))
    const count = countOf(body)
    const call = this.#transport.send(
      ({ aggregate }) => aggregate.queryAggregateOf(count),
      { params: { user_id: userId }, body },
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
    const body = snapshot(bodyOf(request))
    const checkCount = this.#countCheck(countOf(body), options)
    const answer = this.#transport
      .download(
        ({ aggregate }) => aggregate.queryParquet,
        { params: { user_id: userId }, body },
        options,
      )
      .withResponse()
    return new Call(
      answer.then(({ data, response }) => {
        const { attempts, requestId } = response
        const facts = { ...parquetCall, outcome: 'succeeded', attempts, requestId } as const
        return { data: new ParquetArchive(data.stream, facts, checkCount), response }
      }),
    )
  }

  /** How the number of an archive's files is checked, by the call's `validation`. */
  #countCheck(count: number, options: RequestOptions | undefined) {
    const transport = this.#transport
    return (files: number): string | undefined => {
      const validation = transport.validationOf(options)
      if (files === count || validation === 'off') return undefined
      const expected = `one file for each query (${count})`
      if (validation === 'strict') return `has ${files} files: expected ${expected}`
      transport.reportInvalid(parquetCall, { path: 'answer', expected })
      return undefined
    }
  }

  /**
   * Runs the same queries for any number of users, a few at a time, and yields each user's result or error as it comes.
   * Users may be any iterable, which is read no further ahead than requests are under way. The request and an array of
   * users are copied when you call the method. Leaving the loop aborts what is under way. Your abort's reason, your
   * source's error and a request that is wrong for every user are thrown.
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
    const issues = issuesOfEach(userIds, options)
    const users = Array.isArray(userIds) ? [...userIds] : userIds
    return this.#each(users, keptRequest(request, issues), snapshotOptions(options), issues)
  }

  /** Runs when it is read; what it is given was kept before. */
  async *#each<const Queries extends readonly AnyQuery[]>(
    userIds: UserIds,
    request: QueriesRequest<Queries>,
    { concurrency, format = 'json', onProgress, ...call }: QueryEachOptions,
    issues: readonly Issue[],
  ): AsyncGenerator<UserAnswer<QueriesResult<Queries> | ParquetArchive>> {
    if (issues.length > 0) throw new RequestValidationError(issues, eachCall)
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

const parquetCall = {
  operation: 'aggregate.queryParquet',
  route: 'POST /aggregate/v1/user/{user_id}/query',
}

const eachCall = { ...parquetCall, operation: 'aggregate.queryEach' }

function bodyOf(request: QueriesRequest<readonly AnyQuery[]>): AggregateRequest {
  // The list is readonly to callers; nothing writes to it.
  return request as unknown as AggregateRequest
}

/** How many queries a request has; one without a list of them is refused before it is sent. */
function countOf(body: AggregateRequest): number {
  const { queries } = Object(body) as Partial<AggregateRequest>
  return Array.isArray(queries) ? queries.length : 0
}

/** A request as it is now; one that JSON cannot carry is an issue. */
function keptRequest<Request>(request: Request, issues: Issue[]): Request {
  const copy = snapshot(request)
  if (isUnreadable(copy)) issues.push({ path: 'body', expected: carriedByJson })
  return copy
}
