import { copyJson } from '../copy-input.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { findIterableIssues, findOptionIssues } from '../options/check-options.ts'
import { copyOptions } from '../options/copy-options.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import {
  booleanRule,
  callbackRule,
  createRule,
  type OptionRules,
  positiveInteger,
} from '../options/rules.ts'
import { isRanges } from './ranges.ts'
import type { Recipes } from './recipe-source.ts'
import type { BulkImportCheckpoint, BulkImportProgress, RecipeRange } from './report.ts'

/** Options for `link.bulkImportAll`, in addition to the options for every call. */
export interface BulkImportAllOptions extends RequestOptions {
  /** The number of recipes per request, at least 1. Default: 1,000. */
  batchSize?: number | undefined
  /** The maximum number of concurrent requests, at least 1. Default: 4. */
  concurrency?: number | undefined
  /**
   * Whether each request waits up to 20 seconds for completion, so the report can distinguish imported from failed
   * recipes. Default: false.
   */
  waitForCompletion?: boolean | undefined
  /** Imports only the recipes at these positions, such as `ranges.unsent` from an earlier report. Default: all. */
  only?: readonly RecipeRange[] | undefined
  /**
   * Called with recipe outcomes for you to store: with `unknown` before a batch is sent, and with the batch's outcomes
   * afterwards. Calls are awaited, so they never overlap. A batch is sent only after `unknown` has been stored, so a
   * sent recipe is never treated as unsent after a crash. {@link remainingRanges} returns the unsent positions. If the
   * callback throws, the import stops. Default: none.
   */
  onBatch?: ((checkpoint: BulkImportCheckpoint) => unknown) | undefined
  /** Called after each batch. Errors it throws are ignored. Default: none. */
  onProgress?: ((progress: BulkImportProgress) => void) | undefined
}

export const importCall = { operation: 'link.bulkImportAll', route: 'POST /v2/link/bulk_import' }

const rules: Record<keyof BulkImportAllOptions, OptionRules[string]> = {
  ...requestOptionRules,
  batchSize: positiveInteger,
  concurrency: positiveInteger,
  waitForCompletion: booleanRule,
  only: createRule('ranges [first, last], where 0 <= first <= last, or last is null', isRanges),
  onBatch: callbackRule,
  onProgress: callbackRule,
}

export function checkImport(
  provider: string,
  recipes: Recipes,
  given: BulkImportAllOptions | undefined,
): BulkImportAllOptions {
  const copy = copyOptions(given)
  const options = { ...copy, only: copyJson(copy.only) }
  const issues = [
    ...(typeof provider === 'string' ? [] : [{ path: 'provider', expected: 'a string' }]),
    ...findIterableIssues('recipes', recipes, 'recipes'),
    ...findOptionIssues(options, rules),
  ]
  if (issues.length > 0) throw new RequestValidationError(issues, importCall)
  return options
}
