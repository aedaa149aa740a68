import { MockError } from '../errors.ts'
import type { CollectionName } from './collection-names.ts'
import { plainCopy } from './plain.ts'

/** One change of a team's state. */
export interface Change {
  collection: CollectionName
  action: 'create' | 'update' | 'delete'
  /** The key of the record; the parts of a compound key are joined with a slash. */
  key: string
  before?: object
  after?: object
}

/** What a collection is made of. */
export interface CollectionFacts<T extends object, Input, Key extends KeyParts> {
  name: CollectionName
  keyOf: (record: T) => Key
  /** Fills what the input leaves out. */
  make: (input: Input) => T
  /** Records that every team starts with; they are shared and never changed. */
  seeded?: () => ReadonlyMap<string, T>
  /** Runs before each access, to bring the records up to date. */
  beforeAccess?: () => void
  /** Hears of every change. */
  changed: (change: Change) => void
}

/** The parts of a key, such as a user's id and a provider. */
export type KeyParts = readonly (string | number)[]

/** What a snapshot keeps of a collection: what differs from the seeded records; null for a deleted one. */
export type CollectionSnapshot = [key: string, record: object | null][]

/**
 * Records of one kind. They are frozen: `update` replaces a record, so that one you hold never changes under you.
 * Seeded records are shared between teams; a team holds only what it changed.
 */
export class Collection<T extends object, Input = Partial<T>, Key extends KeyParts = [id: string]> {
  readonly #facts: CollectionFacts<T, Input, Key>
  /** Records that differ from the seeded ones; undefined for a deleted one. */
  readonly #own = new Map<string, T | undefined>()

  constructor(facts: CollectionFacts<T, Input, Key>) {
    this.#facts = facts
  }

  /** How many records there are. */
  get size(): number {
    return this.list().length
  }

  /**
   * Adds a record; what the input leaves out is filled with plausible values.
   *
   * @throws {MockError} `invalid_state` when there is a record of this key.
   */
  create(input: Input = {} as Input): T {
    this.#facts.beforeAccess?.()
    const record = frozen(this.#facts.make(plainCopy(input, this.#facts.name)))
    const key = this.#facts.keyOf(record).join('/')
    if (this.#at(key)) {
      throw new MockError('invalid_state', `There is a record of this key in ${this.#facts.name}.`)
    }
    this.#put(key, record)
    return record
  }

  /** The record of a key; undefined when there is none. */
  get(...key: Key): T | undefined {
    this.#facts.beforeAccess?.()
    return this.#at(key.join('/'))
  }

  /** Whether there is a record of a key. */
  has(...key: Key): boolean {
    this.#facts.beforeAccess?.()
    return this.#at(key.join('/')) !== undefined
  }

  /** The records in the order of their creation, seeded ones first: all of them, or those with these values. */
  list(where: Partial<T> = {}): T[] {
    this.#facts.beforeAccess?.()
    const wanted = Object.entries(where)
    const matches = (record: T | undefined): record is T =>
      record !== undefined &&
      wanted.every(([name, value]) => (record as Record<string, unknown>)[name] === value)
    const seeded = this.#facts.seeded?.()
    if (!seeded) return [...this.#own.values()].filter(matches)
    const kept = [...seeded].map(([key, record]) =>
      this.#own.has(key) ? this.#own.get(key) : record,
    )
    const added = [...this.#own].filter(([key]) => !seeded.has(key)).map(([, record]) => record)
    return [...kept, ...added].filter(matches)
  }

  /**
   * Replaces fields of a record.
   *
   * @throws {MockError} `unknown_record` when there is none of this key.
   */
  update(...input: [...key: Key, changes: Partial<T>]): T {
    const changes = input.at(-1) as Partial<T>
    const key = input.slice(0, -1).join('/')
    this.#facts.beforeAccess?.()
    const before = this.#at(key)
    if (!before) throw this.#unknown(key)
    const after = frozen({ ...before, ...plainCopy(changes, this.#facts.name) })
    if (this.#facts.keyOf(after).join('/') !== key) {
      throw new MockError('invalid_state', `The key of a record in ${this.#facts.name} stays.`)
    }
    this.#put(key, after, before)
    return after
  }

  /** Removes a record; false when there was none. */
  delete(...key: Key): boolean {
    this.#facts.beforeAccess?.()
    const joined = key.join('/')
    const before = this.#at(joined)
    if (!before) return false
    if (this.#facts.seeded?.().has(joined)) this.#own.set(joined, undefined)
    else this.#own.delete(joined)
    this.#facts.changed({
      collection: this.#facts.name,
      action: 'delete',
      key: joined,
      before,
    })
    return true
  }

  /** Adds a record, or replaces the one of its key. */
  put(record: T): T {
    const key = this.#facts.keyOf(record).join('/')
    return this.#put(key, frozen(record), this.#at(key))
  }

  /** What a snapshot keeps. */
  snapshot(): CollectionSnapshot {
    return [...this.#own].map(([key, record]) => [key, record ?? null])
  }

  /**
   * Refuses a snapshot whose keys are not those of its records.
   *
   * @throws {MockError} `invalid_state`
   */
  checkKeys(snapshot: CollectionSnapshot): void {
    const keys = new Set(snapshot.map(([key]) => key))
    // Only the fields of the key are read.
    const isOwn = ([key, record]: CollectionSnapshot[number]) =>
      record === null || this.#facts.keyOf(record as T).join('/') === key
    if (keys.size === snapshot.length && snapshot.every(isOwn)) return
    throw new MockError(
      'invalid_state',
      `A record in ${this.#facts.name} has a key of another one.`,
    )
  }

  /** Goes back to what a checked snapshot kept; without one, to the seeded records. */
  restore(snapshot: CollectionSnapshot = []): void {
    this.#own.clear()
    for (const [key, record] of snapshot) {
      // A checked snapshot holds records of this collection.
      this.#own.set(key, record === null ? undefined : frozen(record as T))
    }
  }

  #at(key: string): T | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#facts.seeded?.().get(key)
  }

  #put(key: string, after: T, before?: T): T {
    this.#own.set(key, after)
    const collection = this.#facts.name
    this.#facts.changed(
      before
        ? { collection, action: 'update', key, before, after }
        : { collection, action: 'create', key, after },
    )
    return after
  }

  #unknown(key: string): MockError {
    return new MockError('unknown_record', `There is no record ${key} in ${this.#facts.name}.`)
  }
}

/** Freezes plain values in depth, in place. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}
