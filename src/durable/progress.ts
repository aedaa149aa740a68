import { toCheckpoint } from '../client/bulk-import/checkpoints.ts'
import { mergeRanges } from '../client/bulk-import/ranges.ts'
import type { ExactCheckpoint } from '../client/bulk-import/recipe-outcomes.ts'
import type { BulkImportReport, RecipeOutcome, RecipeRange } from '../client/bulk-import/report.ts'
import { describeError } from './end-write.ts'

/** The result of a durable import: the client's report as plain JSON, covering all runs. */
export interface DurableImportReport extends Omit<BulkImportReport, 'failures' | 'stopped'> {
  /** The last run's errors, each with the affected recipes. */
  failures: {
    /** The range from the first to the last affected recipe. */
    range: RecipeRange
    /** The error as JSON that is safe to log. */
    error: object
  }[]
}

/**
 * Merges checkpoints. Where ranges overlap, added checkpoints replace earlier ones. Both lists and the result are in
 * ascending order and have no overlapping ranges.
 */
export function addCheckpoints(
  checkpoints: readonly ExactCheckpoint[],
  added: readonly ExactCheckpoint[],
): ExactCheckpoint[] {
  const kept: ExactCheckpoint[] = []
  let at = 0
  for (const { range, outcome } of checkpoints) {
    const [first, last] = range
    while ((added[at]?.range[1] ?? last) < first) at += 1
    let start = first
    for (let next = at; (added[next]?.range[0] ?? Number.POSITIVE_INFINITY) <= last; next += 1) {
      const [from, to] = added[next]?.range ?? range
      if (start < from) kept.push({ range: [start, from - 1], outcome })
      start = to + 1
    }
    if (start <= last) kept.push({ range: [start, last], outcome })
  }
  const sorted = [...kept, ...added].toSorted((one, other) => one.range[0] - other.range[0])
  const joined: ExactCheckpoint[] = []
  for (const { range, outcome } of sorted) {
    const before = joined.at(-1)
    const continues = before?.outcome === outcome && before.range[1] === range[0] - 1
    if (continues) joined.pop()
    joined.push({ range: [continues ? before.range[0] : range[0], range[1]], outcome })
  }
  return joined
}

export function isUnsentPart({ outcome }: ExactCheckpoint): boolean {
  return outcome === 'unsent' || outcome === 'invalid'
}

export function joinReports(
  earlier: readonly ExactCheckpoint[],
  last: BulkImportReport,
): DurableImportReport {
  const done = earlier.map(toCheckpoint)
  const count = (outcome: RecipeOutcome) =>
    countRecipes(done.filter((one) => one.outcome === outcome))
  const ranges = (outcome: RecipeOutcome): RecipeRange[] => {
    const before = outcome === 'unsent' ? [] : done.filter((one) => one.outcome === outcome)
    return mergeRanges([...before.map(({ range }) => range), ...last.ranges[outcome]])
  }
  return {
    sent: last.sent + countRecipes(earlier.filter((one) => !isUnsentPart(one))),
    imported: last.imported + count('imported'),
    failed: last.failed + count('failed'),
    accepted: last.accepted + count('accepted'),
    unknown: last.unknown + count('unknown'),
    ranges: {
      imported: ranges('imported'),
      failed: ranges('failed'),
      accepted: ranges('accepted'),
      unknown: ranges('unknown'),
      unsent: ranges('unsent'),
    },
    failures: last.failures.map(({ range, error }) => ({
      range,
      error: describeError(error) ?? {},
    })),
  }
}

function countRecipes(checkpoints: readonly Pick<ExactCheckpoint, 'range'>[]): number {
  return checkpoints.reduce((sum, { range: [first, last] }) => sum + last - first + 1, 0)
}
