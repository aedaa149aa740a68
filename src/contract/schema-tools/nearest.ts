const maxTypos = 2

/** The minimum length of a substring that similar names share, as a fraction of the longer name's length. */
const commonShare = 0.6

/** Suggests the known name that was probably meant, or lists all names if none is similar. Ignores case. */
export function suggestName(name: string, known: readonly string[]): string {
  const similar = similarName(name, known)
  return similar === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${similar}?`
}

function similarName(name: string, known: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase()
  const lowerKnown = known.map((option) => option.toLowerCase())
  const isTypo = (option: string) => editDistance(lowerName, option) <= maxTypos
  const similar = lowerKnown.filter((option) => isTypo(option) || sharesMost(lowerName, option))
  const found = nearest(lowerName, similar)
  return found === undefined ? undefined : known[lowerKnown.indexOf(found)]
}

/** Returns whether two names share a long substring, as maxRetry and maxRetries do. */
function sharesMost(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const size = Math.ceil(long.length * commonShare)
  for (let from = 0; from + size <= short.length; from += 1) {
    if (long.includes(short.slice(from, from + size))) return true
  }
  return false
}

export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => ({ known, distance: editDistance(name, known) }))
  return distances.toSorted((one, other) => one.distance - other.distance)[0]?.known
}

/** Returns the Levenshtein distance between the first 60 characters of two strings. */
export function editDistance(one: string, other: string): number {
  const [left, right] = [[...one.slice(0, 60)], [...other.slice(0, 60)]]
  let row = [...right.keys(), right.length]
  for (const [at, letter] of left.entries()) {
    const next = [at + 1]
    for (const [to, target] of right.entries()) {
      const change = Number(row[to]) + (letter === target ? 0 : 1)
      next.push(Math.min(Number(row[to + 1]) + 1, Number(next[to]) + 1, change))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
