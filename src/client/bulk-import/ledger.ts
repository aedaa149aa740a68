import type {
  BulkImportFailure,
  BulkImportProgress,
  BulkImportReport,
  RecipeOutcome,
  RecipeRange,
} from './bulk-import.ts'
import { merged, startingAt } from './ranges.ts'

const outcomes = ['unsent', 'imported', 'failed', 'accepted', 'unknown'] as const
const leftOut = outcomes.length

/** The account of a bulk import: one byte for each recipe, however many there are. */
export class Ledger {
  #bytes = new Uint8Array(1024)
  #read = 0
  #isExhausted = false
  #stopped: { reason: unknown } | undefined
  readonly #failures: BulkImportFailure[] = []
  readonly #counts: Record<RecipeOutcome, number> = {
    unsent: 0,
    imported: 0,
    failed: 0,
    accepted: 0,
    unknown: 0,
  }
  readonly #only: readonly RecipeRange[]
  #at = 0
  #refused = 0

  /** Of a source of which only these ranges are chosen. */
  constructor(only: readonly RecipeRange[] = [[0, null]]) {
    this.#only = merged(only)
  }

  /** The position of the recipe just read; undefined when it is not chosen. */
  next(): number | undefined {
    if (this.#read === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    const position = this.#read
    this.#read += 1
    if (this.#isChosen(position)) return position
    this.#bytes[position] = leftOut
    return undefined
  }

  /** Positions come in ascending order, so no range is looked at again once it is passed. */
  #isChosen(position: number): boolean {
    const last = this.#only[this.#at]?.[1]
    if (typeof last === 'number' && last < position) this.#at += 1
    const range = this.#only[this.#at]
    return range !== undefined && range[0] <= position
  }

  /** No recipe follows. */
  exhausted(): void {
    this.#isExhausted = true
  }

  mark(positions: readonly number[], outcome: RecipeOutcome): void {
    const code = outcomes.indexOf(outcome)
    for (const position of positions) this.#bytes[position] = code
    this.#counts[outcome] += positions.length
  }

  /** Sets aside recipes that were never sent, for they are invalid. */
  refuse(positions: readonly number[], error: unknown): void {
    this.mark(positions, 'failed')
    this.fail(positions, error)
    this.#refused += positions.length
  }

  fail(positions: readonly number[], error: unknown): void {
    const first = positions[0]
    if (first !== undefined)
      this.#failures.push({ range: [first, positions.at(-1) ?? first], error })
  }

  /** Ends the import; the first reason counts. */
  stop(reason: unknown): void {
    this.#stopped ??= { reason }
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  progress(): BulkImportProgress {
    const { imported, failed, accepted, unknown } = this.#counts
    const sent = imported + failed + accepted + unknown - this.#refused
    return { sent, imported, failed, accepted, unknown }
  }

  report(): BulkImportReport {
    const ranges = this.#ranges()
    const unread = this.#isExhausted ? [] : startingAt(this.#read, this.#only)
    ranges.unsent = merged([...ranges.unsent, ...unread])
    const failures = this.#failures.toSorted((one, other) => one.range[0] - other.range[0])
    return { ...this.progress(), ranges, failures, stopped: this.#stopped?.reason }
  }

  #ranges(): Record<RecipeOutcome, RecipeRange[]> {
    const ranges: Record<RecipeOutcome, RecipeRange[]> = {
      imported: [],
      failed: [],
      accepted: [],
      unknown: [],
      unsent: [],
    }
    for (let first = 0, at = 1; at <= this.#read; at += 1) {
      if (at < this.#read && this.#bytes[at] === this.#bytes[first]) continue
      const outcome = outcomes[this.#bytes[first] ?? leftOut]
      if (outcome) ranges[outcome].push([first, at - 1])
      first = at
    }
    return ranges
  }
}
