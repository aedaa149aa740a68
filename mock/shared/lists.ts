/** Returns the first of `length` indexes from which on `isAfter` is true; `length` if it is never true. */
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

/** A list that grows at its end and shrinks at its start; both take constant time, however long it is. */
export class Fifo<T> {
  /** Items before `#start` were removed. */
  #items: (T | undefined)[]
  #start = 0

  constructor(items: readonly T[] = []) {
    this.#items = [...items]
  }

  /** The number of items. */
  get length(): number {
    return this.#items.length - this.#start
  }

  /** The first item; undefined in an empty list. */
  get first(): T | undefined {
    return this.#items[this.#start]
  }

  /** Returns the item at an index; undefined outside the list. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#items[this.#start + index]
  }

  /** Adds an item at the end. */
  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes the first item and returns it. */
  shift(): T | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#start]
    this.#items[this.#start] = undefined
    this.#start += 1
    // Moving the items once for every time that the list halves costs a constant time for each item.
    if (this.#start * 2 > this.#items.length) {
      this.#items.splice(0, this.#start)
      this.#start = 0
    }
    return item
  }

  /** Returns the items from an index on, in order. */
  list(from = 0): T[] {
    // The items from the start on were not removed.
    return this.#items.slice(this.#start + from) as T[]
  }
}
