type Interval = readonly [start: number, end: number]

/** Returns the function that maps a domain of values to a range of pixels; an empty domain maps to the middle. */
export function linearScale(domain: Interval, range: Interval): (value: number) => number {
  const [low, high] = domain
  const [start, end] = range
  if (low === high) return () => (start + end) / 2
  return (value) => start + ((value - low) / (high - low)) * (end - start)
}

/** A range of values with round ends and round ticks. */
interface NiceRange {
  low: number
  high: number
  ticks: number[]
}

/** Returns the range of an axis that includes all values, with about five ticks. */
export function niceRange(values: readonly number[]): NiceRange {
  const [low, high] = nonEmptyRange(Math.min(...values), Math.max(...values))
  const step = niceStep((high - low) / 4)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  return { low: first * step, high: last * step, ticks }
}

/** Widens the range of one value by 10 %; without values, returns 0 to 1. */
function nonEmptyRange(low: number, high: number): Interval {
  if (!Number.isFinite(low) || (low === 0 && high === 0)) return [0, 1]
  if (low < high) return [low, high]
  const padding = Math.abs(low) / 10
  return [low - padding, low + padding]
}

/** Rounds a step up to 1, 2, 2.5, 5 or 10 times a power of ten. */
function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= step) ?? 10
  return factor * power
}
