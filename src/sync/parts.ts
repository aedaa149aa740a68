import { nextTurn } from '../shared/next-turn.ts'

/**
 * The maximum number of rows per statement. Each row repeats the user and the source, so a message's rows may be a
 * hundred times as long as the message itself.
 */
export const mostRows = 2000

/**
 * Yields lists of at most {@link mostRows} items and lets other tasks run between them. Omits `undefined` items, so a
 * list may be shorter or empty.
 */
export async function* partsOf<T>(items: Iterable<T | undefined>): AsyncGenerator<T[]> {
  let part: T[] = []
  let count = 0
  for (const item of items) {
    if (count === mostRows) {
      yield part
      await nextTurn()
      part = []
      count = 0
    }
    if (item !== undefined) part.push(item)
    count += 1
  }
  yield part
}

const partLength = 100_000

/**
 * Yields parts of a string and lets other tasks run between them. Each part overlaps the previous one by `overlap`
 * characters.
 */
export async function* partsOfText(text: string, overlap = 0): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += partLength) {
    if (at > 0) await nextTurn()
    yield text.slice(Math.max(0, at - overlap), at + partLength)
  }
}
