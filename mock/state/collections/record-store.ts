import { memo } from '../../../src/shared/memo.ts'
/** The records of a collection by key: the seeded ones, which all teams share, and the changes of one team. */
export class RecordStore<T extends object> {
  readonly #seeded: (() => ReadonlyMap<string, T>) | undefined
  /** Records that differ from the seeded ones; undefined for a deleted one. Without seeded ones, none is marked as deleted. */
  readonly #changed = new Map<string, T | undefined>()
  /** All records in insertion order; undefined until they are needed, and after a change. */
  #list: readonly T[] | undefined
  /** The keys of all records, deleted ones included; undefined like the list. */
  #keys: readonly string[] | undefined

  constructor(seeded: (() => ReadonlyMap<string, T>) | undefined) {
    this.#seeded = seeded
  }

  /** The number of records. */
  get size(): number {
    return this.#seeded ? this.list().length : this.#changed.size
  }

  /** Returns a record; undefined for an unknown key. */
  get(key: string): T | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#seeded?.().get(key)
  }

  /** Returns the records in insertion order, seeded ones first; the same list until a record changes. */
  list(): readonly T[] {
    this.#list ??= this.#collect()
    return this.#list
  }

  /** Returns the keys of seeded and added records, deleted ones included, in insertion order. */
  keys(): readonly string[] {
    this.#keys ??= [...new Set([...(this.#seeded?.().keys() ?? []), ...this.#changed.keys()])]
    return this.#keys
  }

  /** Adds or replaces a record. */
  set(key: string, record: T): void {
    // An added record that was deleted comes back as the last one.
    if (!this.get(key)) this.#changed.delete(key)
    this.#changed.set(key, record)
    this.#forgetLists()
  }

  /** Deletes a record. Where others are seeded it is marked, so that a walk through pages knows its place. */
  delete(key: string): void {
    if (this.#seeded) this.#changed.set(key, undefined)
    else this.#changed.delete(key)
    this.#forgetLists()
  }

  /** Returns the records that differ from the seeded ones; undefined for a deleted one. */
  changes(): [key: string, record: T | undefined][] {
    return [...this.#changed]
  }

  /** Deletes the changes. */
  clear(): void {
    this.#changed.clear()
    this.#forgetLists()
  }

  /** Restores a change; undefined for a deleted record. */
  restore(key: string, record: T | undefined): void {
    this.#changed.set(key, record)
  }

  #forgetLists(): void {
    this.#list = undefined
    this.#keys = undefined
  }

  #collect(): readonly T[] {
    const seeded = this.#seeded?.()
    // Without seeded records, a deleted one leaves nothing behind.
    if (!seeded) return [...this.#changed.values()] as T[]
    if (this.#changed.size === 0) return seededRecords(seeded)
    const kept = [...seeded].map(([key, record]) =>
      this.#changed.has(key) ? this.#changed.get(key) : record,
    )
    const added = [...this.#changed].filter(([key]) => !seeded.has(key)).map(([, record]) => record)
    return [...kept, ...added].filter((record) => record !== undefined)
  }
}

// Filtered lists and `needsByLab` find their values by this list, so it is the same one while no record changes.
const recordsOfSeeds = memo((seeded: ReadonlyMap<string, object>): readonly object[] => [
  ...seeded.values(),
])

/** Returns the seeded records as a list, which all teams share. */
function seededRecords<T extends object>(seeded: ReadonlyMap<string, T>): readonly T[] {
  // They are the records of this map.
  return recordsOfSeeds(seeded) as readonly T[]
}
