import type { Issue } from '../contract/schema/check.ts'

/** The issues of options that do not exist, each with the name that was probably meant. */
export function unknownOptions(options: object, known: readonly string[]): Issue[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => ({ path: shownName(name), expected: expectedFor(name, known) }))
}

/** A name that does not look like one may be data, so it is not shown. */
function shownName(name: string): string {
  return /^[A-Za-z]\w{0,39}$/.test(name) ? name : 'options'
}

function expectedFor(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((option) => ({ option, distance: distance(name.toLowerCase(), option.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)
  return nearest ? `a known option (did you mean ${nearest.option}?)` : `one of ${known.join(', ')}`
}

/** How many characters must be added, removed or replaced to turn one word into another (Levenshtein). */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
