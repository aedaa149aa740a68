import { storeTogether, toCheckpoint } from '../client/bulk-import/checkpoints.ts'
import type { BulkImportAllOptions } from '../client/bulk-import/import-options.ts'
import { remainingRanges } from '../client/bulk-import/ranges.ts'
import type { ExactCheckpoint } from '../client/bulk-import/recipe-outcomes.ts'
import type { Recipes } from '../client/bulk-import/recipe-source.ts'
import type { BulkImportStop } from '../client/bulk-import/report.ts'
import type { ServiceClient } from '../client/client.ts'
import { copyJson } from '../client/copy-input.ts'
import { withCallSite } from '../client/errors/call-site.ts'
import { copyOptions } from '../client/options/copy-options.ts'
import type { Open } from '../contract/values/known-values.ts'
import type { BulkImportProvider } from '../contract/values/providers.ts'
import { readField, toJson } from '../shared/own-fields.ts'
import { abortError, DurableError, takenOver } from './durable-error.ts'
import { retryStore } from './end-write.ts'
import type { HeldWrite } from './held-write.ts'
import type { WriteOptions } from './options.ts'
import { addCheckpoints, type DurableImportReport, isUnsentPart, joinReports } from './progress.ts'
import { runWrite } from './run-or-take-over.ts'
import { storeCause } from './use-store.ts'
import type { RunEnd, WriteTools } from './write.ts'

/** Options for a durable `link.bulkImportAll`. The store keeps the checkpoints. */
export interface DurableImportOptions
  extends Omit<BulkImportAllOptions, 'only' | 'onBatch'>,
    WriteOptions {}

/** The durable writes for connections. */
export interface DurableLink {
  /**
   * Imports connections once. If the import was stopped or its process ended, the next call continues from the
   * checkpoint. Batches that were in flight when a process ended are reported as `unknown`, and `unresolved` then lists
   * the import. Unlike the client's `link.bulkImportAll`, it rejects with the error that stopped the import; call again
   * to continue. If the failed request had no effect but earlier requests may have, it rejects with `pending`, and
   * `cause` is the failed request's error.
   *
   * If `recipes` is an array, its user ids and provider ids must match the first call's; tokens may differ. For other
   * iterables, only the provider is checked, so pass the same connections in the same order.
   *
   * @param id Your own id for the import: 1 to 255 characters, without personal data.
   * @param recipes The connections, in the same order in each call.
   * @throws {DurableError}
   * @throws {ServiceError} when a request fails with an error that would also affect the next request.
   * @example
   * const { accepted } = await writes.link.bulkImportAll('import-2026-11', 'oura', recipes)
   */
  bulkImportAll(
    id: string,
    provider: Open<BulkImportProvider>,
    recipes: Recipes,
    options?: DurableImportOptions,
  ): Promise<DurableImportReport>
}

const operation = 'link.bulkImportAll'

export function durableLink(client: ServiceClient, tools: WriteTools): DurableLink {
  return {
    bulkImportAll: (id, slug, given, givenOptions) => {
      const options = withCallSite(copyOptions(givenOptions))
      const provider = copyJson(slug)
      const { whenBusy, ...call } = options
      const recipes = Array.isArray(given) ? given.map((recipe) => copyJson(recipe)) : given
      const run = async (held: HeldWrite): Promise<RunEnd<DurableImportReport>> => {
        const earlier = parseProgress(held.write.progress)
        let checkpoints = earlier
        const onBatch = storeTogether(async (added) => {
          const next = addCheckpoints(checkpoints, added)
          const save = () => held.save(toJson(next))
          const isStart = added.every(({ outcome }) => outcome === 'unknown')
          // Recipes are sent only after `unknown` has been stored as their outcome.
          if (!isStart) checkpoints = next
          const isHeld = await (isStart ? save() : retryStore(save, tools.clock))
          if (!isHeld) throw takenOver(id)
          checkpoints = next
        })
        const only = remainingRanges(earlier.map(toCheckpoint))
        const source = countRecipes(recipes)
        const report = await client.link.bulkImportAll(provider, source.recipes, {
          ...call,
          only,
          onBatch,
        })
        if (report.stopped) {
          const isUnsent = checkpoints.every(isUnsentPart)
          return { state: 'failed', error: errorOf(id, report.stopped), hadNoEffect: isUnsent }
        }
        const [, last = -1] = earlier.at(-1)?.range ?? []
        if (source.count() <= last) {
          return { state: 'failed', error: endedEarly(id), hadNoEffect: false }
        }
        const result = joinReports(earlier, report)
        return result.unknown > 0 ? { state: 'unresolved', result } : { state: 'done', result }
      }
      const input = { provider, users: Array.isArray(recipes) ? recipes.map(identityOf) : null }
      const write = { id, operation, input, options }
      return runWrite({ ...write, send: run, recover: run }, tools)
    },
  }
}

export function parseProgress(progress: string): ExactCheckpoint[] {
  return progress === '' ? [] : JSON.parse(progress)
}

/** Returns the fields that identify a connection. Omits the tokens, which may change between calls. */
function identityOf(recipe: unknown): unknown[] {
  return [readField(recipe, 'user_id'), readField(recipe, 'provider_id')]
}

function countRecipes(recipes: Recipes): { recipes: Recipes; count: () => number } {
  if (Array.isArray(recipes)) return { recipes, count: () => recipes.length }
  const {
    [Symbol.asyncIterator]: isAsync,
    [Symbol.iterator]: isSync,
  }: Partial<AsyncIterable<unknown> & Iterable<unknown>> = Object(recipes)
  // The client rejects a source that is not iterable.
  if (!isAsync && !isSync) return { recipes, count: () => Number.POSITIVE_INFINITY }
  let count = 0
  async function* counted() {
    for await (const recipe of recipes) {
      count += 1
      yield recipe
    }
  }
  return { recipes: counted(), count: () => count }
}

/** Returns the error for a source that ended early, such as a generator that an earlier call has already read. */
function endedEarly(id: string): DurableError {
  const message =
    'The source yielded fewer connections than in an earlier call with this id, so the import is incomplete. Pass all connections again, for example from a new generator.'
  return new DurableError('input_differs', message, { id })
}

function errorOf(id: string, { reason, error }: BulkImportStop): unknown {
  if (reason === 'aborted') return abortError(operation, error)
  if (reason !== 'checkpoint_failed' || error instanceof DurableError) return error
  const message =
    'The import was stopped because the store could not save a checkpoint. Call again to continue.'
  return new DurableError('store_failed', message, { id, cause: storeCause(error) })
}
