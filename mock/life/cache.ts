/**
 * Returns a function that remembers the values of the latest `limit` numbers for each subject. They are forgotten with
 * the subject.
 */
export function remember<S extends object, V>(
  limit: number,
  make: (subject: S, at: number) => V,
): (subject: S, at: number) => V {
  const bySubject = new WeakMap<S, Map<number, V>>()
  let latest: { subject: S; values: Map<number, V> } | undefined
  return (subject, at) => {
    // Most calls are for the same subject as the one before, and find a value.
    const values = latest?.subject === subject ? latest.values : valuesOf(subject)
    const known = values.get(at)
    return known === undefined ? cached(values, at, limit, () => make(subject, at)) : known
  }

  function valuesOf(subject: S): Map<number, V> {
    const values = bySubject.get(subject) ?? new Map<number, V>()
    bySubject.set(subject, values)
    latest = { subject, values }
    return values
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
