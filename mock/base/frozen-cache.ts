/** Beyond this number of values, a cache starts again, so that its memory is bounded. */
const limit = 1000

/**
 * Keeps what was computed of the last records, which clients often read again, for example until a booking is confirmed.
 * Only values that cannot change are kept.
 */
export class FrozenCache<T> {
  #values = new WeakMap<object, T>()
  #count = 0

  /** Returns what was kept of a value; undefined if nothing was. */
  get(of: unknown): T | undefined {
    // A WeakMap has nothing of a value that is not an object.
    return this.#values.get(of as object)
  }

  /** Keeps what was computed of a value, unless the value can still change. */
  set(of: unknown, computed: T): void {
    // Records are frozen in depth.
    if (typeof of !== 'object' || of === null || !Object.isFrozen(of)) return
    if (this.#count === limit) {
      this.#values = new WeakMap()
      this.#count = 0
    }
    this.#count += 1
    this.#values.set(of, computed)
  }
}
