import { memo } from '../../../src/shared/memo.ts'

/** A collection's records by key: the seeded records, which all teams share, and one team's changes. */
export class RecordStore<T extends object> {
  readonly #seeded: (() => ReadonlyMap<string, T>) | undefined
  /** The records that differ from the seeded records. If there are seeded records, undefined marks a deleted record. */
  readonly #changed = new Map<string, T | undefined>()
  /** Caches the result of `list`. Each change clears it. */
  #list: readonly T[] | undefined
  /** Caches the result of `keys`. Each change clears it. */
  #keys: readonly string[] | undefined

  constructor(seeded: (() => ReadonlyMap<string, T>) | undefined) {
    this.#seeded = seeded
  }

  get size(): number {
    return this.#seeded ? this.list().length : this.#changed.size
  }

  get(key: string): T | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#seeded?.().get(key)
  }

  /** Returns the records in insertion order, seeded records first. Returns the same array until a record changes. */
  list(): readonly T[] {
    this.#list ??= this.#collect()
    return this.#list
  }

  /** Returns the keys of all records, including records marked as deleted, in insertion order. */
  keys(): readonly string[] {
    this.#keys ??= [...new Set([...(this.#seeded?.().keys() ?? []), ...this.#changed.keys()])]
    return this.#keys
  }

  /** Stores a record. If the key belongs to a record marked as deleted, the new record takes its position. */
  set(key: string, record: T): void {
    this.#changed.set(key, record)
    this.#forgetLists()
  }

  /** Deletes a record. If there are seeded records, retains the key, so a cursor with this key stays valid. */
  delete(key: string): void {
    if (this.#seeded) this.#changed.set(key, undefined)
    else this.#changed.delete(key)
    this.#forgetLists()
  }

  changes(): [key: string, record: T | undefined][] {
    return [...this.#changed]
  }

  clear(): void {
    this.#changed.clear()
    this.#forgetLists()
  }

  restore(key: string, record: T | undefined): void {
    this.#changed.set(key, record)
  }

  #forgetLists(): void {
    this.#list = undefined
    this.#keys = undefined
  }

  #collect(): readonly T[] {
    const seeded = this.#seeded?.()
    // Without seeded records, no record is marked as deleted.
    if (!seeded) return [...this.#changed.values()] as T[]
    if (this.#changed.size === 0) return seededRecords(seeded)
    const kept = [...seeded].map(([key, record]) =>
      this.#changed.has(key) ? this.#changed.get(key) : record,
    )
    const added = [...this.#changed].filter(([key]) => !seeded.has(key)).map(([, record]) => record)
    return [...kept, ...added].filter((record) => record !== undefined)
  }
}

// Filtered lists and `needsByLab` use this array as a cache key, so all teams without changes share one array.
const recordsOfSeeds = memo((seeded: ReadonlyMap<string, object>): readonly object[] => [
  ...seeded.values(),
])

function seededRecords<T extends object>(seeded: ReadonlyMap<string, T>): readonly T[] {
  // The list contains the records of this map.
  return recordsOfSeeds(seeded) as readonly T[]
}
