/** The number of letters by which a name may differ from the one that was meant. */
const maxTypos = 2

/** Suggests the known name that was probably meant; without a similar one, lists them all. Upper case does not matter. */
export function suggestName(name: string, known: readonly string[]): string {
  const similar = similarName(name, known)
  return similar === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${similar}?`
}

function similarName(name: string, known: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase()
  const lowerKnown = known.map((option) => option.toLowerCase())
  const found = nearest(lowerName, lowerKnown)
  if (found === undefined || editDistance(lowerName, found) > maxTypos) return undefined
  return known[lowerKnown.indexOf(found)]
}

/** Returns the name with the smallest edit distance to a string. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => ({ known, distance: editDistance(name, known) }))
  return distances.toSorted((one, other) => one.distance - other.distance)[0]?.known
}

/** Counts the letters to add, remove or change (Levenshtein), within the first 60 letters. */
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
