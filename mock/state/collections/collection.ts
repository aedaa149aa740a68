import { deepFreeze } from '../../shared/freeze.ts'
import { checkFields, plainCopy, withoutUndefined } from '../plain.ts'
import { type CollectionTypes, definitions } from '../records/definitions.ts'
import type { CollectionName } from '../records/paths.ts'
import { joinKey, type KeyParts, keyPartsOf, withLowerIds } from '../records/record-key.ts'
import {
  changedKey,
  checkRecord,
  keyInUse,
  mismatchedKeys,
  type RecordCall,
  unknownRecord,
} from './check-record.ts'
import { RecordStore } from './record-store.ts'

/** A change to a record. */
export interface Change {
  /** The record's collection. */
  collection: CollectionName
  /** The kind of change. */
  action: 'create' | 'update' | 'delete'
  /** The record's key. The parts of a compound key are joined with slashes. */
  key: string
  /** The record before an update or deletion. */
  before?: object
  /** The record after a creation or update. */
  after?: object
}

/** The hooks that a team passes to its collections. */
export interface CollectionHooks {
  /** Whether to reject invalid values. */
  isStrict: () => boolean
  /** Called after every change. */
  changed: (change: Change) => void
  /** Called before each access, to bring the records up to date. */
  beforeAccess?: () => void
  /** Called before each change, with the record to replace or delete, if any. */
  beforeChange?: (record?: object) => void
}

/** A collection's name, record factory and seeded records. */
export interface CollectionDefinition<T extends object, Input> extends CollectionHooks {
  /** The name in messages, changes and snapshots. */
  name: CollectionName
  /** Creates a record, generating any omitted fields. */
  make: (input: Input) => T
  /** The initial records, which all teams share. */
  seeded?: () => ReadonlyMap<string, T>
}

/** The type of the collection with the given name. */
export type CollectionOf<Name extends CollectionName> = Collection<
  CollectionTypes[Name]['record'],
  CollectionTypes[Name]['input'],
  CollectionTypes[Name]['key']
>

/** A collection in a snapshot: the records that differ from the seeded records. Null marks a deleted record. */
export type CollectionSnapshot = [key: string, record: object | null][]

/**
 * Records of one kind. Records are frozen: `update` replaces a record and never modifies an existing object. All teams
 * share the seeded records, and each team stores only its changes.
 *
 * @typeParam T The type of a record.
 * @typeParam Input The type of the input for `create`.
 * @typeParam Key The parts of a record's key.
 */
