/** Numbers at which programs fail: the service gives no bounds of measured values. */
const extremes = [0, -1, 1e15, 0.1 + 0.2]

/** Replaces a number by an extreme one, by its place in a list; other values stay as they are. */
export function extremeNumber(value: unknown, place: number): unknown {
  return typeof value === 'number' ? extremes[place % extremes.length] : value
}

/** Returns an object whose numbers are extreme, except for the fields that a pattern matches. */
export function withExtremeNumbers(
  fields: Readonly<Record<string, unknown>>,
  kept: RegExp,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value], place) => [
      name,
      kept.test(name) ? value : extremeNumber(value, place),
    ]),
  )
}
