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
 * before this function returns. When a signal aborts, iterating over an async source throws the signal's reason without
 * waiting for the source.
 */
export function readRecipes(
  recipes: Recipes,
  signals: readonly AbortSignal[],
): Iterable<ReadRecipe> | AsyncIterable<ReadRecipe> {
  if (Array.isArray(recipes)) return Array.from(recipes, copyRecipe)
  if (Symbol.asyncIterator in recipes) return copyRecipes(untilAborted(recipes, signals))
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
  signals: readonly AbortSignal[],
): AsyncGenerator<ConnectionRecipe> {
  const source = recipes[Symbol.asyncIterator]()
  let isIdle = true
  try {
    for (;;) {
      for (const signal of signals) signal.throwIfAborted()
      isIdle = false
      const { done, value } = await signals.reduce(abortable, source.next())
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