export class Collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  /** Whether this collection has initial records. */
  readonly isSeeded: boolean
  readonly #definition: CollectionDefinition<T, Input>
  readonly #store: RecordStore<T>
  /** The highest numeric key, or undefined before its first use and after a deletion or restore. */
  #greatest: number | undefined

  constructor(definition: CollectionDefinition<T, Input>) {
    this.#definition = definition
    this.isSeeded = definition.seeded !== undefined
    this.#store = new RecordStore(definition.seeded)
  }

  /** The number of records. */
  get size(): number {
    this.#definition.beforeAccess?.()
    return this.#store.size
  }

  /**
   * Creates a record. Omitted fields are generated.
   *
   * @throws {MockError} `invalid_state` if the key is in use, or `invalid_option` for an unknown field, an invalid
   * value, or input that is not plain data.
   */
  create(input: Input = {} as Input): T {
    this.check('create', input)
    this.#definition.beforeAccess?.()
    // Treat undefined fields like omitted ones, which are generated.
    const record = deepFreeze(this.#definition.make(withoutUndefined(this.#copy(input))))
    const key = this.#keyOf(record)
    if (this.#store.get(key)) throw keyInUse(key, this.#definition.name)
    this.#put(key, record)
    return record
  }

  /** Returns the record with the given key, or undefined if there is none. */
  get(...key: Key): T | undefined {
    this.#definition.beforeAccess?.()
    return this.#store.get(joinKey(key))
  }

  /** Returns whether a record has this key. */
  has(...key: Key): boolean {
    this.#definition.beforeAccess?.()
    return this.#store.get(joinKey(key)) !== undefined
  }

  /**
   * Returns the records in insertion order, seeded records first.
   *
   * @param where The field values to match. Default: none.
   * @throws {MockError} `invalid_option` for an unknown field.
   */
  list(where: Partial<T> = {}): T[] {
    const { name } = this.#definition
    checkFields(where, Object.keys(definitions[name].record.shape), `the filter of ${name}.list`)
    const wanted = Object.entries(where)
    return this.candidates(where).filter((record) =>
      wanted.every(([name, value]) => (record as Record<string, unknown>)[name] === value),
    )
  }

  /**
   * Returns the records in insertion order, seeded records first. Returns the same array until a record changes.
   *
   * @internal
   */
  records(): readonly T[] {
    this.#definition.beforeAccess?.()
    return this.#store.list()
  }

  /**
   * Returns the keys of all records, in insertion order. If the collection has seeded records, the keys of deleted
   * records are included.
   *
   * @internal
   */
  keys(): readonly string[] {
    this.#definition.beforeAccess?.()
    return this.#store.keys()
  }

  /**
   * Returns the next free key of a collection with numeric keys.
   *
   * @internal
   */
  nextNumber(): number {
    this.#greatest ??= this.records().reduce(
      (most, record) => Math.max(most, this.#number(record)),
      0,
    )
    return this.#greatest + 1
  }

  /**
   * Returns the records for `list` to filter, in insertion order. A collection with an index can omit records that do
   * not match.
   *
   * @internal
   */
  protected candidates(_where: Partial<T>): readonly T[] {
    return this.records()
  }

  /**
   * Updates fields of a record.
   *
   * @throws {MockError} `unknown_record` if no record has this key; `invalid_option` for an unknown field or an invalid
   *   value; `invalid_state` if the changes would alter the key.
   */
  update(...input: [...key: Key, changes: Partial<T>]): T {
    const changes = input.at(-1) as Partial<T>
    this.check('update', changes)
    // The parts of the key precede the changes.
    return this.replace(input.slice(0, -1) as unknown as Key, changes)
  }

  /**
   * Replaces fields of a record without checking the changes.
   *
   * @internal
   */
  protected replace(parts: Key, changes: Partial<T>): T {
    const key = joinKey(parts)
    this.#definition.beforeAccess?.()
    const before = this.#store.get(key)
    if (!before) throw unknownRecord(key, this.#definition.name)
    const after = deepFreeze({ ...before, ...this.#copy(changes) })
    if (this.#keyOf(after) !== key) {
      throw changedKey(key, this.#definition.name)
    }
    this.#put(key, after, before)
    return after
  }

  /** Deletes a record. Returns false if no record has this key. */
  delete(...key: Key): boolean {
    this.#definition.beforeAccess?.()
    const joined = joinKey(key)
    const before = this.#store.get(joined)
    if (!before) return false
    this.#definition.beforeChange?.(before)
    this.#store.delete(joined)
    this.#greatest = undefined
    this.#definition.changed({
      collection: this.#definition.name,
      action: 'delete',
      key: joined,
      before,
    })
    return true
  }

  /**
   * Creates or replaces a record.
   *
   * @throws {MockError} `invalid_option` for an unknown field or an invalid value.
   */
  put(record: T): T {
    this.check('put', record)
    const key = this.#keyOf(record)
    return this.#put(key, deepFreeze(record), this.#store.get(key))
  }

  /** Returns the state for a snapshot. */
  snapshot(): CollectionSnapshot {
    return this.#store.changes().map(([key, record]) => [key, record ?? null])
  }

  /**
   * Checks that a snapshot's keys match its records.
   *
   * @throws {MockError} `invalid_state` if they do not match.
   */
  checkKeys(snapshot: CollectionSnapshot): void {
    const keys = new Set(snapshot.map(([key]) => key))
    const matches = ([key, record]: CollectionSnapshot[number]) =>
      record === null || this.#keyOf(record) === key
    if (keys.size === snapshot.length && snapshot.every(matches)) return
    throw mismatchedKeys(this.#definition.name)
  }

  /** Restores the state of a checked snapshot, or the seeded records if there is no snapshot. */
  restore(snapshot: CollectionSnapshot = []): void {
    this.#store.clear()
    this.#greatest = undefined
    for (const [key, record] of snapshot) {
      // A checked snapshot contains records of this collection.
      this.#store.restore(key, record === null ? undefined : deepFreeze(record as T))
    }
  }

  /**
   * Checks a test's input: a record, or changes to a record.
   *
   * @internal
   */
  protected check(call: RecordCall, fields: Partial<T> | Input): void {
    const { name, isStrict } = this.#definition
    checkRecord(name, call, fields, isStrict())
  }

  #keyOf(record: object): string {
    return joinKey(keyPartsOf(this.#definition.name, record))
  }

  /** Copies a test's input. Converts the UUIDs in id fields to lower case, as the service does. */
  #copy<Values>(input: Values): Values {
    return withLowerIds(plainCopy(input, this.#definition.name))
  }

  #put(key: string, after: T, before?: T): T {
    this.#definition.beforeChange?.(before)
    this.#store.set(key, after)
    if (this.#greatest !== undefined) this.#greatest = Math.max(this.#greatest, this.#number(after))
    const collection = this.#definition.name
    this.#definition.changed(
      before
        ? { collection, action: 'update', key, before, after }
        : { collection, action: 'create', key, after },
    )
    return after
  }

  #number(record: T): number {
    return Number(this.#keyOf(record))
  }
}
