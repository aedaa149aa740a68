import type {
  BulkImportInput,
  BulkOp,
  BulkOpPage,
  BulkOpQuery,
  ConnectionRecipe,
  DeletedConnection,
  Provider,
  ProviderQuery,
} from '../../contract/link.ts'
import type { Open } from '../../contract/values/known-values.ts'
import type { BulkImportProvider, ConnectionProvider } from '../../contract/values/providers.ts'
import {
  type BulkImportAllOptions,
  type BulkImportReport,
  type BulkImportResult,
  checkImport,
  importAll,
} from '../bulk-import/bulk-import.ts'
import { type Answer, Call } from '../call.ts'
import { type RequestOptions, snapshotOptions } from '../options.ts'
import { cursorPages, type ListOptions, type PageCall } from '../pagination/pagination.ts'
import type { Contract } from '../transport/load-contract.ts'
import type { Transport } from '../transport/transport.ts'

/** Data providers and the connections of users to them. */
export class Link {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the data providers that users can connect to (specification 4.9).
   *
   * @example
   * const providers = await client.link.listProviders({ source_type: 'device' })
   */
  listProviders(query: ProviderQuery = {}, options?: RequestOptions): Call<Provider[]> {
    return this.#transport.send(({ link }) => link.listProviders, { query }, options)
  }

  /**
   * Removes a user's connection to a provider (specification 4.10). It is well defined for cloud-based providers only:
   * for the on-device health platforms of phones it has no effect while the mobile SDK is in its default Auto Connect
   * mode. Idempotent: it is repeated after a failure that may pass.
   *
   * @param userId A UUID.
   * @param provider A provider slug.
   * @example
   * const { success } = await client.link.deleteConnection(userId, 'oura')
   */
  deleteConnection(
    userId: string,
    provider: Open<ConnectionProvider>,
    options?: RequestOptions,
  ): Call<DeletedConnection> {
    return this.#transport.send(
      ({ link }) => link.deleteConnection,
      { params: { user_id: userId, provider } },
      options,
    )
  }

  /**
   * Imports existing provider connections in one background operation (specification 4.3). `status` tells whether it
   * completed (only with `wait_for_completion`, within 20 seconds) or was accepted and goes on. Unsafe: it is repeated
   * only where the service did nothing with it. An empty list is allowed.
   *
   * @throws {PermissionDeniedError} when link migration is not enabled for the team.
   * @throws {BadRequestError} when the team has no OAuth credential for the provider.
   * @example
   * const { status } = await client.link.bulkImport({ provider: 'oura', connections })
   */
  bulkImport(body: BulkImportInput, options?: RequestOptions): Call<BulkImportResult> {
    const answer = this.#transport.exchange(({ link }) => link.bulkImport, { body }, options)
    return new Call(answer.then(importResult))
  }

  /**
   * Imports any number of connections: reads any iterable, sends batches with bounded concurrency and memory, and
   * reports the outcome of every recipe, so that nothing is lost and a later run can resume with `only`. Once something
   * was sent it does not reject; `stopped` in the report says why it ended early. One byte is kept for each recipe. An
   * array is copied when you call the method; any other source is read as the import goes on, and each recipe is copied
   * when it is read, so the source may reuse its objects.
   *
   * @throws {RequestValidationError} when the provider, the recipes or an option is invalid; nothing was sent.
   * @example
   * const report = await client.link.bulkImportAll('oura', recipes, { onProgress: console.log })
   * await client.link.bulkImportAll('oura', recipes, { only: report.ranges.unsent })
   */
  async bulkImportAll(
    provider: Open<BulkImportProvider>,
    recipes: Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>,
    options: BulkImportAllOptions = {},
  ): Promise<BulkImportReport> {
    checkImport(provider, recipes, options)
    const { batchSize, concurrency, waitForCompletion, only, onProgress, ...call } = options
    const kept = snapshotOptions(call)
    const send = (connections: ConnectionRecipe[]) =>
      this.bulkImport(
        { provider, connections, wait_for_completion: waitForCompletion ?? false },
        kept,
      )
    return importAll(recipes, send, options)
  }

  /**
   * Lists the team's bulk operations, to follow their progress (specification 4.3, rule 4). Operations have no id, so
   * two of them can look alike; each is listed.
   *
   * @throws {PaginationError} when the walk cannot go on, or after `maxPages` pages.
   * @example
   * for await (const op of client.link.listBulkOps()) console.log(op.provider, op.status, op.pending)
   */
  listBulkOps(query: BulkOpQuery = {}, options?: ListOptions): PageCall<BulkOpPage, BulkOp> {
    const endpoint = ({ link }: Contract) => link.listBulkOps
    return cursorPages({ endpoint, input: { query }, options }, (input, call) =>
      this.#transport.send(endpoint, input, call),
    )
  }
}

/** Only 200 is final; the body of any other success may be empty. */
function importResult({ data, response }: Answer<unknown>): Answer<BulkImportResult> {
  // The answer passed the schema of 200 or 202.
  const body = (data ?? {}) as Partial<BulkImportResult>
  const result: BulkImportResult = {
    ...body,
    status: response.status === 200 ? 'completed' : 'accepted',
    user_ids_imported: body.user_ids_imported ?? [],
    user_ids_failed: body.user_ids_failed ?? [],
  }
  return { data: result, response }
}
