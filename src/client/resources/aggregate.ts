import type { AggregateRequest } from '../../contract/aggregate.ts'
import type { Issue } from '../../contract/schema-tools/check.ts'
import type { ParquetArchive } from '../../parquet/archive/archive.ts'
import { queryEachUser, type UserResult } from '../aggregate/query-each.ts'
import { type QueryEachOptions, queryEachIssues } from '../aggregate/query-each-options.ts'
import type { AnyQuery, QueriesRequest, QueriesResult } from '../aggregate/query-types.ts'
import type { UserIds } from '../aggregate/user-source.ts'
import type { Call } from '../call.ts'
import { copyJson, isUnreadable, jsonRequirement } from '../copy-input.ts'
import { callSiteOf, withCallSite } from '../errors/call-site.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { copyOptions } from '../options/copy-options.ts'
import type { RequestOptions } from '../options/request-options.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.aggregate`, for aggregate queries over a user's health data (closed beta). */
export class AggregateApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Runs aggregate queries (specification 4.11). `results` contains one entry per query, in the same order. Each entry
   * contains a table with an `index` column and one column per aggregation, all of equal length. Write queries as
   * literals, or build them with {@link query}, which types their columns. The call only reads data, so it is retried
   * after temporary failures.
   *
   * @param userId The user's id, a UUID.
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
    const body = copyJson(toBody(request))
    const count = countQueries(body)
    const call = this.#transport.send(
      ({ aggregate }) => aggregate.queryAggregateOf(count),
      { params: { user_id: userId }, body },
      options,
    )
    // The specification promises one result per query, in the same order.
    return call as Call<QueriesResult<Queries>>
  }

  /**
   * Runs aggregate queries and returns their tables as a stream of Parquet files (specification 4.11). The connection
   * stays open until you read, save or cancel the archive. `tables` from `health-lab-sdk/parquet` reads the archive's
   * rows.
   *
   * @param userId The user's id, a UUID.
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
    const body = copyJson(toBody(request))
    const sited = withCallSite(copyOptions(options))
    const callSite = callSiteOf(sited)
    const checkCount = this.#createCountCheck(countQueries(body), sited)
    const download = this.#transport.download(
      ({ aggregate }) => aggregate.queryParquet,
      { params: { user_id: userId }, body },
      sited,
    )
    return download.map(async ({ data, response }) => {
      // Load the module on demand, because most programs do not read archives.
      const { ParquetArchive } = await import('../../parquet/archive/archive.ts')
      const { attempts, requestId } = response
      const outcome = 'succeeded'
      const facts = { ...parquetCall, outcome, attempts, requestId, callSite } as const
      return { data: new ParquetArchive(data.stream, facts, checkCount), response }
    })
  }

  #createCountCheck(count: number, options: RequestOptions | undefined) {
    const transport = this.#transport
    return (files: number): string | undefined => {
      const validation = transport.validationOf(options)
      if (files === count || validation === 'off') return undefined
      const expected = `one file for each query (${count})`
      if (validation === 'strict') return `has ${files} files: expected ${expected}`
      transport.reportInvalid(parquetCall, { path: 'response', expected })
      return undefined
    }
  }

  /**
   * Runs the same queries for any number of users with bounded concurrency, and yields each user's result or error as
   * it arrives. `userIds` may be any iterable. Leaving the loop aborts running requests. If you abort, the loop throws
   * your abort reason. It also throws if your iterable throws or the request itself is invalid.
   *
   * @param userIds The users' ids.
   * @param options The format, concurrency, progress callback and call options.
   * @throws {RequestValidationError} when an option or the request is invalid.
   * @example
   * for await (const { userId, result, error } of client.aggregate.queryEach(userIds, request)) {
   *   if (result) console.table(rows(result.results[0]))
   *   else console.error(userId, error)
   * }
   */
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options: QueryEachOptions<'parquet'> & {
      /** Yields archives instead of tables. */
      format: 'parquet'
    },
  ): AsyncGenerator<UserResult<ParquetArchive>>
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options?: QueryEachOptions<'json'>,
  ): AsyncGenerator<UserResult<QueriesResult<Queries>>>
  queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: Iterable<string> | AsyncIterable<string>,
    request: QueriesRequest<Queries>,
    options?: QueryEachOptions,
  ): AsyncGenerator<UserResult<QueriesResult<Queries> | ParquetArchive>> {
    const copy = withCallSite(copyOptions(options))
    const body = copyJson(request)
    const issues: Issue[] = [
      ...queryEachIssues(userIds, copy),
      ...(isUnreadable(body) ? [{ path: 'body', expected: jsonRequirement }] : []),
    ]
    const users = Array.isArray(userIds) ? [...userIds] : userIds
    return this.#queryEach(users, body, copy, issues)
  }

  /** A generator's body starts with the first `next()` call, so `queryEach` copies the arguments beforehand. */
  async *#queryEach<const Queries extends readonly AnyQuery[]>(
    userIds: UserIds,
    request: QueriesRequest<Queries>,
    options: QueryEachOptions,
    issues: readonly Issue[],
  ): AsyncGenerator<UserResult<QueriesResult<Queries> | ParquetArchive>> {
    const { concurrency, format = 'json', onProgress, ...call } = options
    if (issues.length > 0) {
      throw new RequestValidationError(issues, { ...eachCall, callSite: callSiteOf(call) })
    }
    const plan = { concurrency, onProgress, signal: options.signal }
    if (format === 'parquet') {
      yield* queryEachUser(userIds, {
        ...plan,
        send: (userId, signal) => this.queryParquet(userId, request, { ...call, signal }),
        discard: (archive) => archive.cancel(),
      })
    } else {
      yield* queryEachUser(userIds, {
        ...plan,
        send: (userId, signal) => this.query(userId, request, { ...call, signal }),
      })
    }
  }
}

const parquetCall = {
  operation: 'aggregate.queryParquet',
  route: 'POST /aggregate/v1/user/{user_id}/query',
}

const eachCall = { ...parquetCall, operation: 'aggregate.queryEach' }

function toBody(request: QueriesRequest<readonly AnyQuery[]>): AggregateRequest {
  // The list is readonly for callers; the client does not change it.
  return request as unknown as AggregateRequest
}

/**
 * Returns the number of queries, or 0 if the list is missing. A request without the list is rejected before it is sent.
 */
function countQueries(request: AggregateRequest): number {
  // Untyped callers may pass undefined.
  const { queries } = Object(request) as Partial<AggregateRequest>
  return Array.isArray(queries) ? queries.length : 0
}
