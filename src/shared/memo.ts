export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Returns a function that caches one value per object. The value is garbage-collected with the object. Later calls with
 * the same object ignore the other arguments.
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

/** A cache with a maximum total size. It evicts the least recently used values first, but never the latest one. */
export class Recent<Key, Value> {
  readonly #values = new Map<Key, Value>()
  readonly #limit: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  /** @param sizeOf Returns a value's size. Default: 1, so `limit` is the maximum number of values. */
  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.#limit = limit
    this.#sizeOf = sizeOf
  }

  /** Returns a key's value. Creates the value if it is missing. All values of a key must have the same type. */
  get<Made extends Value>(key: Key, make: () => Made): Made {
    const known = this.find(key) as Made | undefined
    if (known !== undefined || this.#values.has(key)) return known as Made // undefined can be cached
    const made = make()
    this.keep(key, made)
    return made
  }

  find(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    // Move the entry to the end of the map, because the first entry is evicted first.
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  keep(key: Key, value: Value): void {
    this.delete(key)
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#limit || this.#values.size === 1) break
      this.delete(oldest)
    }
  }

  has(key: Key): boolean {
    return this.#values.has(key)
  }

  delete(key: Key): void {
    const value = this.#values.get(key)
    // The key was in the map, so `value` is its value.
    if (this.#values.delete(key)) this.#size -= this.#sizeOf(value as Value)
  }

  clear(): void {
    this.#values.clear()
    this.#size = 0
  }
}

/**
 * Returns a function that caches its latest `limit` values, keyed by object and number, such as person and date. All
 * objects share the limit, so the cache can hold many days of a few people or a few days of many people.
 */
export function remember<S extends object, V>(
  limit: number,
  make: (subject: S, at: number) => V,
): (subject: S, at: number) => V {
  const bySubject = new WeakMap<S, Map<number, V>>()
  // A ring buffer with the locations of the latest values.
  const latest: { values: Map<number, V>; at: number }[] = []
  let next = 0
  let current: { subject: S; values: Map<number, V> } | undefined
  return (subject, at) => {
    // Most calls have the same subject as the previous call and find a cached value.
    const values = current?.subject === subject ? current.values : valuesOf(subject)
    const known = values.get(at)
    if (known !== undefined || values.has(at)) return known as V // undefined can be cached
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
