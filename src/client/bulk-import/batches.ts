import type { ConnectionRecipe } from '../../contract/link.ts'
import type { CallSite } from '../../shared/stack.ts'
import { RequestValidationError } from '../errors/validation-errors.ts'
import { importCall } from './import-options.ts'
import type { RecipeOutcomes } from './recipe-outcomes.ts'
import type { ReadRecipe } from './recipe-source.ts'

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
