/** Returns the number, or the nearest bound. */
export function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value
}

/** Rounds to a number of decimals. */
export function roundTo(value: number, decimals = 1): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

/** Points of a curve, in the order of their first number. */
export type Curve = readonly (readonly [at: number, value: number])[]

/** Returns the value of a curve, with straight lines between its points and level beyond them. */
export function interpolate(curve: Curve, at: number): number {
  let [left, low] = curve[0] ?? [0, 0]
  for (const [right, high] of curve) {
    if (at < right)
      return right === left ? high : low + ((high - low) * (at - left)) / (right - left)
    left = right
    low = high
  }
  return low
}
