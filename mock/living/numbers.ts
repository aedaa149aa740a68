import { memo, Recent } from '../../src/shared/memo.ts'

export function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value
}

export function roundTo(value: number, decimals = 1): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

/**
 * Returns a function that interpolates linearly between points. Outside their range, the function returns the nearest
 * point's value.
 */
export function curve(values: Readonly<Record<number, number>>): (at: number) => number {
  const points = Object.entries(values).map(([at, value]) => [Number(at), value] as const)
  return (at) => {
    let [left, low] = points[0] ?? [0, 0]
    for (const [right, high] of points) {
      if (at < right)
        return right === left ? high : low + ((high - low) * (at - left)) / (right - left)
      left = right
      low = high
    }
    return low
  }
}

/** Returns a function that caches up to `limit` recently used values per subject, as long as the subject exists. */
export function rememberEach<S extends object, Key, V>(
  limit: number,
  make: (subject: S, key: Key) => V,
): (subject: S, key: Key) => V {
  const recentOf = memo((_subject: S) => new Recent<Key, V>(limit))
  return (subject, key) => recentOf(subject).get(key, () => make(subject, key))
}
