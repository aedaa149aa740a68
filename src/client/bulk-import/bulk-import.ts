import type { ConnectionRecipe } from '../../contract/link.ts'
import type { Issue } from '../../contract/schema/check.ts'
import type { Outcome } from '../errors.ts'
import { RequestValidationError, ServiceError, UnprocessableEntityError } from '../errors.ts'
import { observe } from '../observer.ts'
import {
  atLeastOne,
  callback,
  type OptionRule,
  optionIssues,
  sourceIssues,
  trueOrFalse,
} from '../option-rules.ts'
import type { RequestOptions } from '../options.ts'
import { Ledger } from './ledger.ts'
import { isRanges } from './ranges.ts'
import { type ReadRecipe, type Recipes, readRecipes } from './recipe-source.ts'

/** What a bulk import answers (specification 4.3). */
export interface BulkImportResult {
  /** `completed` (200): the two lists are final. `accepted` (202): the operation goes on in the background. */
  status: 'completed' | 'accepted'
  user_ids_imported: string[]
  user_ids_failed: string[]
}

/**
 * What is known of one recipe after `link.bulkImportAll`.
 * - `imported`, `failed`: the service says so; `failed` also where a recipe is refused as invalid, before or after sending.
 * - `accepted`: the service imports it in the background (202).
 * - `unknown`: it was sent, but no answer tells what became of it.
 * - `unsent`: it had no effect, and nothing is wrong with the recipe itself.
 */
export type RecipeOutcome = 'imported' | 'failed' | 'accepted' | 'unknown' | 'unsent'

/** Positions of recipes in the order given, from 0; both ends inclusive, `null` stands for the last recipe. */
export type RecipeRange = readonly [first: number, last: number | null]

/** How many recipes have which outcome so far. */
export interface BulkImportProgress {
  /** Recipes sent; those refused before sending are `failed` without being sent. */
  sent: number
  imported: number
  failed: number
  accepted: number
  unknown: number
}

/** Why the recipes of a range are not imported. */
export interface BulkImportFailure {
  range: RecipeRange
  error: unknown
}

/** What became of every recipe: the position of each is in exactly one list of ranges, unless `only` left it out. */
export interface BulkImportReport extends BulkImportProgress {
  ranges: Record<RecipeOutcome, RecipeRange[]>
  /** Every error met, with the recipes it concerns. */
  failures: BulkImportFailure[]
  /** Why the import ended early: your abort's reason, your source's error or a `ServiceError`; else undefined. */
  stopped: unknown
}

/** Options of `link.bulkImportAll`, besides those of every call. */
export interface BulkImportAllOptions extends RequestOptions {
  /** Recipes in one call, at least 1. Default: 1,000. */
  batchSize?: number | undefined
  /** Calls under way at a time, at least 1. Default: 4. */
  concurrency?: number | undefined
  /** Whether each call waits for completion, for up to 20 seconds, so that imported and failed are told apart. Default: false. */
  waitForCompletion?: boolean | undefined
  /** Only the recipes at these positions, such as `ranges.unsent` of an earlier report. Default: all. */
  only?: readonly RecipeRange[] | undefined
  /** Told after every batch. What it throws is ignored. */
  onProgress?: ((progress: BulkImportProgress) => void) | undefined
}

interface Batch {
  positions: number[]
  recipes: ConnectionRecipe[]
}

type Send = (recipes: ConnectionRecipe[]) => PromiseLike<BulkImportResult>

const call = { operation: 'link.bulkImportAll', route: 'POST /v2/link/bulk_import' }

const optionRules: Record<keyof Omit<BulkImportAllOptions, keyof RequestOptions>, OptionRule> = {
  batchSize: atLeastOne,
  concurrency: atLeastOne,
  waitForCompletion: trueOrFalse,
  only: {
    isValid: isRanges,
    expected: 'a list of ranges [first, last], positions from 0, last at least first or null',
  },
  onProgress: callback,
}

/** Checks what an import is given, before anything is read or sent. */
export function checkImport(
  provider: string,
  recipes: Recipes,
  options: BulkImportAllOptions | undefined,
): void {
  const issues: Issue[] = [
    ...(typeof provider === 'string' ? [] : [{ path: 'provider', expected: 'a string' }]),
    ...sourceIssues('recipes', recipes, 'recipes'),
    ...optionIssues(options, optionRules),
  ]
  if (issues.length > 0) throw new RequestValidationError(issues, call)
}

/**
 * Sends recipes in batches, a bounded number of them at a time, and keeps account of each. Once something was sent it
 * never rejects, so that the account is not lost.
 */
