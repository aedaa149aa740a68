import type { ConnectionRecipe } from '../../contract/link.ts'
import { copyJson, isUnreadable } from '../copy-input.ts'
import { abortable } from '../transport/cancellation.ts'

export type Recipes = Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>

export interface ReadRecipe {
  /** A copy of the recipe, or undefined if JSON cannot represent it. */
  recipe: ConnectionRecipe | undefined
}

/**
 * Reads recipes and copies each immediately, because sources may reuse their objects. An array is copied completely
 * before this function returns. When the signal aborts, the iteration throws the signal's reason without waiting for a
 * slow source.
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

/** Yields a source's items until the signal aborts. Does not wait for a slow source. */
export async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const source = items[Symbol.asyncIterator]()
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
    // An async generator with a pending read cannot return until that read ends.
    if (isIdle) await returned
    else returned.catch(() => {})
  }
}
