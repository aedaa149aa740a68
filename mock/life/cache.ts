/**
 * Returns a function that remembers the latest `limit` values, whatever their subjects: many days of a few people, or a
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

/** Returns the value of a key, and makes it when the map does not have it. The map keeps the newest `limit` values. */
export function cached<K, V>(map: Map<K, V>, key: K, limit: number, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined || map.has(key)) return known as V // a value may be undefined
  const made = make()
  const [oldest] = map.size >= limit ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, made)
  return made
}
