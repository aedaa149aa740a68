import type { SourceRanks } from './source-priority.ts'

/** A query's rows by group. Each group's rows are in chronological order. */
export interface Grouping {
  /**
   * The index in `order` at which each group starts, followed by the end of the last group. Without `order`, these are
   * row numbers.
   */
  starts: ArrayLike<number>
  /** The row numbers sorted by group, or undefined if each group's rows are consecutive. */
  order: Int32Array | undefined
  /** The source ranks of the rows in `order`, or of all rows if it is undefined. Undefined if every source is used. */
  ranks: SourceRanks | undefined
}

/**
 * Reads the rows of one group at a time. All groups reuse the same arrays, because allocating arrays for all rows at once
 * is slow.
 */
export class GroupRows {
  /** The number of rows in the current group. */
  size = 0
  readonly #grouping: Grouping
  readonly #rows: Int32Array
  readonly #values: Float64Array

  constructor(grouping: Grouping) {
    const longest = longestGroup(grouping)
    this.#grouping = grouping
    this.#rows = new Int32Array(longest)
    this.#values = new Float64Array(longest)
  }

  /** Reads the group from `from` (inclusive) to `to` (exclusive). */
  read(from: number, to: number): void {
    const { order, ranks } = this.#grouping
    const rows = this.#rows
    const size = ranks ? keepBest(rows, from, to, ranks) : keep(rows, 0, from, to)
    if (order) for (let at = 0; at < size; at += 1) rows[at] = order[rows[at] as number] as number
    this.size = size
  }

  /**
   * Returns the group's values in a column, valid until the next call. Only the first `size` elements belong to the
   * group.
   */
  valuesOf(column: Float64Array): Float64Array {
    const { size } = this
    const rows = this.#rows
    const values = this.#values
    for (let at = 0; at < size; at += 1) values[at] = column[rows[at] as number] as number
    return values
  }
}

function longestGroup({ starts }: Grouping): number {
  let longest = 0
  for (let group = 0; group + 1 < starts.length; group += 1) {
    longest = Math.max(longest, (starts[group + 1] as number) - (starts[group] as number))
  }
  return longest
}

/** A rank that is greater than any source's rank. */
const worstRank = 0x7fff_ffff

/** Writes the positions of the rows from the group's best source. Returns the number of these rows. */
function keepBest(
  kept: Int32Array,
  from: number,
  to: number,
  { types, providers, ofTypes, ofProviders }: SourceRanks,
): number {
  let best = worstRank
  let size = 0
  for (let at = from; at < to; ) {
    const type = types[at] as number
    const provider = providers[at] as number
    // Adjacent rows often have the same source, so look up its rank only once for these rows.
    let end = at + 1
    while (end < to && types[end] === type && providers[end] === provider) end += 1
    // Every code has a rank.
    const rank = (ofTypes[type + 1] as number) + (ofProviders[provider + 1] as number)
    if (rank < best) size = 0
    best = Math.min(best, rank)
    if (rank === best) size = keep(kept, size, at, end)
    at = end
  }
  return size
}

/** Writes the positions `from` (inclusive) to `to` (exclusive) after the first `size` entries. Returns the new size. */
function keep(kept: Int32Array, size: number, from: number, to: number): number {
  for (let at = from; at < to; at += 1) kept[size + at - from] = at
  return size + to - from
}
