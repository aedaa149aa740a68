import { present } from '../../src/shared/narrow.ts'
export interface Entry<T> {
  /** Entries are ordered by priority, lowest first. */
  readonly priority: number
  readonly value: T
  /** Increases with each addition, so values with the same priority keep their insertion order. */
  readonly order: number
  /** The index in the heap, or -1 after removal. */
  place: number
}

/** A binary heap from which any entry can be removed. Values are ordered by priority, then in insertion order. */
export class PriorityQueue<T> {
  #heap: Entry<T>[] = []
  #order = 0

  get size(): number {
    return this.#heap.length
  }

  /** The lowest priority, or infinity if the queue is empty. */
  get next(): number {
    return this.#heap[0]?.priority ?? Number.POSITIVE_INFINITY
  }

  get first(): Entry<T> | undefined {
    return this.#heap[0]
  }

  /** Adds a value and returns its entry, for {@link PriorityQueue.remove}. */
  add(priority: number, value: T): Entry<T> {
    const entry = { priority, value, order: this.#order, place: this.#heap.length }
    this.#order += 1
    this.#heap.push(entry)
    this.#rise(entry)
    return entry
  }

  /** Removes an entry, and returns whether it was in the queue. */
  remove(entry: Entry<T>): boolean {
    const { place } = entry
    if (this.#heap[place] !== entry) return false
    // The heap is not empty, because it contains the entry.
    const last = present(this.#heap.pop())
    entry.place = -1
    if (last === entry) return true
    this.#set(place, last)
    this.#rise(last)
    this.#sink(last)
    return true
  }

  /** Removes and returns the first value if its priority is at most `limit`. */
  take(limit: number = Number.POSITIVE_INFINITY): T | undefined {
    const [first] = this.#heap
    if (!first || first.priority > limit) return undefined
    this.remove(first)
    return first.value
  }

  list(): T[] {
    return this.entries().map(({ value }) => value)
  }

  entries(): Entry<T>[] {
    return this.#heap.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  }

  clear(): void {
    this.#heap = []
  }

  #set(place: number, entry: Entry<T>): void {
    this.#heap[place] = entry
    entry.place = place
  }

  #rise(entry: Entry<T>): void {
    while (entry.place > 0) {
      const place = (entry.place - 1) >>> 1
      // Every index below the entry's index is occupied.
      const parent = present(this.#heap[place])
      if (!isBefore(entry, parent)) return
      this.#set(entry.place, parent)
      this.#set(place, entry)
    }
  }

  #sink(entry: Entry<T>): void {
    for (;;) {
      const place = 2 * entry.place + 1
      const [left, right] = [this.#heap[place], this.#heap[place + 1]]
      const child = left && right && isBefore(right, left) ? right : left
      if (!child || !isBefore(child, entry)) return
      const { place: free } = child
      this.#set(entry.place, child)
      this.#set(free, entry)
    }
  }
}

function isBefore(one: Entry<unknown>, other: Entry<unknown>): boolean {
  return (
    one.priority < other.priority || (one.priority === other.priority && one.order < other.order)
  )
}
