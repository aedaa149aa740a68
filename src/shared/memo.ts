/** Returns a function that creates its value on the first call. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Returns a function that creates a value for an object on the first call with it. The values are forgotten with the object.
 */
export function memo<Key extends object, Rest extends unknown[], Value>(
  make: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const values = new WeakMap<Key, { value: Value }>()
  return (key, ...rest) => {
    const known = values.get(key)
    if (known) return known.value
    const value = make(key, ...rest)
    values.set(key, { value })
    return value
  }
}

/** Values by key, up to a total size; the least recently used ones are dropped, and the latest one is always kept. */
export class Recent<Key, Value> {
  readonly #values = new Map<Key, Value>()
  readonly #limit: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  /** @param sizeOf Returns the size of a value. Default: 1, so that `limit` is a number of values. */
  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.#limit = limit
    this.#sizeOf = sizeOf
  }

  /** Returns a key's value, and creates it if it is not kept. The values of one key have one type. */
  get<Made extends Value>(key: Key, make: () => Made): Made {
    const known = this.find(key) as Made | undefined
    if (known !== undefined || this.#values.has(key)) return known as Made // a value may be undefined
    const made = make()
    this.keep(key, made)
    return made
  }

  /** Returns the value of a key; undefined if it is not kept. */
  find(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    // The last one is the most recently used one.
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Keeps a value, in place of an earlier one. */
  keep(key: Key, value: Value): void {
    this.delete(key)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#limit || this.#values.size === 1) break
      this.delete(oldest)
    }
  }

  /** Whether a value is kept. */
  has(key: Key): boolean {
    return this.#values.has(key)
  }

  /** Drops the value of a key. */
  delete(key: Key): void {
    const value = this.#values.get(key)
    // Only a key that is kept has a size.
    if (this.#values.delete(key)) this.#size -= this.#sizeOf(value as Value)
  }

  /** Drops every value. */
  clear(): void {
    this.#values.clear()
    this.#size = 0
  }
}

/**
 * Returns a function that keeps the latest `limit` values of objects and numbers, such as dates: many days of a few people, or a
 * few days of many. They are forgotten with the subject.
 */
export function remember<S extends object, V>(
  limit: number,
  make: (subject: S, at: number) => V,
): (subject: S, at: number) => V {
  const bySubject = new WeakMap<S, Map<number, V>>()
  // Where the latest values are, as a ring.
  const latest: { values: Map<number, V>; at: number }[] = []
  let next = 0
  let current: { subject: S; values: Map<number, V> } | undefined
  return (subject, at) => {
    // Most calls are for the same subject as the one before, and find a value.
    const values = current?.subject === subject ? current.values : valuesOf(subject)
    const known = values.get(at)
    if (known !== undefined || values.has(at)) return known as V // a value may be undefined
    const made = make(subject, at)
    keep(values, at, made)
    return made
  }

  function valuesOf(subject: S): Map<number, V> {
    const values = bySubject.get(subject) ?? new Map<number, V>()
    bySubject.set(subject, values)
    current = { subject, values }
    return values
  }

  function keep(values: Map<number, V>, at: number, value: V): void {
    const oldest = latest[next]
    oldest?.values.delete(oldest.at)
    latest[next] = { values, at }
    next = (next + 1) % limit
    values.set(at, value)
  }
}
