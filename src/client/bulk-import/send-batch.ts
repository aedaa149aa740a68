import type { ConnectionRecipe } from '../../contract/link.ts'
import { type Outcome, ServiceError } from '../errors/service-error.ts'
import { UnprocessableEntityError } from '../errors/status-errors.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import type { RecipeBatch } from './batches.ts'
import type { RecipeOutcomes } from './recipe-outcomes.ts'
import type { BulkImportResult, RecipeOutcome } from './report.ts'

/** Sends one bulk import request. */
export type SendRecipes = (recipes: ConnectionRecipe[]) => PromiseLike<BulkImportResult>

/** What the batches of an import share. */
export interface BatchContext {
  send: SendRecipes
  outcomes: RecipeOutcomes
  signal: AbortSignal | undefined
}

/** Sends one batch and records its outcome. Removes recipes that the contract rejects and sends the others without them. */
export async function sendBatch(batch: RecipeBatch, context: BatchContext): Promise<void> {
  const { send, outcomes, signal } = context
  if (signal?.aborted) return
  try {
    recordResult(batch, await send(batch.recipes), outcomes)
  } catch (error) {
    if (signal?.aborted) return recordAbort(batch, error, context)
    const valid = error instanceof RequestValidationError && removeRejected(batch, error, outcomes)
    if (!valid) recordFailure(batch, error, outcomes)
    else if (valid.recipes.length > 0) await sendBatch(valid, context)
  }
}

/** A batch that was being sent when the import was aborted counts as unknown, whatever its error says. */
function recordAbort(
  { positions }: RecipeBatch,
  error: unknown,
  { outcomes, signal }: BatchContext,
) {
  outcomes.record(positions, 'unknown')
  outcomes.recordError(positions, error)
  outcomes.stop({ reason: 'aborted', error: signal?.reason })
}

function recordResult(
  { positions, recipes }: RecipeBatch,
  result: BulkImportResult,
  outcomes: RecipeOutcomes,
): void {
  if (result.status === 'accepted') {
    outcomes.record(positions, 'accepted')
    return
  }
  const imported = new Set(listOf(result.user_ids_imported).map(lowerCase))
  const failed = new Set(listOf(result.user_ids_failed).map(lowerCase))
  recipes.forEach(({ user_id }, at) => {
    const user = lowerCase(user_id)
    const outcome = failed.has(user) ? 'failed' : imported.has(user) ? 'imported' : 'unknown'
    outcomes.record(positions.slice(at, at + 1), outcome)
  })
}

/** An unchecked response may have no list. */
function listOf(ids: unknown): readonly unknown[] {
  return Array.isArray(ids) ? ids : []
}

function lowerCase(id: unknown): string {
  return String(id).toLowerCase()
}

/** Removes the recipes that a validation error names; returns undefined when it names none. */
function removeRejected(
  { positions, recipes }: RecipeBatch,
  error: RequestValidationError,
  outcomes: RecipeOutcomes,
): RecipeBatch | undefined {
  const named = error.issues.map(({ path }) => /^body\.connections\[(\d+)\]/.exec(path)?.[1])
  const rejected = new Set(named.flatMap((at) => (at === undefined ? [] : [Number(at)])))
  if (rejected.size === 0) return undefined
  const rejectedPositions = positions.filter((_, at) => rejected.has(at))
  outcomes.reject(rejectedPositions, error)
  return {
    positions: positions.filter((_, at) => !rejected.has(at)),
    recipes: recipes.filter((_, at) => !rejected.has(at)),
  }
}

/** Stops the import when the error would also occur in the next batch. */
function recordFailure({ positions }: RecipeBatch, error: unknown, outcomes: RecipeOutcomes): void {
  const outcome = outcomeOfError(error)
  outcomes.record(positions, outcome)
  outcomes.recordError(positions, error)
  if (!(error instanceof ServiceError)) outcomes.stop({ reason: 'unexpected', error })
  else if (outcome === 'unsent') outcomes.stop({ reason: 'request_failed', error })
}

const recipeOutcomes: Record<Outcome, RecipeOutcome> = {
  'not-sent': 'unsent',
  rejected: 'unsent',
  unknown: 'unknown',
  succeeded: 'accepted',
}

function outcomeOfError(error: unknown): RecipeOutcome {
  if (!(error instanceof ServiceError)) return 'unknown'
  if (error instanceof UnprocessableEntityError && error.outcome === 'rejected') return 'failed'
  return recipeOutcomes[error.outcome]
}
