/**
 * Returns the first index below `length` for which `isAfter` returns true, or `length` if there is none. `isAfter` must
 * also return true for all later indexes.
 */
export function firstIndex(length: number, isAfter: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** A queue whose insertion and removal take constant time on average. */
export class Fifo<T> {
  /** Items before `#start` have been removed. */
  #items: (T | undefined)[]
  #start = 0

  constructor(items: readonly T[] = []) {
    this.#items = [...items]
  }

  get length(): number {
    return this.#items.length - this.#start
  }

  get first(): T | undefined {
    return this.#items[this.#start]
  }

  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#items[this.#start + index]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#start]
    this.#items[this.#start] = undefined
    this.#start += 1
    // The items move only when more than half of the array is empty, so the average cost per item is constant.
    if (this.#start * 2 > this.#items.length) {
      this.#items.splice(0, this.#start)
      this.#start = 0
    }
    return item
  }

  list(from = 0): T[] {
    // The items at and after the start index have not been removed.
    return this.#items.slice(this.#start + from) as T[]
  }
}

export function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string, place: number) => To,
): Record<string, To> {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value], at) => [name, change(value, name, at)]))
}
