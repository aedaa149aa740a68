import { mapValues } from '../../shared/lists.ts'

/** Numbers that programs often handle badly. The specification does not define bounds for measured values. */
const extremes = [0, -1, 1e15, 0.1 + 0.2]

/** Replaces a number with the extreme number that `place` selects. Other values are unchanged. */
export function extremeNumber(value: unknown, place: number): unknown {
  return typeof value === 'number' ? extremes[place % extremes.length] : value
}

export function withExtremeNumbers(
  fields: Readonly<Record<string, unknown>>,
  kept: RegExp,
): Record<string, unknown> {
  return mapValues(fields, (value, name, place) =>
    kept.test(name) ? value : extremeNumber(value, place),
  )
}
