import type { ConnectionRecipe } from '../../contract/link.ts'
import { isUnreadable, snapshot } from '../input-copy.ts'
import { abortable } from '../transport/cancellation.ts'

export type Recipes = Iterable<ConnectionRecipe> | AsyncIterable<ConnectionRecipe>

/** A recipe as it was when it was read; undefined when JSON cannot carry it. */
export interface ReadRecipe {
  recipe: ConnectionRecipe | undefined
}

/**
 * Reads recipes and copies each at once, because sources reuse their objects. An array is copied whole before this
 * returns. When the signal aborts, the iteration throws its reason and does not wait for a slow source.
 */
export function readRecipes(
  recipes: Recipes,
  signal: AbortSignal | undefined,
): Iterable<ReadRecipe> | AsyncIterable<ReadRecipe> {
  if (Array.isArray(recipes)) return Array.from(recipes, read)
  if (signal && Symbol.asyncIterator in recipes) return copies(untilAborted(recipes, signal))
  return copies(recipes)
}

async function* copies(recipes: Recipes): AsyncGenerator<ReadRecipe> {
  for await (const recipe of recipes) yield read(recipe)
}

function read(recipe: ConnectionRecipe): ReadRecipe {
  const copy = snapshot(recipe)
  return { recipe: isUnreadable(copy) ? undefined : copy }
}

async function* untilAborted(
  recipes: AsyncIterable<ConnectionRecipe>,
  signal: AbortSignal,
): AsyncGenerator<ConnectionRecipe> {
  const source = recipes[Symbol.asyncIterator]()
  let isAtRest = false
  try {
    for (;;) {
      isAtRest = false
      const { done, value } = await abortable(source.next(), signal)
      if (done) return
      isAtRest = true
      yield value
    }
  } finally {
    const returned = Promise.resolve(source.return?.())
    // A source that still waits for something cannot return before it has it.
    if (isAtRest) await returned
    else returned.catch(() => {})
  }
}
