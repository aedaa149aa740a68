import { mergeRanges } from '../client/bulk-import/ranges.ts'
import type {
  BulkImportCheckpoint,
  BulkImportReport,
  RecipeOutcome,
  RecipeRange,
} from '../client/bulk-import/report.ts'

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
 * Merges newer checkpoints into earlier ones, in ascending order. Both lists must be in ascending order, without
 * overlapping ranges.
 */
export function addCheckpoints(
  checkpoints: readonly BulkImportCheckpoint[],
  added: readonly BulkImportCheckpoint[],
): BulkImportCheckpoint[] {
  const kept: BulkImportCheckpoint[] = []
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
  const joined: BulkImportCheckpoint[] = []
  for (const { range, outcome } of sorted) {
    const before = joined.at(-1)
    const continues = before?.outcome === outcome && before.range[1] === range[0] - 1
    if (continues) joined.pop()
    joined.push({ range: [continues ? before.range[0] : range[0], range[1]], outcome })
  }
  return joined
}

export function joinReports(
  earlier: readonly BulkImportCheckpoint[],
  last: BulkImportReport,
): DurableImportReport {
  const done = earlier.filter(({ outcome }) => outcome !== 'unsent')
  const count = (outcome?: RecipeOutcome) =>
    done
      .filter((checkpoint) => outcome === undefined || checkpoint.outcome === outcome)
      .reduce((sum, { range: [first, end] }) => sum + end - first + 1, 0)
  const ranges = (outcome: RecipeOutcome): RecipeRange[] => {
    const before = done.filter((checkpoint) => checkpoint.outcome === outcome)
    return mergeRanges([...before.map(({ range }) => range), ...last.ranges[outcome]])
  }
  return {
    sent: last.sent + count(),
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
    failures: last.failures.map(({ range, error }) => ({ range, error: describe(error) })),
  }
}

function describe(error: unknown): object {
  const { toJSON, name } = Object(error)
  return typeof toJSON === 'function' ? toJSON.call(error) : { name: String(name) }
}
