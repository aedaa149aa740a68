/** Numbers that programs often handle badly. The specification does not define bounds for measured values. */
const extremes = [0, -1, 1e15, 0.1 + 0.2]

/** Replaces a number with an extreme one, selected by `place`. Other values are unchanged. */
export function extremeNumber(value: unknown, place: number): unknown {
  return typeof value === 'number' ? extremes[place % extremes.length] : value
}

/** Replaces an object's numbers with extreme ones, except in fields whose names match `kept`. */
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
