import { mergeRanges } from './ranges.ts'
import type { BulkImportCheckpoint, RecipeRange } from './report.ts'

/**
 * Returns the positions of the recipes that an interrupted import has not sent: those without a checkpoint, and those
 * whose latest outcome is `unsent`. Pass them to the next run as `only`, with the same recipes in the same order.
 *
 * @param checkpoints All checkpoints that `onBatch` received in all runs, in order.
 * @example
 * const checkpoints: BulkImportCheckpoint[] = []
 * const only = remainingRanges(checkpoints)
 * await client.link.bulkImportAll('oura', recipes, { only, onBatch: (one) => void checkpoints.push(one) })
 */
export function remainingRanges(checkpoints: Iterable<BulkImportCheckpoint>): RecipeRange[] {
  let sent: RecipeRange[] = []
  for (const { range, outcome } of checkpoints) {
    if (outcome === 'unsent') sent = sent.flatMap((one) => withoutRange(one, range))
    else sent.push(range)
  }
  return gapsBetween(mergeRanges(sent))
}

function withoutRange(
  [first, last]: RecipeRange,
  [from, to]: BulkImportCheckpoint['range'],
): RecipeRange[] {
  const end = last ?? Number.POSITIVE_INFINITY
  const parts: [number, number][] = [
    [first, Math.min(end, from - 1)],
    [Math.max(first, to + 1), end],
  ]
  return parts.filter(([start, stop]) => start <= stop)
}

/** Returns the gaps between sorted, merged ranges, including the open range after the last one. */
function gapsBetween(ranges: readonly RecipeRange[]): RecipeRange[] {
  const gaps: RecipeRange[] = []
  let next = 0
  for (const [first, last] of ranges) {
    if (first > next) gaps.push([next, first - 1])
    if (last === null) return gaps
    next = last + 1
  }
  return [...gaps, [next, null]]
}
