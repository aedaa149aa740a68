import { ConnectionRecipe } from '../../contract/link.ts'
import { check } from '../../contract/schema-tools/check.ts'
import type { CallSite } from '../../shared/stack.ts'
import { type Outcome, ServiceError } from '../errors/service-error.ts'
import { UnprocessableEntityError } from '../errors/status-errors.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { importCall } from './import-options.ts'
import type { RecipeOutcomes } from './recipe-outcomes.ts'
import type { ReadRecipe } from './recipe-source.ts'
import type { BulkImportResult, RecipeOutcome } from './report.ts'

export interface RecipeBatch {
  positions: number[]
  recipes: ConnectionRecipe[]
}

/** Groups recipes into batches, and reads them only when the next batch is requested. */
export async function* createBatches(
  recipes: Iterable<ReadRecipe> | AsyncIterable<ReadRecipe>,
  size: number,
  { outcomes, callSite }: { outcomes: RecipeOutcomes; callSite: CallSite | undefined },
): AsyncGenerator<RecipeBatch> {
  let batch: RecipeBatch = { positions: [], recipes: [] }
  for await (const { recipe } of recipes) {
    const position = outcomes.next()
    if (position === undefined) continue
    if (recipe === undefined) {
      const facts = { ...importCall, callSite }
      outcomes.reject([position], new RequestValidationError([unreadableRecipe], facts))
      continue
    }
    batch.positions.push(position)
    batch.recipes.push(recipe)
    if (batch.recipes.length < size) continue
    yield batch
    batch = { positions: [], recipes: [] }
  }
  outcomes.end()
  if (batch.recipes.length > 0) yield batch
}

const unreadableRecipe = { path: 'recipe', expected: 'an object that JSON can represent' }

export type SendRecipes = (recipes: ConnectionRecipe[]) => PromiseLike<BulkImportResult>

export interface BatchContext {
  send: SendRecipes
  outcomes: RecipeOutcomes
  signal: AbortSignal | undefined
}

/** Sends a batch. If the client rejects recipes as invalid, sends the batch without them. */
export async function sendBatch(batch: RecipeBatch, context: BatchContext): Promise<void> {
  const { send, outcomes, signal } = context
  if (signal?.aborted) {
    outcomes.stop({ reason: 'aborted', error: signal.reason })
    return
  }
  try {
    recordResult(batch, await send(batch.recipes), outcomes)
  } catch (error) {
    if (signal?.aborted) return recordAbort(batch, error, context)
    const valid = error instanceof RequestValidationError && removeRejected(batch, error, outcomes)
    if (!valid) recordFailure(batch, error, outcomes)
    else if (valid.recipes.length > 0) await sendBatch(valid, context)
  }
}

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
  { status, user_ids_imported, user_ids_failed }: BulkImportResult,
  outcomes: RecipeOutcomes,
): void {
  const isFinal = status === 'completed'
  const imported = idsOf(user_ids_imported)
  const failed = idsOf(user_ids_failed)
  // The user id may be missing, because the service decides whether such a recipe is valid.
  const users = recipes.map(({ user_id }) => [...idsOf([user_id])][0])
  const sameUser = Map.groupBy(users, (user) => user)
  const outcomeOf = (user = ''): RecipeOutcome => {
    const isFailed = failed.has(user)
    const isImported = imported.has(user)
    if (!isFailed && !isImported) return isFinal ? 'unknown' : 'accepted'
    // The response does not say which of a user's recipes failed, or which are still being imported.
    const isSingle = isFinal || sameUser.get(user)?.length === 1
    if (isFailed === isImported || !isSingle) return 'unknown'
    return isFailed ? 'failed' : 'imported'
  }
  users.forEach((user, at) => {
    outcomes.record(positions.slice(at, at + 1), outcomeOf(user))
  })
}

/** Returns the ids in lower case. Ignores values other than strings, because the response may be unchecked. */
function idsOf(list: unknown): Set<string> {
  const ids: unknown[] = Array.isArray(list) ? list : []
  return new Set(ids.flatMap((id) => (typeof id === 'string' ? id.toLowerCase() : [])))
}

/**
 * Returns the batch without its invalid recipes, or undefined if all are valid. Checks every recipe, because the error
 * may list only some invalid ones.
 */
function removeRejected(
  { positions, recipes }: RecipeBatch,
  error: RequestValidationError,
  outcomes: RecipeOutcomes,
): RecipeBatch | undefined {
  const isValid = recipes.map((recipe) => check(ConnectionRecipe, recipe).length === 0)
  if (!isValid.includes(false)) return undefined
  const rejected = positions.filter((_, at) => !isValid[at])
  outcomes.reject(rejected, error)
  return {
    positions: positions.filter((_, at) => isValid[at]),
    recipes: recipes.filter((_, at) => isValid[at]),
  }
}

/** Records the failure, and stops the import if the next batch would fail in the same way. */
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
  // The response is unusable, so each recipe's outcome is unknown.
  succeeded: 'unknown',
}

function outcomeOfError(error: unknown): RecipeOutcome {
  if (!(error instanceof ServiceError)) return 'unknown'
  if (error instanceof UnprocessableEntityError && error.outcome === 'rejected') return 'failed'
  const isAccepted = error.outcome === 'succeeded' && error.attempts.at(-1)?.status === 202
  return isAccepted ? 'accepted' : recipeOutcomes[error.outcome]
}
