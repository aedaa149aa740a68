import type { ConnectionRecipe } from '../../contract/link.ts'
import { copyJson, isUnreadable } from '../copy-input.ts'
import { abortable } from '../transport/cancellation.ts'

/** The recipes to import, from any iterable. */
export type Recipes = Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>

/** A copy of a recipe. */
export interface ReadRecipe {
  /** Undefined when JSON cannot represent the recipe. */
  recipe: ConnectionRecipe | undefined
}

/**
 * Reads recipes and copies each immediately, because sources may reuse their objects. An array is copied completely before
 * this returns. When the signal aborts, the iteration throws its reason and does not wait for a slow source.
 */
export function readRecipes(
  recipes: Recipes,
  signal: AbortSignal | undefined,
): Iterable<ReadRecipe> | AsyncIterable<ReadRecipe> {
  if (Array.isArray(recipes)) return Array.from(recipes, copyRecipe)
  if (signal && Symbol.asyncIterator in recipes) return copyRecipes(untilAborted(recipes, signal))
  return copyRecipes(recipes)
}

async function* copyRecipes(recipes: Recipes): AsyncGenerator<ReadRecipe> {
  for await (const recipe of recipes) yield copyRecipe(recipe)
}

function copyRecipe(recipe: ConnectionRecipe): ReadRecipe {
  const copy = copyJson(recipe)
  return { recipe: isUnreadable(copy) ? undefined : copy }
}

async function* untilAborted(
  recipes: AsyncIterable<ConnectionRecipe>,
  signal: AbortSignal,
): AsyncGenerator<ConnectionRecipe> {
  const source = recipes[Symbol.asyncIterator]()
  let isIdle = false
  try {
    for (;;) {
      isIdle = false
      const { done, value } = await abortable(source.next(), signal)
      if (done) return
      isIdle = true
      yield value
    }
  } finally {
    const returned = Promise.resolve(source.return?.())
    // A source that is still waiting cannot return before its item arrives.
    if (isIdle) await returned
    else returned.catch(() => {})
  }
}
