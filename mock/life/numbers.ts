/** Returns the number, or the nearest bound. */
export function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value
}

/** Rounds to a number of decimals. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

/** Points of a curve, in the order of their first number. */
export type Curve = readonly (readonly [at: number, value: number])[]

/** Returns the value of a curve, with straight lines between its points and level beyond them. */
export function valueAt(curve: Curve, at: number): number {
  const next = curve.findIndex(([point]) => point > at)
  const [right, high] = curve[next === -1 ? curve.length - 1 : next] ?? [0, 0]
  const [left, low] = curve[next - 1] ?? [right, high]
  return right === left ? high : low + ((high - low) * (at - left)) / (right - left)
}