export async function importAll(
  recipes: Recipes,
  send: Send,
  { batchSize = 1000, concurrency = 4, only, onProgress, signal }: BulkImportAllOptions,
): Promise<BulkImportReport> {
  const source = readRecipes(recipes, signal)
  const ledger = new Ledger(only)
  const underWay = new Set<Promise<void>>()
  const start = (batch: Batch) => {
    const delivery = deliver(batch, { send, ledger, signal }).then(() => {
      underWay.delete(delivery)
      observe(() => onProgress?.(ledger.progress()))
    })
    underWay.add(delivery)
  }

  try {
    for await (const batch of batches(source, batchSize, ledger)) {
      signal?.throwIfAborted()
      if (ledger.isStopped) break
      start(batch)
      if (underWay.size >= concurrency) await Promise.race(underWay)
    }
  } catch (error) {
    ledger.stop(error)
  }
  await Promise.all(underWay)
  return ledger.report()
}

/** Cuts the chosen recipes into batches and reads no further ahead. */
async function* batches(
  recipes: Iterable<ReadRecipe> | AsyncIterable<ReadRecipe>,
  size: number,
  ledger: Ledger,
): AsyncGenerator<Batch> {
  let batch: Batch = { positions: [], recipes: [] }
  for await (const { recipe } of recipes) {
    const position = ledger.next()
    if (position === undefined) continue
    if (recipe === undefined) {
      ledger.refuse([position], new RequestValidationError([noRecipe], call))
      continue
    }
    batch.positions.push(position)
    batch.recipes.push(recipe)
    if (batch.recipes.length < size) continue
    yield batch
    batch = { positions: [], recipes: [] }
  }
  ledger.exhausted()
  if (batch.recipes.length > 0) yield batch
}

const noRecipe: Issue = { path: 'recipe', expected: 'an object that JSON can carry' }

/** What the delivery of a batch needs besides the batch. */
interface Delivery {
  send: Send
  ledger: Ledger
  signal: AbortSignal | undefined
}

/** Sends one batch; recipes that the contract refuses are set aside, and the others are sent without them. */
async function deliver(batch: Batch, delivery: Delivery): Promise<void> {
  const { send, ledger, signal } = delivery
  if (signal?.aborted) return
  try {
    markAnswered(batch, await send(batch.recipes), ledger)
  } catch (error) {
    if (signal?.aborted) return markAborted(batch, error, delivery)
    const valid = error instanceof RequestValidationError && withoutRefused(batch, error, ledger)
    if (!valid) markBroken(batch, error, ledger)
    else if (valid.recipes.length > 0) await deliver(valid, delivery)
  }
}

/** The error of an aborted call may be the caller's reason, which tells nothing of the batch, whatever it is. */
function markAborted({ positions }: Batch, error: unknown, { ledger, signal }: Delivery): void {
  ledger.mark(positions, 'unknown')
  ledger.fail(positions, error)
  ledger.stop(signal?.reason)
}

function markAnswered({ positions, recipes }: Batch, result: BulkImportResult, ledger: Ledger) {
  if (result.status === 'accepted') return ledger.mark(positions, 'accepted')
  const imported = new Set(listOf(result.user_ids_imported).map(lowerCased))
  const failed = new Set(listOf(result.user_ids_failed).map(lowerCased))
  recipes.forEach(({ user_id }, at) => {
    const user = lowerCased(user_id)
    const outcome = failed.has(user) ? 'failed' : imported.has(user) ? 'imported' : 'unknown'
    ledger.mark(positions.slice(at, at + 1), outcome)
  })
}

/** The ids; none where an unchecked response has no list. */
function listOf(ids: unknown): readonly unknown[] {
  return Array.isArray(ids) ? ids : []
}

function lowerCased(id: unknown): string {
  return String(id).toLowerCase()
}

/** Sets aside the recipes that a check names; undefined when it names none. */
function withoutRefused(
  { positions, recipes }: Batch,
  error: RequestValidationError,
  ledger: Ledger,
): Batch | undefined {
  const named = error.issues.map(({ path }) => /^body\.connections\[(\d+)\]/.exec(path)?.[1])
  const refused = new Set(named.flatMap((at) => (at === undefined ? [] : [Number(at)])))
  if (refused.size === 0) return undefined
  const refusedPositions = positions.filter((_, at) => refused.has(at))
  ledger.refuse(refusedPositions, error)
  return {
    positions: positions.filter((_, at) => !refused.has(at)),
    recipes: recipes.filter((_, at) => !refused.has(at)),
  }
}

/** What an error of one batch tells of its recipes. A refusal that no recipe caused would meet the next batch too. */
function markBroken({ positions }: Batch, error: unknown, ledger: Ledger): void {
  const outcome = batchOutcome(error)
  ledger.mark(positions, outcome)
  ledger.fail(positions, error)
  if (outcome === 'unsent' || !(error instanceof ServiceError)) ledger.stop(error)
}

function batchOutcome(error: unknown): RecipeOutcome {
  if (!(error instanceof ServiceError)) return 'unknown'
  if (error instanceof UnprocessableEntityError && error.outcome === 'rejected') return 'failed'
  const outcomes: Record<Outcome, RecipeOutcome> = {
    'not-sent': 'unsent',
    rejected: 'unsent',
    unknown: 'unknown',
    succeeded: 'accepted',
  }
  return outcomes[error.outcome]
}
