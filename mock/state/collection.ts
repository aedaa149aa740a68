import { MockError } from '../errors.ts'
import type { CollectionName } from './collection-names.ts'
import { plainCopy } from './plain.ts'

/** A change of a record. */
export interface Change {
  /** The collection of the record. */
  collection: CollectionName
  /** What happened to the record. */
  action: 'create' | 'update' | 'delete'
  /** The key of the record; the parts of a compound key are joined with a slash. */
  key: string
  /** The record before an update or deletion. */
  before?: object
  /** The record after a creation or update. */
  after?: object
}

/** The definition of a collection. */
export interface CollectionDefinition<T extends object, Input, Key extends KeyParts> {
  /** The name in messages, changes and snapshots. */
  name: CollectionName
  /** Returns the key of a record. */
  keyOf: (record: T) => Key
  /** Makes a record; fills omitted fields. */
  make: (input: Input) => T
  /** The records that every team starts with; all teams share them. */
  seeded?: () => ReadonlyMap<string, T>
  /** Runs before each access, to bring the records up to date. */
  beforeAccess?: () => void
  /** Called after every change. */
  changed: (change: Change) => void
}

/** The parts of a key, such as a user's id and a provider. */
export type KeyParts = readonly (string | number)[]

/** A collection in a snapshot: the records that differ from the seeded ones; null for a deleted one. */
export type CollectionSnapshot = [key: string, record: object | null][]

/**
 * Records of one kind. They are frozen: `update` replaces a record, and never changes one that you already have.
 * All teams share the seeded records; a team stores its changes only.
 *
 * @typeParam T The type of a record.
 * @typeParam Input The fields that create a record.
 * @typeParam Key The parts of the key of a record.
 */
export class Collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  readonly #definition: CollectionDefinition<T, Input, Key>
  /** Records that differ from the seeded ones; undefined for a deleted one. */
  readonly #changed = new Map<string, T | undefined>()

  constructor(definition: CollectionDefinition<T, Input, Key>) {
    this.#definition = definition
  }

  /** The number of records. */
  get size(): number {
    return this.list().length
  }

  /**
   * Creates a record. Omitted fields are generated.
   *
   * @throws {MockError} `invalid_state` if the key is in use; `invalid_option` if the input is not plain.
   */
  create(input: Input = {} as Input): T {
    this.#definition.beforeAccess?.()
    const record = deepFreeze(this.#definition.make(plainCopy(input, this.#definition.name)))
    const key = this.#definition.keyOf(record).join('/')
    if (this.#at(key)) {
      throw new MockError(
        'invalid_state',
        `Cannot create ${key} in ${this.#definition.name}: the key is in use. Update or delete that record instead.`,
      )
    }
    this.#put(key, record)
    return record
  }

  /** Returns a record by its key; undefined for an unknown key. */
  get(...key: Key): T | undefined {
    this.#definition.beforeAccess?.()
    return this.#at(key.join('/'))
  }

  /** Whether a record has this key. */
  has(...key: Key): boolean {
    this.#definition.beforeAccess?.()
    return this.#at(key.join('/')) !== undefined
  }

  /**
   * Returns the records in insertion order, seeded ones first.
   *
   * @param where Only records with these values. Default: all.
   */
  list(where: Partial<T> = {}): T[] {
    this.#definition.beforeAccess?.()
    const wanted = Object.entries(where)
    const matches = (record: T | undefined): record is T =>
      record !== undefined &&
      wanted.every(([name, value]) => (record as Record<string, unknown>)[name] === value)
    const seeded = this.#definition.seeded?.()
    if (!seeded) return [...this.#changed.values()].filter(matches)
    const kept = [...seeded].map(([key, record]) =>
      this.#changed.has(key) ? this.#changed.get(key) : record,
    )
    const added = [...this.#changed].filter(([key]) => !seeded.has(key)).map(([, record]) => record)
    return [...kept, ...added].filter(matches)
  }

  /**
   * Replaces fields of a record.
   *
   * @throws {MockError} `unknown_record` if no record has this key; `invalid_state` if a change would change the key.
   */
  update(...input: [...key: Key, changes: Partial<T>]): T {
    const changes = input.at(-1) as Partial<T>
    const key = input.slice(0, -1).join('/')
    this.#definition.beforeAccess?.()
    const before = this.#at(key)
    if (!before) throw this.#unknownRecord(key)
    const after = deepFreeze({ ...before, ...plainCopy(changes, this.#definition.name) })
    if (this.#definition.keyOf(after).join('/') !== key) {
      throw new MockError(
        'invalid_state',
        `Cannot change the key of ${key} in ${this.#definition.name}. Delete the record and create another one.`,
      )
    }
    this.#put(key, after, before)
    return after
  }

  /** Deletes a record. Returns false if no record has this key. */
  delete(...key: Key): boolean {
    this.#definition.beforeAccess?.()
    const joined = key.join('/')
    const before = this.#at(joined)
    if (!before) return false
    if (this.#definition.seeded?.().has(joined)) this.#changed.set(joined, undefined)
    else this.#changed.delete(joined)
    this.#definition.changed({
      collection: this.#definition.name,
      action: 'delete',
      key: joined,
      before,
    })
    return true
  }

  /** Creates or replaces a record. */
  put(record: T): T {
    const key = this.#definition.keyOf(record).join('/')
    return this.#put(key, deepFreeze(record), this.#at(key))
  }

  /** Returns the state for a snapshot. */
  snapshot(): CollectionSnapshot {
    return [...this.#changed].map(([key, record]) => [key, record ?? null])
  }

  /**
   * Checks that the keys of a snapshot are those of its records.
   *
   * @throws {MockError} `invalid_state` if they are not.
   */
  checkKeys(snapshot: CollectionSnapshot): void {
    const keys = new Set(snapshot.map(([key]) => key))
    // Only the fields of the key are read.
    const matches = ([key, record]: CollectionSnapshot[number]) =>
      record === null || this.#definition.keyOf(record as T).join('/') === key
    if (keys.size === snapshot.length && snapshot.every(matches)) return
    throw new MockError(
      'invalid_state',
      `The keys in ${this.#definition.name} do not match the records.`,
    )
  }

  /** Restores the state of a checked snapshot; without one, the seeded records. */
  restore(snapshot: CollectionSnapshot = []): void {
    this.#changed.clear()
    for (const [key, record] of snapshot) {
      // A checked snapshot holds records of this collection.
      this.#changed.set(key, record === null ? undefined : deepFreeze(record as T))
    }
  }

  #at(key: string): T | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#definition.seeded?.().get(key)
  }

  #put(key: string, after: T, before?: T): T {
    this.#changed.set(key, after)
    const collection = this.#definition.name
    this.#definition.changed(
      before
        ? { collection, action: 'update', key, before, after }
        : { collection, action: 'create', key, after },
    )
    return after
  }

  #unknownRecord(key: string): MockError {
    return new MockError(
      'unknown_record',
      `No record in ${this.#definition.name} has the key ${key}. Use a key from list().`,
    )
  }
}

/** Freezes plain values deeply, in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
