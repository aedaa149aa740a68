import { adopt } from '../../shared/adopt.ts'
import type { ExactCheckpoint, RecipeOutcomes } from './recipe-outcomes.ts'
import type { BulkImportCheckpoint } from './report.ts'

type OnBatch = (checkpoint: BulkImportCheckpoint) => unknown
type StoreAll = (checkpoints: readonly ExactCheckpoint[]) => Promise<unknown>

const storeAllKey = Symbol('store all')

/**
 * Returns an `onBatch` callback that passes all of a batch's checkpoints to `storeAll` at once, in ascending order. The
 * checkpoints distinguish `invalid` recipes from `failed` ones.
 */
export function storeTogether(storeAll: StoreAll): OnBatch {
  return Object.assign((one: BulkImportCheckpoint) => storeAll([one]), { [storeAllKey]: storeAll })
}

/** Stores batch outcomes through the `onBatch` callback, one call at a time. */
export class Checkpoints {
  readonly #storeEach: StoreAll
  readonly #outcomes: RecipeOutcomes
  #last: Promise<unknown> = Promise.resolve()

  constructor(onBatch: OnBatch & { [storeAllKey]?: StoreAll }, outcomes: RecipeOutcomes) {
    this.#storeEach = onBatch[storeAllKey] ?? ((checkpoints) => callForEach(onBatch, checkpoints))
    this.#outcomes = outcomes
  }

  /** Stores the outcome `unknown` before a batch is sent. Returns whether the batch may be sent. */
  async storeStart(positions: readonly number[]): Promise<boolean> {
    const unsent = this.#outcomes.checkpointsOf(positions)
    return this.#storeAll(unsent.map(({ range }) => ({ range, outcome: 'unknown' })))
  }

  async storeEnd(positions: readonly number[]): Promise<void> {
    await this.#storeAll(this.#outcomes.checkpointsOf(positions))
  }

  /** Returns whether all checkpoints were stored. A failure stops the import. */
  async #storeAll(checkpoints: readonly ExactCheckpoint[]): Promise<boolean> {
    const stored = this.#last.then(() => this.#storeEach(checkpoints))
    this.#last = stored.catch(() => {})
    try {
      await stored
      return true
    } catch (error) {
      this.#outcomes.stop({ reason: 'checkpoint_failed', error })
      return false
    }
  }
}

async function callForEach(
  onBatch: OnBatch,
  checkpoints: readonly ExactCheckpoint[],
): Promise<void> {
  for (const checkpoint of checkpoints) await adopt(onBatch(toCheckpoint(checkpoint)))
}

export function toCheckpoint({ range, outcome }: ExactCheckpoint): BulkImportCheckpoint {
  return { range, outcome: outcome === 'invalid' ? 'failed' : outcome }
}
