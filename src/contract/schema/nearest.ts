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
