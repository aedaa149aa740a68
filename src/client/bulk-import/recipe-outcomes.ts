import { tableOf } from '../../shared/narrow.ts'
import { mergeRanges, rangesFrom } from './ranges.ts'
import type {
  BulkImportCheckpoint,
  BulkImportFailure,
  BulkImportProgress,
  BulkImportReport,
  BulkImportStop,
  RecipeOutcome,
  RecipeRange,
} from './report.ts'

/** The byte that represents an outcome is its index in this list. Every recipe starts as 0, `unsent`. */
const outcomes = ['unsent', 'imported', 'failed', 'accepted', 'unknown'] as const
const excluded = outcomes.length

function byOutcome<Value>(create: () => Value): Record<RecipeOutcome, Value> {
  return tableOf(outcomes, create)
}

/** The outcomes of a bulk import's recipes, stored in one byte per recipe. */
export class RecipeOutcomes {
  #bytes = new Uint8Array(1024)
  #read = 0
  #isExhausted = false
  #stopped: BulkImportStop | undefined
  readonly #failures: BulkImportFailure[] = []
  readonly #counts = byOutcome(() => 0)
  readonly #only: readonly RecipeRange[]
  #at = 0
  #rejected = 0

  /** @param only The ranges to import. Default: all. */
  constructor(only: readonly RecipeRange[] = [[0, null]]) {
    this.#only = mergeRanges(only)
  }

  /** Counts the next recipe and returns its position, or undefined if `only` excludes it. */
  next(): number | undefined {
    if (this.#read === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    const position = this.#read
    this.#read += 1
    if (this.#isSelected(position)) return position
    this.#bytes[position] = excluded
    return undefined
  }

  /** Positions ascend, so a range that ends before the current position is never needed again. */
  #isSelected(position: number): boolean {
    const last = this.#only[this.#at]?.[1]
    if (typeof last === 'number' && last < position) this.#at += 1
    const range = this.#only[this.#at]
    return range !== undefined && range[0] <= position
  }

  end(): void {
    this.#isExhausted = true
  }

  record(positions: readonly number[], outcome: RecipeOutcome): void {
    const code = outcomes.indexOf(outcome)
    for (const position of positions) this.#bytes[position] = code
    this.#counts[outcome] += positions.length
  }

  /** Records recipes that were not sent because they are invalid. */
  reject(positions: readonly number[], error: unknown): void {
    this.record(positions, 'failed')
    this.recordError(positions, error)
    this.#rejected += positions.length
  }

  recordError(positions: readonly number[], error: unknown): void {
    const first = positions[0]
    if (first !== undefined)
      this.#failures.push({ range: [first, positions.at(-1) ?? first], error })
  }

  /** Stops the import; only the first reason is kept. */
  stop(stop: BulkImportStop): void {
    this.#stopped ??= stop
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  progress(): BulkImportProgress {
    const { unsent: _, ...counts } = this.#counts
    const sent = Object.values(counts).reduce((sum, count) => sum + count, -this.#rejected)
    return { sent, ...counts }
  }

  report(): BulkImportReport {
    const ranges = this.#ranges()
    const unread = this.#isExhausted ? [] : rangesFrom(this.#read, this.#only)
    ranges.unsent = mergeRanges([...ranges.unsent, ...unread])
    const failures = this.#failures.toSorted((one, other) => one.range[0] - other.range[0])
    return { ...this.progress(), ranges, failures, stopped: this.#stopped }
  }

  /** Returns the outcomes of recipes. Merges consecutive recipes with the same outcome into one range. */
  checkpointsOf(positions: readonly number[]): BulkImportCheckpoint[] {
    const found: { range: [number, number]; outcome: RecipeOutcome }[] = []
    for (const position of positions) {
      const outcome = outcomes[this.#bytes[position] ?? 0] ?? 'unsent'
      const last = found.at(-1)
      const continues = last?.outcome === outcome && last.range[1] === position - 1
      if (last && continues) last.range[1] = position
      else found.push({ range: [position, position], outcome })
    }
    return found
  }

  #ranges(): Record<RecipeOutcome, RecipeRange[]> {
    const ranges = byOutcome<RecipeRange[]>(() => [])
    for (let first = 0, at = 1; at <= this.#read; at += 1) {
      if (at < this.#read && this.#bytes[at] === this.#bytes[first]) continue
      const outcome = outcomes[this.#bytes[first] ?? excluded]
      if (outcome) ranges[outcome].push([first, at - 1])
      first = at
    }
    return ranges
  }
}
