import { callSiteOf } from '../errors/call-site.ts'
import { observe } from '../observe.ts'
import { createBatches, type RecipeBatch, type SendRecipes, sendBatch } from './batches.ts'
import { Checkpoints } from './checkpoints.ts'
import type { BulkImportAllOptions } from './import-options.ts'
import { RecipeOutcomes } from './recipe-outcomes.ts'
import type { ReadRecipe } from './recipe-source.ts'
import type { BulkImportReport } from './report.ts'

/** Imports the recipes. Never rejects, so the report is not lost. */
export async function importAll(
  source: Iterable<ReadRecipe> | AsyncIterable<ReadRecipe>,
  send: SendRecipes,
  options: BulkImportAllOptions,
  stop: AbortController,
): Promise<BulkImportReport> {
  const { batchSize = 1000, concurrency = 4, only, onBatch, onProgress, signal } = options
  const outcomes = new RecipeOutcomes(only, stop)
  const callSite = callSiteOf(options)
  const checkpoints = onBatch && new Checkpoints(onBatch, outcomes)
  const running = new Set<Promise<void>>()
  const sendStored = async (batch: RecipeBatch) => {
    if (checkpoints && !(await checkpoints.storeStart(batch.positions))) return
    await sendBatch(batch, { send, outcomes, signal })
    await checkpoints?.storeEnd(batch.positions)
  }
  const start = (batch: RecipeBatch) => {
    const request = sendStored(batch).then(() => {
      running.delete(request)
      observe(() => onProgress?.(outcomes.progress()))
    })
    running.add(request)
  }

  try {
    for await (const batch of createBatches(source, batchSize, { outcomes, callSite })) {
      signal?.throwIfAborted()
      if (outcomes.isStopped) break
      start(batch)
      if (running.size >= concurrency) await Promise.race(running)
    }
  } catch (error) {
    outcomes.stop({ reason: signal?.aborted ? 'aborted' : 'source_failed', error })
  }
  await Promise.all(running)
  return outcomes.report()
}
