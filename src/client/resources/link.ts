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
import { ownFields } from '../../shared/own-fields.ts'
import { type BulkImportAllOptions, checkImport } from '../bulk-import/import-options.ts'
import { readRecipes } from '../bulk-import/recipe-source.ts'
import type { BulkImportReport, BulkImportResult } from '../bulk-import/report.ts'
import type { Call, WithResponse } from '../call.ts'
import { withCallSite } from '../errors/call-site.ts'
import type { RequestOptions } from '../options/request-options.ts'
import { type ListOptions, listByCursor } from '../pagination/list-pages.ts'
import type { PageCall } from '../pagination/page-call.ts'
import type { Contract } from '../transport/load-modules.ts'
import type { Transport } from '../transport/transport.ts'

/** The methods of `client.link`, for data providers and users' connections to them. */
export class LinkApi {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the data providers that users can connect to (specification 4.9). The call only reads data, so it is retried
   * after temporary failures.
   *
   * @example
   * const providers = await client.link.listProviders({ source_type: 'device' })
   */
  listProviders(query: ProviderQuery = {}, options?: RequestOptions): Call<Provider[]> {
    return this.#transport.send(({ link }) => link.listProviders, { query }, options)
  }

  /**
   * Deletes a user's connection to a provider (specification 4.10). The specification defines deletion only for
   * cloud-based providers. For on-device health platforms, the call has no effect while the mobile SDK is in its
   * default Auto Connect mode. The call is idempotent, so it is retried after temporary failures.
   *
   * @param userId The user's id, a UUID.
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
   * Imports existing provider connections in one background operation (specification 4.3). `status` says whether the
   * operation has completed. With `wait_for_completion`, the service waits up to 20 seconds for completion. The call is
   * non-idempotent, so it is retried only if the service did not process the request.
   *
   * @throws {PermissionDeniedError} when link migration is not enabled for the team.
   * @throws {BadRequestError} when the team has no OAuth credential for the provider.
   * @example
   * const { status } = await client.link.bulkImport({ provider: 'oura', connections })
   */
  bulkImport(body: BulkImportInput, options?: RequestOptions): Call<BulkImportResult> {
    const call = this.#transport.exchange(({ link }) => link.bulkImport, { body }, options)
    return call.map(toImportResult)
  }

  /**
   * Imports any number of connections from any iterable, in batches and with bounded concurrency. Reports the outcome
   * of every recipe, so a later run can import the rest with `only`. After the first request, the call never rejects;
   * `stopped` in the report says why an import ended early. An array is copied when you call the method. Any other
   * source is read during the import; each recipe is copied when read, so the source may reuse its objects.
   *
   * Store checkpoints with `onBatch`, so no recipe is sent twice after a crash.
   *
   * @param recipes The connections, in an order that later runs can reproduce.
   * @throws {RequestValidationError} when `provider` is not a string, `recipes` is not iterable, or an option is
   * invalid.
   * @example
   * const report = await client.link.bulkImportAll('oura', recipes, { onProgress: console.log })
   * await client.link.bulkImportAll('oura', recipes, { only: report.ranges.unsent })
   */
  async bulkImportAll(
    provider: Open<BulkImportProvider>,
    recipes: Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>,
    options?: BulkImportAllOptions,
  ): Promise<BulkImportReport> {
    const copy = withCallSite(checkImport(provider, recipes, options))
    const { batchSize, concurrency, waitForCompletion, only, onBatch, onProgress, ...call } = copy
    const send = (connections: ConnectionRecipe[]) =>
      this.bulkImport(
        { provider, connections, wait_for_completion: waitForCompletion ?? false },
        call,
      )
    const stop = new AbortController()
    const signals = copy.signal ? [copy.signal, stop.signal] : [stop.signal]
    const source = readRecipes(recipes, signals)
    // Load the module on demand, because most programs do not import connections.
    const { importAll } = await import('../bulk-import/bulk-import.ts')
    return importAll(source, send, copy, stop)
  }

  /**
   * Lists the team's bulk operations and their progress (specification 4.3, rule 4). Operations have no id, so two
   * entries may look identical.
   *
   * @throws {PaginationError} when the next page cannot be determined, or after `maxPages` pages.
   * @example
   * for await (const op of client.link.listBulkOps()) console.log(op.provider, op.status, op.pending)
   */
  listBulkOps(query: BulkOpQuery = {}, options?: ListOptions): PageCall<BulkOpPage, BulkOp> {
    const endpoint = ({ link }: Contract) => link.listBulkOps
    return listByCursor({ endpoint, input: { query }, options }, (input, call) =>
      this.#transport.send(endpoint, input, call),
    )
  }
}

/** Reports `completed` only for a 200. Other success responses may have an empty body. */
function toImportResult({ data, response }: WithResponse<unknown>): WithResponse<BulkImportResult> {
  // With strict validation, the response has passed the schema for 200 or 202.
  const body: Partial<BulkImportResult> = ownFields(Object(data))
  const result: BulkImportResult = {
    ...body,
    status: response.status === 200 ? 'completed' : 'accepted',
    user_ids_imported: body.user_ids_imported ?? [],
    user_ids_failed: body.user_ids_failed ?? [],
  }
  return { data: result, response }
}
