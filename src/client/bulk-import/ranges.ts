import type { BulkImportCheckpoint, RecipeRange } from './report.ts'

export function mergeRanges(ranges: readonly RecipeRange[]): RecipeRange[] {
  const joined: [first: number, end: number][] = []
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const end = last ?? Number.POSITIVE_INFINITY
    const before = joined.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], end)
    else joined.push([first, end])
  }
  return joined.map(([first, end]) => [first, Number.isFinite(end) ? end : null])
}

export function rangesFrom(position: number, ranges: readonly RecipeRange[]): RecipeRange[] {
  return ranges
    .filter(([, last]) => last === null || last >= position)
    .map(([first, last]) => [Math.max(first, position), last])
}

export function isRanges(value: unknown): value is readonly RecipeRange[] {
  return Array.isArray(value) && Array.from(value).every(isRange)
}

function isRange(value: unknown): value is RecipeRange {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [first, last]: unknown[] = value
  return isPosition(first) && (last === null || (isPosition(last) && last >= first))
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

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
