import type { ServiceError } from '../errors/service-error.ts'

/** The result of one bulk import request (specification 4.3). */
export interface BulkImportResult {
  /**
   * `completed` (200): the two lists are final. `accepted` (202): the operation continues in the background, and the
   * lists are usually empty.
   */
  status: 'completed' | 'accepted'
  /** The ids of users whose connections were imported. */
  user_ids_imported: string[]
  /** The ids of users whose imports failed. */
  user_ids_failed: string[]
}

/**
 * The outcome of one recipe in `link.bulkImportAll`.
 * - `imported`, `failed`: reported by the service; an invalid recipe is also `failed`, even if it was not sent.
 * - `accepted`: the service is importing the recipe in the background. The response had a 2xx status other than 200 and
 *   did not list the recipe's user.
 * - `unknown`: the recipe may have been sent, but no response shows its outcome.
 * - `unsent`: the recipe was not sent or had no effect, for a reason other than the recipe itself.
 */
export type RecipeOutcome = 'imported' | 'failed' | 'accepted' | 'unknown' | 'unsent'

/** A range of zero-based recipe positions. Both ends are inclusive; `null` means the last recipe. */
export type RecipeRange = readonly [first: number, last: number | null]

/** The number of recipes per outcome so far. */
export interface BulkImportProgress {
  /** The number of recipes sent, excluding `unsent` ones. Invalid recipes that were not sent are included only in `failed`. */
  sent: number
  /** The number of recipes that the service imported. */
  imported: number
  /** The number of recipes that the service reported as failed, plus invalid recipes. */
  failed: number
  /** The number of recipes that the service is importing in the background. */
  accepted: number
  /** The number of recipes with an unknown outcome. */
  unknown: number
}

/** An error and the recipes that it affects. */
export interface BulkImportFailure {
  /** The range from the first to the last affected recipe. */
  range: RecipeRange
  /** The error, usually a `ServiceError`. */
  error: unknown
}

/**
 * Why an import ended early.
 * - `aborted`: you aborted the signal; `error` is the signal's reason.
 * - `source_failed`: the recipe source threw `error`.
 * - `checkpoint_failed`: `onBatch` threw `error`.
 * - `request_failed`: a request failed with an error that would also affect the next request.
 * - `unexpected`: a request failed with an error that the client did not create, such as a mock's own error.
 */
export type BulkImportStop =
  | {
      /** Why the import ended early. */
      reason: 'aborted' | 'source_failed' | 'checkpoint_failed' | 'unexpected'
      /** The error, or the signal's reason. */
      error: unknown
    }
  | {
      /** Why the import ended early. */
      reason: 'request_failed'
      /** The request's error. */
      error: ServiceError
    }

/** The outcome of a range of recipes, as passed to `onBatch`. */
export interface BulkImportCheckpoint {
  /** The zero-based positions of the first and last recipes. */
  range: readonly [first: number, last: number]
  /** The recipes' outcome, or `unknown` before they are sent. */
  outcome: RecipeOutcome
}

/** The outcome of every recipe. Each position appears in exactly one list of ranges, unless `only` excludes it. */
export interface BulkImportReport extends BulkImportProgress {
  /** The positions of the recipes, grouped by outcome. */
  ranges: Record<RecipeOutcome, RecipeRange[]>
  /** Every error, with the recipes that it affects. */
  failures: BulkImportFailure[]
  /** Why the import ended early, or undefined if it did not. */
  stopped: BulkImportStop | undefined
}
