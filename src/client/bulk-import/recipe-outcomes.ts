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

/**
 * The byte that represents an outcome is its index in this list. Every recipe starts as 0, `unsent`. Reports show
 * `invalid` recipes, which were not sent, as `failed`, and omit `excluded` ones.
 */
const outcomes = [
  'unsent',
  'imported',
  'failed',
  'accepted',
  'unknown',
  'invalid',
  'excluded',
] as const

type AnyOutcome = (typeof outcomes)[number]

export interface ExactCheckpoint extends Pick<BulkImportCheckpoint, 'range'> {
  outcome: RecipeOutcome | 'invalid'
}

export class RecipeOutcomes {
  #bytes = new Uint8Array(1024)
  #read = 0
  #isExhausted = false
  readonly #failures: BulkImportFailure[] = []
  readonly #counts = tableOf(outcomes, () => 0)
  readonly #only: readonly RecipeRange[]
  readonly #stop: AbortController
  #at = 0

  /** @param stop Aborted when the import stops, with a `BulkImportStop` as the reason. */
  constructor(only: readonly RecipeRange[] = [[0, null]], stop: AbortController) {
    this.#stop = stop
    this.#only = mergeRanges(only)
  }

  /** Returns the next recipe's position, or undefined if `only` excludes it. */
  next(): number | undefined {
    if (this.#read === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    const position = this.#read
    this.#read += 1
    if (this.#isSelected(position)) return position
    this.record([position], 'excluded')
    return undefined
  }

  /** Returns whether `only` includes a position. Positions ascend, so earlier ranges are not checked again. */
  #isSelected(position: number): boolean {
    const last = this.#only[this.#at]?.[1]
    if (typeof last === 'number' && last < position) this.#at += 1
    const range = this.#only[this.#at]
    return range !== undefined && range[0] <= position
  }

  end(): void {
    this.#isExhausted = true
  }

  record(positions: readonly number[], outcome: AnyOutcome): void {
    const code = outcomes.indexOf(outcome)
    for (const position of positions) this.#bytes[position] = code
    this.#counts[outcome] += positions.length
  }

  reject(positions: readonly number[], error: unknown): void {
    this.record(positions, 'invalid')
    this.recordError(positions, error)
  }

  recordError(positions: readonly number[], error: unknown): void {
    const first = positions[0]
    if (first !== undefined)
      this.#failures.push({ range: [first, positions.at(-1) ?? first], error })
  }

  /** Stops the import. Later calls do not replace the reason. */
  stop(stop: BulkImportStop): void {
    this.#stop.abort(stop)
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted
  }

  progress(): BulkImportProgress {
    const { imported, failed, accepted, unknown, invalid } = this.#counts
    const sent = imported + failed + accepted + unknown
    return { sent, imported, failed: failed + invalid, accepted, unknown }
  }

  report(): BulkImportReport {
    const { invalid, excluded: _, ...ranges } = this.#ranges()
    const unread = this.#isExhausted ? [] : rangesFrom(this.#read, this.#only)
    ranges.unsent = mergeRanges([...ranges.unsent, ...unread])
    ranges.failed = mergeRanges([...ranges.failed, ...invalid])
    const failures = this.#failures.toSorted((one, other) => one.range[0] - other.range[0])
    return { ...this.progress(), ranges, failures, stopped: this.#stop.signal.reason }
  }

  /** Returns one checkpoint per sequence of consecutive recipes with the same outcome. */
  checkpointsOf(positions: Iterable<number>): ExactCheckpoint[] {
    const found: { range: [number, number]; outcome: AnyOutcome }[] = []
    for (const position of positions) {
      const outcome = outcomes[this.#bytes[position] ?? 0] ?? 'unsent'
      const last = found.at(-1)
      const continues = last?.outcome === outcome && last.range[1] === position - 1
      if (last && continues) last.range[1] = position
      else found.push({ range: [position, position], outcome })
    }
    // `report` omits excluded recipes; other callers never pass their positions.
    return found as ExactCheckpoint[]
  }

  #ranges(): Record<AnyOutcome, RecipeRange[]> {
    const ranges = tableOf(outcomes, (): RecipeRange[] => [])
    const read = this.#bytes.subarray(0, this.#read).keys()
    for (const { range, outcome } of this.checkpointsOf(read)) ranges[outcome].push(range)
    return ranges
  }
}
